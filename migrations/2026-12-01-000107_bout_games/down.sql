CREATE OR REPLACE FUNCTION matches_schedule_bout_result() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO pending_bout_results (match_id, tournament_id, since)
    SELECT NEW.id, tournament_id, now() FROM tournament_bouts WHERE match_id = NEW.id
    -- A worker that is processing this row waits for the new outcome.
    ON CONFLICT (match_id) DO UPDATE SET since = excluded.since;
    RETURN NULL;
END
$$;
ALTER TABLE tournament_bouts DROP COLUMN games;
