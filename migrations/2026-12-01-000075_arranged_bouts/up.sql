-- Who put these entrants together by hand; NULL where the engine paired them.
ALTER TABLE tournament_bouts
    ADD COLUMN arranged_by uuid CONSTRAINT tournament_bouts_arranged_by_fkey REFERENCES players (id);
