ALTER TABLE players
    -- A guest whom staff found to be this player. Everything that was the guest's is the player's.
    ADD COLUMN merged_into uuid CONSTRAINT players_merged_into_fkey REFERENCES players (id),
    -- None for a ban that lasts until it is lifted.
    ADD COLUMN banned_until timestamptz,
    ADD COLUMN ban_reason text CONSTRAINT players_ban_reason_length CHECK (char_length(ban_reason) BETWEEN 1 AND 200),
    ADD CONSTRAINT players_merged_was_guest CHECK (
        merged_into IS NULL OR (merged_into <> id AND email IS NULL AND role = 'player')
    ),
    ADD CONSTRAINT players_ban_whole CHECK (
        banned_at IS NOT NULL OR (banned_until IS NULL AND ban_reason IS NULL)
    );

CREATE INDEX players_merged_into_idx ON players (merged_into) WHERE merged_into IS NOT NULL;
CREATE INDEX players_banned_idx ON players (id) WHERE banned_at IS NOT NULL;
CREATE INDEX players_registered_idx ON players (id) WHERE registered_at IS NOT NULL;

-- What of a name is searched: compatibility forms, case and spaces aside.
CREATE FUNCTION searched(name text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN replace(lower(normalize(name, NFKC)), ' ', '');

-- Every letter and every pair of neighbours in it: what any part of a name, however short, can be looked up by.
CREATE FUNCTION grams(name text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN ARRAY (
        SELECT DISTINCT substr(name, at, length)
        FROM generate_series(1, char_length(name)) AS at, generate_series(1, 2) AS length
        WHERE at + length - 1 <= char_length(name)
    );

CREATE INDEX players_name_idx ON players USING gin (grams(searched(display_name)))
    WHERE deleted_at IS NULL AND merged_into IS NULL;
CREATE INDEX players_email_prefix_idx ON players (email text_pattern_ops) WHERE email IS NOT NULL;
-- A tag is the end of an id.
CREATE INDEX players_tag_idx ON players ("right"(id::text, 4));

-- Who sits where changes only where a guest was found to be a player.
CREATE OR REPLACE FUNCTION match_seats_fit() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    play matches;
BEGIN
    SELECT * INTO play FROM matches WHERE id = coalesce(NEW.match_id, OLD.match_id);
    IF TG_OP = 'UPDATE' THEN
        IF (NEW.match_id, NEW.seat) IS DISTINCT FROM (OLD.match_id, OLD.seat)
            OR NEW.player_id <> OLD.player_id
            AND NOT EXISTS (SELECT FROM players WHERE id = OLD.player_id AND merged_into = NEW.player_id)
        THEN
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
