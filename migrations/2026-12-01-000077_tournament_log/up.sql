-- What happened in a tournament, step by step: who, when, why, and what was there before and after. Its ways back follow from it.
CREATE TABLE tournament_log (
    tournament_id uuid NOT NULL CONSTRAINT tournament_log_tournament_id_fkey REFERENCES tournaments (id),
    -- The revision to which the step led.
    revision bigint NOT NULL CONSTRAINT tournament_log_revision_range CHECK (revision >= 1),
    at timestamptz NOT NULL,
    -- NULL where a match ended by itself.
    actor uuid CONSTRAINT tournament_log_actor_fkey REFERENCES players (id),
    action text NOT NULL,
    details jsonb NOT NULL,
    -- A list: what changed, as it was before and is after.
    changes jsonb NOT NULL,
    CONSTRAINT tournament_log_pkey PRIMARY KEY (tournament_id, revision)
);
