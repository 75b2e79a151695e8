ALTER TABLE tournament_entrants DROP COLUMN board, DROP COLUMN team;
ALTER TABLE tournaments DROP COLUMN team_size;
