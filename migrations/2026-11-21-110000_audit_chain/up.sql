-- Every line of the audit log is chained to the one before it, in the order in which they were committed: whoever changes, drops
-- or slips in a line has to write all later hashes anew.
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

ALTER TABLE audit_log ADD CONSTRAINT audit_log_words_of_one_line CHECK (strpos(action || subject, E'\n') = 0);

-- What is hashed: seven lines of text. JSON escapes the ends of lines, so nothing in it can look like another line.
CREATE FUNCTION audit_content(n bigint, line audit_log) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT concat_ws(E'\n', n, to_char(line.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
        coalesce(line.actor::text, ''), line.action, line.subject, coalesce(line.subject_id::text, ''), line.details::text)
$$;

-- Runs when the transaction is about to commit, so that the lock is held for a moment and nothing else is waited for under it.
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
    INSERT INTO audit_chain VALUES
        (next, NEW.id, latest.hash, sha256(latest.hash || convert_to(audit_content(next, NEW), 'UTF8')));
    RETURN NULL;
END
$$;

DO $$
DECLARE
    line audit_log;
    next bigint := 0;
    latest bytea := decode(repeat('00', 32), 'hex');
    hash bytea;
BEGIN
    FOR line IN SELECT * FROM audit_log ORDER BY id LOOP
        next := next + 1;
        hash := sha256(latest || convert_to(audit_content(next, line), 'UTF8'));
        INSERT INTO audit_chain VALUES (next, line.id, latest, hash);
        latest := hash;
    END LOOP;
END
$$;

CREATE CONSTRAINT TRIGGER audit_log_chained AFTER INSERT ON audit_log
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_log_is_chained();

-- What the page filters by.
CREATE INDEX audit_log_action_idx ON audit_log (action, id);
CREATE INDEX audit_log_at_idx ON audit_log (at);
