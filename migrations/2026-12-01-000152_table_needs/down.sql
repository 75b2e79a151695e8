ALTER TABLE tournament_entrants DROP COLUMN needs_area, DROP COLUMN needs_table;
