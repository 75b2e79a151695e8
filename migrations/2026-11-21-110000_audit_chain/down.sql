DROP INDEX audit_log_at_idx, audit_log_action_idx;
DROP TRIGGER audit_log_chained ON audit_log;
DROP FUNCTION audit_log_is_chained();
DROP FUNCTION audit_content(bigint, audit_log);
ALTER TABLE audit_log DROP CONSTRAINT audit_log_words_of_one_line;
DROP TABLE audit_chain;
