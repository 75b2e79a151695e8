-- The parties that sit at tables, one after the other.
CREATE TABLE sittings (
    id uuid CONSTRAINT sittings_pkey PRIMARY KEY,
    table_id uuid NOT NULL CONSTRAINT sittings_table_id_fkey REFERENCES tables (id),
    party_size smallint NOT NULL CONSTRAINT sittings_party_size_range CHECK (party_size BETWEEN 1 AND 99),
    -- Lets into this party and into no other: with the next one it opens nothing.
    join_token text NOT NULL CONSTRAINT sittings_join_token_key UNIQUE
        CONSTRAINT sittings_join_token_length CHECK (char_length(join_token) BETWEEN 16 AND 64),
    opened_at timestamptz NOT NULL,
    -- A member of staff, or the first guest who scanned the table's code.
    opened_by uuid NOT NULL CONSTRAINT sittings_opened_by_fkey REFERENCES players (id),
    -- When staff are told that the party has been there for long.
    remind_at timestamptz NOT NULL,
    -- They are about to leave, or the table is being cleared.
    closing_at timestamptz,
    closed_at timestamptz,
    ended text CONSTRAINT sittings_ended_known CHECK (ended IN ('left', 'forgotten', 'merged', 'undone')),
    merged_into uuid CONSTRAINT sittings_merged_into_fkey REFERENCES sittings (id),
    CONSTRAINT sittings_closed_has_end CHECK ((closed_at IS NULL) = (ended IS NULL)),
    CONSTRAINT sittings_merged_into_another CHECK (
        (coalesce(ended, '') = 'merged') = (merged_into IS NOT NULL) AND merged_into <> id
    )
);

-- Two parties at one table are impossible.
CREATE UNIQUE INDEX sittings_one_open ON sittings (table_id) WHERE closed_at IS NULL;
CREATE INDEX sittings_table_idx ON sittings (table_id, id);

-- Who scanned the code while the party sat there.
CREATE TABLE sitting_members (
    sitting_id uuid NOT NULL CONSTRAINT sitting_members_sitting_id_fkey REFERENCES sittings (id),
    player_id uuid NOT NULL CONSTRAINT sitting_members_player_id_fkey REFERENCES players (id),
    joined_at timestamptz NOT NULL,
    CONSTRAINT sitting_members_pkey PRIMARY KEY (sitting_id, player_id)
);
CREATE INDEX sitting_members_player_idx ON sitting_members (player_id, sitting_id);

-- Whose match it is, of those made at a table.
CREATE TABLE match_sittings (
    match_id uuid CONSTRAINT match_sittings_pkey PRIMARY KEY
        CONSTRAINT match_sittings_match_id_fkey REFERENCES matches (id),
    sitting_id uuid NOT NULL CONSTRAINT match_sittings_sitting_id_fkey REFERENCES sittings (id)
);
CREATE INDEX match_sittings_sitting_idx ON match_sittings (sitting_id, match_id);
