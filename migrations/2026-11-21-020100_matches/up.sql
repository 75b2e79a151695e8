-- One play of a game. `state` is a cache of `match_log`: playing the log again gives it byte for byte.
CREATE TABLE matches (
    id uuid CONSTRAINT matches_pkey PRIMARY KEY,
    code text NOT NULL CONSTRAINT matches_code_key UNIQUE
        CONSTRAINT matches_code_length CHECK (char_length(code) = 6),
    game text NOT NULL,
    revision integer NOT NULL CONSTRAINT matches_revision_range CHECK (revision >= 0),
    -- All of them, defaults filled in.
    options jsonb NOT NULL,
    seat_count smallint NOT NULL CONSTRAINT matches_seat_count_range CHECK (seat_count BETWEEN 1 AND 16),
    name text CONSTRAINT matches_name_length CHECK (char_length(name) BETWEEN 1 AND 60),
    mode text NOT NULL CONSTRAINT matches_mode_known CHECK (mode IN ('played')),
    status text NOT NULL DEFAULT 'waiting'
        CONSTRAINT matches_status_known CHECK (status IN ('waiting', 'running', 'finished', 'aborted', 'expired')),
    -- Moves played. The log has a row for each, and one for the set-up under 0.
    version integer NOT NULL DEFAULT 0 CONSTRAINT matches_version_range CHECK (version >= 0),
    -- Raised whenever anything changed that a watcher may want to hear of: seats, status, moves.
    news bigint NOT NULL DEFAULT 0,
    created_by uuid NOT NULL CONSTRAINT matches_created_by_fkey REFERENCES players (id),
    table_id uuid CONSTRAINT matches_table_id_fkey REFERENCES tables (id),
    turn_seconds integer CONSTRAINT matches_turn_seconds_range CHECK (turn_seconds BETWEEN 10 AND 86400),
    created_at timestamptz NOT NULL,
    started_at timestamptz,
    moved_at timestamptz,
    finished_at timestamptz,
    -- Provably fair chance: the secret, its SHA-256 that everybody knows beforehand, and how many outcomes were drawn.
    seed bytea NOT NULL CONSTRAINT matches_seed_length CHECK (octet_length(seed) = 32),
    commitment bytea NOT NULL CONSTRAINT matches_commitment_length CHECK (octet_length(commitment) = 32),
    chance_count bigint NOT NULL DEFAULT 0 CONSTRAINT matches_chance_count_range CHECK (chance_count >= 0),
    -- What the engine saved at this version.
    state bytea,
    -- Sets of seats, seat n as bit n.
    to_move integer NOT NULL DEFAULT 0,
    interrupt integer NOT NULL DEFAULT 0,
    resigned integer NOT NULL DEFAULT 0,
    -- A move made with a version from here on decides what is still open.
    decision_since integer NOT NULL DEFAULT 0,
    outcome jsonb,
    CONSTRAINT matches_commitment_of_seed CHECK (commitment = sha256(seed)),
    CONSTRAINT matches_waiting_is_blank CHECK (
        status NOT IN ('waiting', 'expired') OR (started_at IS NULL AND state IS NULL AND version = 0)
    ),
    CONSTRAINT matches_running_has_state CHECK (
        status <> 'running' OR (state IS NOT NULL AND started_at IS NOT NULL AND moved_at IS NOT NULL AND to_move <> 0)
    ),
    CONSTRAINT matches_finished_has_outcome CHECK (
        (status = 'finished') = (outcome IS NOT NULL) AND (status <> 'finished' OR (state IS NOT NULL AND to_move = 0))
    ),
    CONSTRAINT matches_over_has_end CHECK ((status IN ('waiting', 'running')) = (finished_at IS NULL)),
    CONSTRAINT matches_decision_not_ahead CHECK (decision_since BETWEEN 0 AND version)
)
-- Room for the next versions of a row on its own page, and rows kept whole on it: no index and no TOAST table is touched by a move.
WITH (fillfactor = 50, toast_tuple_target = 8160);
ALTER TABLE matches ALTER COLUMN state SET STORAGE MAIN;

-- No index names a column that moves change, for the same reason.
CREATE INDEX matches_status_idx ON matches (status, id);
CREATE INDEX matches_table_id_idx ON matches (table_id, id) WHERE table_id IS NOT NULL;
CREATE INDEX matches_created_by_idx ON matches (created_by, id);
CREATE INDEX matches_game_idx ON matches (game, id);
-- Those in which the house may have to move for somebody.
CREATE INDEX matches_house_idx ON matches (id) WHERE status = 'running' AND (resigned <> 0 OR turn_seconds IS NOT NULL);

CREATE TABLE match_seats (
    match_id uuid NOT NULL CONSTRAINT match_seats_match_id_fkey REFERENCES matches (id),
    seat smallint NOT NULL CONSTRAINT match_seats_seat_range CHECK (seat BETWEEN 0 AND 15),
    player_id uuid NOT NULL CONSTRAINT match_seats_player_id_fkey REFERENCES players (id),
    -- What the player adds to the chance.
    nonce text CONSTRAINT match_seats_nonce_length CHECK (char_length(nonce) BETWEEN 1 AND 64),
    joined_at timestamptz NOT NULL,
    left_at timestamptz,
    CONSTRAINT match_seats_pkey PRIMARY KEY (match_id, seat),
    CONSTRAINT match_seats_one_each UNIQUE (player_id, match_id)
);

CREATE FUNCTION match_seats_fit() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE TRIGGER match_seats_fit BEFORE INSERT OR UPDATE OR DELETE ON match_seats
    FOR EACH ROW EXECUTE FUNCTION match_seats_fit();

-- Everything that happened: one row a version. Written once, never changed.
CREATE TABLE match_log (
    match_id uuid NOT NULL CONSTRAINT match_log_match_id_fkey REFERENCES matches (id),
    version integer NOT NULL CONSTRAINT match_log_version_range CHECK (version >= 0),
    -- Neither at set-up.
    seat smallint CONSTRAINT match_log_seat_range CHECK (seat BETWEEN 0 AND 15),
    move json,
    -- The outcomes that this version called for, in order.
    chance json NOT NULL,
    -- What was told of it, and to whom.
    told json NOT NULL,
    idempotency_key text CONSTRAINT match_log_key_length CHECK (octet_length(idempotency_key) BETWEEN 1 AND 255),
    made_by text NOT NULL CONSTRAINT match_log_made_by_known CHECK (made_by IN ('player', 'house', 'staff')),
    at timestamptz NOT NULL,
    CONSTRAINT match_log_pkey PRIMARY KEY (match_id, version),
    CONSTRAINT match_log_set_up_first CHECK ((version = 0) = (move IS NULL) AND (seat IS NULL) = (move IS NULL)),
    CONSTRAINT match_log_key_of_player CHECK (idempotency_key IS NULL OR made_by = 'player')
);

CREATE UNIQUE INDEX match_log_idempotency_key ON match_log (match_id, seat, idempotency_key)
    WHERE idempotency_key IS NOT NULL;

CREATE FUNCTION match_log_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the log of a match is append-only' USING ERRCODE = 'restrict_violation';
END
$$;

CREATE TRIGGER match_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON match_log
    FOR EACH STATEMENT EXECUTE FUNCTION match_log_is_append_only();
