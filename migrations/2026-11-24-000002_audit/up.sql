-- The audit log: what staff did, append-only, every line chained by hash to the line before it.
CREATE TABLE audit_log (
    id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT audit_log_pkey PRIMARY KEY,
    at timestamptz NOT NULL,
    -- No foreign key: a line stays as it is, whatever becomes of the account.
    actor uuid,
    action text NOT NULL CONSTRAINT audit_log_action_length CHECK (char_length(action) BETWEEN 1 AND 80),
    subject text NOT NULL,
    subject_id uuid,
    details jsonb NOT NULL DEFAULT '{}',
    CONSTRAINT audit_log_words_of_one_line CHECK (strpos(action || subject, E'\n') = 0)
);

CREATE INDEX audit_log_subject_idx ON audit_log (subject, subject_id, id);
CREATE INDEX audit_log_actor_idx ON audit_log (actor, id);
CREATE INDEX audit_log_action_idx ON audit_log (action, id);
CREATE INDEX audit_log_at_idx ON audit_log (at);

CREATE FUNCTION audit_log_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'restrict_violation';
END
$$;

CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION audit_log_is_append_only();

-- The lines in the order in which they were committed. Changing, dropping or inserting a line breaks all later hashes.
CREATE TABLE audit_chain (
    n bigint CONSTRAINT audit_chain_pkey PRIMARY KEY CONSTRAINT audit_chain_n_positive CHECK (n > 0),
    line bigint NOT NULL
        CONSTRAINT audit_chain_line_key UNIQUE
        CONSTRAINT audit_chain_line_fkey REFERENCES audit_log (id),
    -- The hash of the link before; of the first, 32 zero bytes.
    previous bytea NOT NULL CONSTRAINT audit_chain_previous_length CHECK (octet_length(previous) = 32),
    -- SHA-256 of `previous` and the line's content.
    hash bytea NOT NULL CONSTRAINT audit_chain_hash_length CHECK (octet_length(hash) = 32)
);

CREATE TRIGGER audit_chain_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_chain
    FOR EACH STATEMENT EXECUTE FUNCTION audit_log_is_append_only();

-- What is hashed: seven lines of text. JSON escapes line breaks, so nothing in a field can pass for another line.
CREATE FUNCTION audit_content(n bigint, line audit_log) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT concat_ws(E'\n', n, to_char(line.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
        coalesce(line.actor::text, ''), line.action, line.subject, coalesce(line.subject_id::text, ''),
        line.details::text)
$$;

-- Deferred until the transaction is about to commit, so that the lock is held only for a moment.
CREATE FUNCTION audit_log_is_chained() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    latest audit_chain;
    next bigint;
BEGIN
    -- The number spells "audit".
    PERFORM pg_advisory_xact_lock(x'6175646974'::bigint);
    SELECT * INTO latest FROM audit_chain ORDER BY n DESC LIMIT 1;
    next := coalesce(latest.n, 0) + 1;
    latest.hash := coalesce(latest.hash, decode(repeat('00', 32), 'hex'));
    INSERT INTO audit_chain (n, line, previous, hash) VALUES
        (next, NEW.id, latest.hash, sha256(latest.hash || convert_to(audit_content(next, NEW), 'UTF8')));
    RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER audit_log_chained AFTER INSERT ON audit_log
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_log_is_chained();
