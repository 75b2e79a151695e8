-- What servers do about backups by themselves, a row for each kind of work: taking them, and restoring the newest elsewhere to
-- test it. There is no row for what no server does.
CREATE TABLE backup_jobs (
    kind text CONSTRAINT backup_jobs_pkey PRIMARY KEY
        CONSTRAINT backup_jobs_kind_known CHECK (kind IN ('take', 'test')),
    every_seconds bigint NOT NULL CONSTRAINT backup_jobs_every_positive CHECK (every_seconds > 0),
    -- When a server first did it.
    since timestamptz NOT NULL,
    succeeded_at timestamptz,
    -- Both only if it has failed since it last succeeded.
    failed_at timestamptz,
    problem text,
    -- Somebody asked to have it done now.
    asked_at timestamptz,
    CONSTRAINT backup_jobs_failed_with_a_problem CHECK ((failed_at IS NULL) = (problem IS NULL))
);
