-- A bout of a draft in which nobody is exchanged.
ALTER TABLE tournament_bouts ADD COLUMN is_locked boolean NOT NULL DEFAULT false;
