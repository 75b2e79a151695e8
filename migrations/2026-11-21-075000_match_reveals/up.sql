-- Who of the staff looked at what is hidden in a running match, and why. A look lasts ten minutes at most, by the clock of the database.
CREATE TABLE match_reveals (
    id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT match_reveals_pkey PRIMARY KEY,
    match_id uuid NOT NULL CONSTRAINT match_reveals_match_id_fkey REFERENCES matches (id),
    player_id uuid NOT NULL CONSTRAINT match_reveals_player_id_fkey REFERENCES players (id),
    -- As it was then.
    role text NOT NULL CONSTRAINT match_reveals_role_known CHECK (role IN ('manager', 'owner')),
    reason text NOT NULL CONSTRAINT match_reveals_reason_length CHECK (char_length(reason) BETWEEN 1 AND 200),
    -- The match's, when the look began.
    version integer NOT NULL CONSTRAINT match_reveals_version_range CHECK (version >= 0),
    at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL DEFAULT now() + interval '10 minutes',
    CONSTRAINT match_reveals_ten_minutes CHECK (expires_at - at BETWEEN interval '0' AND interval '10 minutes')
);

CREATE INDEX match_reveals_match_id_idx ON match_reveals (match_id, id);
