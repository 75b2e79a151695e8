UPDATE tournaments SET most_entrants = 256 WHERE most_entrants > 256;
ALTER TABLE tournaments DROP CONSTRAINT tournaments_most_entrants_range;
ALTER TABLE tournaments ADD CONSTRAINT tournaments_most_entrants_range CHECK (most_entrants BETWEEN 2 AND 256);
