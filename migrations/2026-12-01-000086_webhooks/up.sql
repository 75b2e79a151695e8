-- Addresses elsewhere that are told what happens here, and what they are told: an outbox that is filled in the transaction of
-- what happened, whichever way it came about.
CREATE TABLE webhooks (
    id uuid CONSTRAINT webhooks_pkey PRIMARY KEY,
    url text NOT NULL CONSTRAINT webhooks_url_length CHECK (char_length(url) BETWEEN 8 AND 500),
    -- The names of those that it is told of.
    events jsonb NOT NULL
        CONSTRAINT webhooks_events_list CHECK (jsonb_typeof(events) = 'array' AND jsonb_array_length(events) > 0),
    -- Signs what is sent. Sealed.
    secret bytea NOT NULL,
    is_on boolean NOT NULL,
    created_by uuid NOT NULL CONSTRAINT webhooks_created_by_fkey REFERENCES players (id),
    created_at timestamptz NOT NULL
);

CREATE TABLE webhook_deliveries (
    id uuid CONSTRAINT webhook_deliveries_pkey PRIMARY KEY,
    webhook_id uuid NOT NULL
        CONSTRAINT webhook_deliveries_webhook_id_fkey REFERENCES webhooks (id) ON DELETE CASCADE,
    event text NOT NULL,
    data jsonb NOT NULL,
    happened_at timestamptz NOT NULL,
    -- When it is tried next; null once it was delivered or given up.
    due_at timestamptz,
    attempts smallint NOT NULL,
    attempted_at timestamptz,
    delivered_at timestamptz,
    -- Of the last answer.
    status smallint,
    -- Why the last attempt had no answer, or none that will do.
    failure text
);

CREATE INDEX webhook_deliveries_due_idx ON webhook_deliveries (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX webhook_deliveries_webhook_idx ON webhook_deliveries (webhook_id, happened_at DESC, id);
CREATE INDEX webhook_deliveries_happened_idx ON webhook_deliveries (happened_at);

CREATE FUNCTION tell_webhooks(told text, details jsonb) RETURNS void LANGUAGE sql AS $$
    INSERT INTO webhook_deliveries (id, webhook_id, event, data, happened_at, due_at, attempts)
    SELECT gen_random_uuid(), id, told, details, now(), now(), 0 FROM webhooks WHERE is_on AND events @> to_jsonb(told)
$$;

CREATE FUNCTION matches_tell_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM tell_webhooks('match.finished', jsonb_build_object(
        'match_id', NEW.id, 'code', NEW.code, 'game', NEW.game, 'mode', NEW.mode, 'table_id', NEW.table_id,
        'finished_at', NEW.finished_at, 'outcome', NEW.outcome));
    RETURN NULL;
END
$$;

CREATE TRIGGER matches_tell_finished AFTER UPDATE OF status ON matches
    FOR EACH ROW WHEN (NEW.status = 'finished' AND OLD.status <> 'finished') EXECUTE FUNCTION matches_tell_webhooks();

CREATE FUNCTION match_results_tell_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM tell_webhooks('result.disputed', jsonb_build_object(
        'match_id', NEW.match_id, 'code', matches.code, 'game', matches.game, 'table_id', matches.table_id,
        'number', NEW.number)) FROM matches WHERE matches.id = NEW.match_id;
    RETURN NULL;
END
$$;

-- The result that makes it a dispute; those before it only change.
CREATE TRIGGER match_results_tell_dispute AFTER INSERT ON match_results
    FOR EACH ROW WHEN (NEW.status = 'disputed') EXECUTE FUNCTION match_results_tell_webhooks();

CREATE FUNCTION calls_tell_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM tell_webhooks('call.opened', jsonb_build_object(
        'call_id', NEW.id, 'sitting_id', NEW.sitting_id, 'table_id', NEW.table_id, 'table', tables.name,
        'reason', NEW.reason)) FROM tables WHERE tables.id = NEW.table_id;
    RETURN NULL;
END
$$;

CREATE TRIGGER calls_tell AFTER INSERT ON calls FOR EACH ROW EXECUTE FUNCTION calls_tell_webhooks();

CREATE FUNCTION sittings_tell_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM tell_webhooks(
        CASE TG_OP WHEN 'INSERT' THEN 'sitting.opened' ELSE 'sitting.closed' END,
        jsonb_build_object(
            'sitting_id', NEW.id, 'table_id', NEW.table_id, 'table', tables.name, 'party_size', NEW.party_size,
            'opened_at', NEW.opened_at, 'closed_at', NEW.closed_at, 'ended', NEW.ended,
            'merged_into', NEW.merged_into)) FROM tables WHERE tables.id = NEW.table_id;
    RETURN NULL;
END
$$;

CREATE TRIGGER sittings_tell_opened AFTER INSERT ON sittings FOR EACH ROW EXECUTE FUNCTION sittings_tell_webhooks();
CREATE TRIGGER sittings_tell_closed AFTER UPDATE OF closed_at ON sittings
    FOR EACH ROW WHEN (OLD.closed_at IS NULL AND NEW.closed_at IS NOT NULL) EXECUTE FUNCTION sittings_tell_webhooks();

CREATE FUNCTION tournament_rounds_tell_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM tell_webhooks('tournament.round_published', jsonb_build_object(
        'tournament_id', tournaments.id, 'code', tournaments.code, 'name', tournaments.name, 'stage', NEW.stage,
        'round', NEW.round, 'published_at', NEW.published_at)) FROM tournaments WHERE tournaments.id = NEW.tournament_id;
    RETURN NULL;
END
$$;

CREATE TRIGGER tournament_rounds_tell_new AFTER INSERT ON tournament_rounds
    FOR EACH ROW WHEN (NEW.published_at IS NOT NULL) EXECUTE FUNCTION tournament_rounds_tell_webhooks();
CREATE TRIGGER tournament_rounds_tell_published AFTER UPDATE OF published_at ON tournament_rounds
    FOR EACH ROW WHEN (OLD.published_at IS NULL AND NEW.published_at IS NOT NULL)
    EXECUTE FUNCTION tournament_rounds_tell_webhooks();
