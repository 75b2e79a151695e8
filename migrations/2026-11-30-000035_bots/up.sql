-- A bot may sit on a seat instead of a player, or play on for a player who has left.
ALTER TABLE match_seats ALTER COLUMN player_id DROP NOT NULL;
ALTER TABLE match_seats ADD COLUMN bot text
    CONSTRAINT match_seats_bot_known CHECK (bot IN ('easy', 'medium', 'hard'));
ALTER TABLE match_seats ADD CONSTRAINT match_seats_player_or_bot CHECK (
    CASE WHEN player_id IS NULL
        THEN bot IS NOT NULL AND nonce IS NULL AND left_at IS NULL AND stand_in_id IS NULL
        ELSE bot IS NULL OR left_at IS NOT NULL
    END
);

-- The same as before, where a seat may have no player.
CREATE OR REPLACE FUNCTION match_seats_guard() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    play matches;
BEGIN
    SELECT * INTO play FROM matches WHERE id = coalesce(NEW.match_id, OLD.match_id);
    IF TG_OP = 'UPDATE' THEN
        IF (NEW.match_id, NEW.seat) IS DISTINCT FROM (OLD.match_id, OLD.seat)
            OR NEW.player_id IS DISTINCT FROM OLD.player_id
            AND NOT EXISTS (SELECT FROM players WHERE id = OLD.player_id AND merged_into = NEW.player_id)
        THEN
            RAISE EXCEPTION 'the player of a seat never changes' USING ERRCODE = 'restrict_violation';
        END IF;
        IF NEW.nonce IS DISTINCT FROM OLD.nonce
            AND (NEW.nonce IS NOT NULL AND OLD.nonce IS NOT NULL OR play.started_at IS NOT NULL)
        THEN
            RAISE EXCEPTION 'a nonce never changes' USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END IF;
    IF play.status <> 'waiting' THEN
        RAISE EXCEPTION 'seats are taken and given up before the start only' USING ERRCODE = 'restrict_violation';
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
