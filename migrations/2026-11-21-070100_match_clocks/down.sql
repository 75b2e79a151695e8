ALTER TABLE match_seats DROP COLUMN left_why;
DROP INDEX matches_house_idx;
CREATE INDEX matches_house_idx ON matches (id) WHERE status = 'running' AND (resigned <> 0 OR turn_seconds IS NOT NULL);
DROP TABLE clock_beats;
DROP TRIGGER matches_run_clock ON matches;
DROP FUNCTION matches_run_clock;
DROP TABLE match_clocks;
