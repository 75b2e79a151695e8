-- What a sandbox key made, to try a service out: apart from all else, and gone after a day.
ALTER TABLE tournaments ADD COLUMN sandbox boolean NOT NULL DEFAULT false;

CREATE INDEX tournaments_sandbox_idx ON tournaments (created_at) WHERE sandbox;

-- Nobody else is told of it.
CREATE OR REPLACE FUNCTION tournament_rounds_tell_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM tell_webhooks('tournament.round_published', jsonb_build_object(
        'tournament_id', tournaments.id, 'code', tournaments.code, 'name', tournaments.name, 'stage', NEW.stage,
        'round', NEW.round, 'published_at', NEW.published_at)) FROM tournaments
    WHERE tournaments.id = NEW.tournament_id AND NOT tournaments.sandbox;
    RETURN NULL;
END
$$;
