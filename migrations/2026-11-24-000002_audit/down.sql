DROP FUNCTION audit_content(bigint, audit_log);
DROP TABLE audit_chain, audit_log;
DROP FUNCTION audit_log_is_chained(), audit_log_is_append_only();
