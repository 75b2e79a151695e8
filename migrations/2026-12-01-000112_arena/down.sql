ALTER TABLE tournament_participants DROP COLUMN paused_since, DROP COLUMN ready_since;
ALTER TABLE tournament_rounds DROP COLUMN due_at, DROP COLUMN resumed_at, DROP COLUMN paused_at, DROP COLUMN is_arena;
