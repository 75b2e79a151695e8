-- Who staff took off a party: they do not come back to it by its codes.
CREATE TABLE removed_members (
    sitting_id uuid NOT NULL CONSTRAINT removed_members_sitting_id_fkey REFERENCES sittings (id),
    player_id uuid NOT NULL CONSTRAINT removed_members_player_id_fkey REFERENCES players (id),
    -- When they had joined.
    joined_at timestamptz NOT NULL,
    removed_at timestamptz NOT NULL,
    CONSTRAINT removed_members_pkey PRIMARY KEY (sitting_id, player_id)
);
CREATE INDEX removed_members_player_idx ON removed_members (player_id, sitting_id);
