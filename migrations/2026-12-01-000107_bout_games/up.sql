-- The games of a bout that has several, as far as they are over: each with its match and its result.
ALTER TABLE tournament_bouts ADD COLUMN games jsonb NOT NULL DEFAULT '[]'
    CONSTRAINT tournament_bouts_games_list CHECK (jsonb_typeof(games) = 'array');
CREATE INDEX tournament_bouts_games_idx ON tournament_bouts USING gin (games jsonb_path_ops);

-- A game that is over may be corrected, too.
CREATE OR REPLACE FUNCTION matches_schedule_bout_result() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO pending_bout_results (match_id, tournament_id, since)
    SELECT NEW.id, tournament_id, now() FROM tournament_bouts
    WHERE match_id = NEW.id OR games @> jsonb_build_array(jsonb_build_object('match', NEW.id))
    -- A worker that is processing this row waits for the new outcome.
    ON CONFLICT (match_id) DO UPDATE SET since = excluded.since;
    RETURN NULL;
END
$$;
