ALTER TABLE tournament_bouts DROP COLUMN is_locked;
