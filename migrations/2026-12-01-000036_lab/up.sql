-- What bots find out about rules in spare time: docs/lab.md. The same rules are asked about once, whatever they are called.
CREATE TABLE lab_runs (
    id uuid CONSTRAINT lab_runs_pkey PRIMARY KEY,
    game text NOT NULL,
    -- The rules, and those that they are compared with: the same if with none. Hashes as in docs/variants.md.
    variant_hash bytea NOT NULL CONSTRAINT lab_runs_variant_hash_length CHECK (octet_length(variant_hash) = 32),
    against_hash bytea NOT NULL CONSTRAINT lab_runs_against_hash_length CHECK (octet_length(against_hash) = 32),
    options jsonb NOT NULL,
    against jsonb NOT NULL,
    seat_count smallint NOT NULL CONSTRAINT lab_runs_seat_count_range CHECK (seat_count BETWEEN 1 AND 16),
    -- Whether bots that search play as well.
    search boolean NOT NULL,
    -- Of the lab: the next one may find something else.
    lab_revision integer NOT NULL,
    asked_at timestamptz NOT NULL,
    status text NOT NULL DEFAULT 'waiting'
        CONSTRAINT lab_runs_status_known CHECK (status IN ('waiting', 'running', 'finished', 'cancelled', 'failed')),
    -- In percent.
    progress smallint NOT NULL DEFAULT 0 CONSTRAINT lab_runs_progress_range CHECK (progress BETWEEN 0 AND 100),
    -- Whose run it is, and when they last said that they are at it.
    claim uuid,
    beat_at timestamptz,
    report jsonb,
    CONSTRAINT lab_runs_question_key UNIQUE (variant_hash, against_hash, seat_count, search, lab_revision),
    CONSTRAINT lab_runs_running_is_claimed CHECK (
        (status = 'running') = (claim IS NOT NULL) AND (status = 'running') = (beat_at IS NOT NULL)
    ),
    CONSTRAINT lab_runs_finished_has_report CHECK ((status = 'finished') = (report IS NOT NULL))
);

CREATE INDEX lab_runs_open_idx ON lab_runs (asked_at) WHERE status IN ('waiting', 'running');
