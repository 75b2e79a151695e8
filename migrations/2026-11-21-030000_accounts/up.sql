-- An account that its owner deleted: the row stays, so that matches of others stay whole, and says nothing of a person any more.
ALTER TABLE players
    ADD COLUMN deleted_at timestamptz,
    ADD CONSTRAINT players_deleted_is_nobody CHECK (
        deleted_at IS NULL OR (role = 'player' AND email IS NULL AND display_name = 'someone')
    );

ALTER TABLE sessions
    -- As the client named itself when it signed in.
    ADD COLUMN user_agent text CONSTRAINT sessions_user_agent_length CHECK (char_length(user_agent) BETWEEN 1 AND 200),
    -- When it last signed in or refreshed.
    ADD COLUMN seen_at timestamptz;
UPDATE sessions SET seen_at = created_at;
ALTER TABLE sessions ALTER COLUMN seen_at SET NOT NULL;

-- Sessions ended of late: access tokens of theirs may still be about, and every process asks for them once a second.
CREATE INDEX sessions_revoked_at_idx ON sessions (revoked_at) WHERE revoked_at IS NOT NULL;

-- Who sits where never changes; a nonce goes only where it proves nothing: in a match that never started.
CREATE OR REPLACE FUNCTION match_seats_fit() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    play matches;
BEGIN
    SELECT * INTO play FROM matches WHERE id = coalesce(NEW.match_id, OLD.match_id);
    IF TG_OP = 'UPDATE' THEN
        IF (NEW.match_id, NEW.seat, NEW.player_id) IS DISTINCT FROM (OLD.match_id, OLD.seat, OLD.player_id) THEN
            RAISE EXCEPTION 'who sits where never changes' USING ERRCODE = 'restrict_violation';
        END IF;
        IF NEW.nonce IS DISTINCT FROM OLD.nonce AND (NEW.nonce IS NOT NULL OR play.started_at IS NOT NULL) THEN
            RAISE EXCEPTION 'a nonce never changes' USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END IF;
    IF play.status <> 'waiting' THEN
        RAISE EXCEPTION 'seats are taken and left before the start only' USING ERRCODE = 'restrict_violation';
    END IF;
    IF TG_OP = 'DELETE' THEN
        RETURN OLD;
    END IF;
    IF NEW.seat >= play.seat_count THEN
        RAISE EXCEPTION 'the match has no such seat' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END
$$;
