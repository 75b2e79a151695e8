-- A bracket in which a loss is the end takes 512.
ALTER TABLE tournaments DROP CONSTRAINT tournaments_most_entrants_range;
ALTER TABLE tournaments ADD CONSTRAINT tournaments_most_entrants_range CHECK (most_entrants BETWEEN 2 AND 512);
