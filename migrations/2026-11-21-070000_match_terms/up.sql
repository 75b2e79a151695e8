-- What was agreed when a match was made, where it is not the usual: a match without a row is open to everybody, watched as it happens, and
-- has nothing else agreed.
CREATE TABLE match_terms (
    match_id uuid CONSTRAINT match_terms_pkey PRIMARY KEY
        CONSTRAINT match_terms_match_id_fkey REFERENCES matches (id),
    -- Who may know of it: everybody, who has its code or address, or who is invited.
    visibility text NOT NULL CONSTRAINT match_terms_visibility_known CHECK (visibility IN ('open', 'code', 'private')),
    -- Who has no seat sees a running match so many versions late, or not at all.
    spectators boolean NOT NULL,
    spectator_delay integer NOT NULL CONSTRAINT match_terms_spectator_delay_range CHECK (spectator_delay BETWEEN 0 AND 1000),
    -- One for each seat.
    seat_names text[] CONSTRAINT match_terms_seat_names_length CHECK (cardinality(seat_names) BETWEEN 1 AND 16),
    reserve_seconds integer CONSTRAINT match_terms_reserve_seconds_range CHECK (reserve_seconds BETWEEN 1 AND 86400),
    -- Asked for twice, it is the same match.
    rematch_of uuid CONSTRAINT match_terms_rematch_of_fkey REFERENCES matches (id)
        CONSTRAINT match_terms_rematch_of_key UNIQUE
);

CREATE FUNCTION match_terms_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the terms of a match never change' USING ERRCODE = 'restrict_violation';
END
$$;

CREATE TRIGGER match_terms_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON match_terms
    FOR EACH STATEMENT EXECUTE FUNCTION match_terms_stay();

-- Who may know of a private match besides who made it and who sits there.
CREATE TABLE match_invitations (
    match_id uuid NOT NULL CONSTRAINT match_invitations_match_id_fkey REFERENCES matches (id),
    player_id uuid NOT NULL CONSTRAINT match_invitations_player_id_fkey REFERENCES players (id),
    invited_by uuid NOT NULL CONSTRAINT match_invitations_invited_by_fkey REFERENCES players (id),
    created_at timestamptz NOT NULL,
    CONSTRAINT match_invitations_pkey PRIMARY KEY (match_id, player_id)
);

CREATE INDEX match_invitations_player_id_idx ON match_invitations (player_id, match_id);

-- A match that ran and that everybody left alone ends as expired, too.
ALTER TABLE matches
    DROP CONSTRAINT matches_waiting_is_blank,
    ADD CONSTRAINT matches_waiting_is_blank CHECK (
        status <> 'waiting' OR (started_at IS NULL AND state IS NULL AND version = 0)
    );

-- Who sits where never changes. A nonce may still be added before the start, by whom a rematch gave a seat; it goes only where it proves
-- nothing: in a match that never started.
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
