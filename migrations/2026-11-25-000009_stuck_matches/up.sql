-- Running matches in which the autopilot has failed to move. It tries again, each time after a longer wait.

CREATE TABLE stuck_matches (
    match_id uuid CONSTRAINT stuck_matches_pkey PRIMARY KEY
        CONSTRAINT stuck_matches_match_id_fkey REFERENCES matches (id),
    attempts integer NOT NULL CONSTRAINT stuck_matches_attempts_range CHECK (attempts > 0),
    next_attempt_at timestamptz NOT NULL
);
