ALTER TABLE match_log RENAME TO match_log_partitioned;
ALTER TABLE match_log_partitioned RENAME CONSTRAINT match_log_pkey TO match_log_partitioned_pkey;
ALTER INDEX match_log_idempotency_key RENAME TO match_log_partitioned_idempotency_key;
CREATE TABLE match_log (LIKE match_log_partitioned INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE);
INSERT INTO match_log SELECT * FROM match_log_partitioned;
ALTER TABLE match_log ADD CONSTRAINT match_log_pkey PRIMARY KEY (match_id, version);
CREATE UNIQUE INDEX match_log_idempotency_key ON match_log (match_id, seat, idempotency_key)
    WHERE idempotency_key IS NOT NULL;
CREATE TRIGGER match_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON match_log
    FOR EACH STATEMENT EXECUTE FUNCTION match_log_is_append_only();
DROP TABLE match_log_partitioned;
DROP FUNCTION match_log_protect(text), match_log_add_partition(timestamptz), match_log_make_partitions(), match_log_drop_partition(),
    match_log_first_id(timestamptz);
