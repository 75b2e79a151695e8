CREATE OR REPLACE FUNCTION match_seats_fit() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    play matches;
BEGIN
    IF TG_OP = 'UPDATE' THEN
        IF (NEW.match_id, NEW.seat, NEW.player_id, NEW.nonce) IS DISTINCT FROM (OLD.match_id, OLD.seat, OLD.player_id, OLD.nonce) THEN
            RAISE EXCEPTION 'who sits where never changes' USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END IF;
    SELECT * INTO play FROM matches WHERE id = coalesce(NEW.match_id, OLD.match_id);
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
DROP INDEX sessions_revoked_at_idx;
ALTER TABLE sessions DROP COLUMN seen_at, DROP COLUMN user_agent;
ALTER TABLE players DROP CONSTRAINT players_deleted_is_nobody, DROP COLUMN deleted_at;
