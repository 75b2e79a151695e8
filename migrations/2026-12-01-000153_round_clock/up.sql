-- The clock of any round may stand, and a break may follow it.
ALTER TABLE tournament_rounds
    -- Once it is over: when the next begins, if staff have said so.
    ADD COLUMN next_round_at timestamptz,
    DROP CONSTRAINT tournament_rounds_arena_only,
    ADD CONSTRAINT tournament_rounds_arena_only CHECK (is_arena OR due_at IS NULL);
