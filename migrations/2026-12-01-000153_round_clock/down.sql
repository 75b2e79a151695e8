ALTER TABLE tournament_rounds
    DROP COLUMN next_round_at,
    DROP CONSTRAINT tournament_rounds_arena_only;
UPDATE tournament_rounds SET paused_at = NULL, resumed_at = NULL WHERE NOT is_arena;
ALTER TABLE tournament_rounds
    ADD CONSTRAINT tournament_rounds_arena_only
        CHECK (is_arena OR (paused_at IS NULL AND resumed_at IS NULL AND due_at IS NULL));
