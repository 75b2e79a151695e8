-- Arenas: one round that is a window of time, in which everybody is paired who is free.
ALTER TABLE tournament_rounds
    ADD COLUMN is_arena boolean NOT NULL DEFAULT false,
    -- Since when nobody is paired, and since when people are again.
    ADD COLUMN paused_at timestamptz,
    ADD COLUMN resumed_at timestamptz,
    -- When something may be due by the clock alone; NULL: nothing before something else happens.
    ADD COLUMN due_at timestamptz,
    ADD CONSTRAINT tournament_rounds_arena_only
        CHECK (is_arena OR (paused_at IS NULL AND resumed_at IS NULL AND due_at IS NULL));

CREATE INDEX tournament_rounds_due_at_idx ON tournament_rounds (due_at) WHERE due_at IS NOT NULL;

-- Since when an entrant of an arena wants to play, and since when they pause.
ALTER TABLE tournament_participants
    ADD COLUMN ready_since timestamptz,
    ADD COLUMN paused_since timestamptz,
    ADD CONSTRAINT tournament_participants_paused_in_arena CHECK (paused_since IS NULL OR ready_since IS NOT NULL);
