CREATE OR REPLACE FUNCTION match_seats_fit() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    play matches;
BEGIN
    SELECT * INTO play FROM matches WHERE id = coalesce(NEW.match_id, OLD.match_id);
    IF TG_OP = 'UPDATE' THEN
        IF (NEW.match_id, NEW.seat, NEW.player_id) IS DISTINCT FROM (OLD.match_id, OLD.seat, OLD.player_id) THEN
            RAISE EXCEPTION 'who sits where never changes' USING ERRCODE = 'restrict_violation';
        END IF;
        IF NEW.nonce IS DISTINCT FROM OLD.nonce
            AND (NEW.nonce IS NOT NULL AND OLD.nonce IS NOT NULL OR play.started_at IS NOT NULL)
        THEN
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
DROP INDEX players_tag_idx, players_email_prefix_idx, players_name_idx, players_registered_idx, players_banned_idx,
    players_merged_into_idx;
DROP FUNCTION grams(text);
DROP FUNCTION searched(text);
ALTER TABLE players
    DROP CONSTRAINT players_ban_whole,
    DROP CONSTRAINT players_merged_was_guest,
    DROP COLUMN ban_reason,
    DROP COLUMN banned_until,
    DROP COLUMN merged_into;
