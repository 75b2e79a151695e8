ALTER TABLE tournament_bouts DROP COLUMN arranged_by;
