-- What staff did that others may ask about later. Written once, never changed.
CREATE TABLE audit_log (
    id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT audit_log_pkey PRIMARY KEY,
    at timestamptz NOT NULL,
    -- Without a foreign key: what was done stays on record whatever becomes of the account.
    actor uuid,
    action text NOT NULL CONSTRAINT audit_log_action_length CHECK (char_length(action) BETWEEN 1 AND 80),
    subject text NOT NULL,
    subject_id uuid,
    details jsonb NOT NULL DEFAULT '{}'
);

CREATE INDEX audit_log_subject_idx ON audit_log (subject, subject_id, id);
CREATE INDEX audit_log_actor_idx ON audit_log (actor, id);

CREATE FUNCTION audit_log_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'restrict_violation';
END
$$;

CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION audit_log_is_append_only();
