CREATE OR REPLACE FUNCTION tournament_rounds_tell_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM tell_webhooks('tournament.round_published', jsonb_build_object(
        'tournament_id', tournaments.id, 'code', tournaments.code, 'name', tournaments.name, 'stage', NEW.stage,
        'round', NEW.round, 'published_at', NEW.published_at)) FROM tournaments WHERE tournaments.id = NEW.tournament_id;
    RETURN NULL;
END
$$;

DROP INDEX tournaments_sandbox_idx;
ALTER TABLE tournaments DROP COLUMN sandbox;
