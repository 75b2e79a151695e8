-- Matches: seats, log, agreed terms, clocks, stand-ins, reported results.

-- One play of a game. `state` is a cache of `match_log`: replaying the log gives the same bytes.
CREATE TABLE matches (
    id uuid CONSTRAINT matches_pkey PRIMARY KEY,
    code text NOT NULL CONSTRAINT matches_code_key UNIQUE
        CONSTRAINT matches_code_length CHECK (char_length(code) = 6),
    -- `other` for a game that the engine does not know; its name is then `match_terms.title`.
    game text NOT NULL,
    revision integer NOT NULL CONSTRAINT matches_revision_range CHECK (revision >= 0),
    -- All of them, defaults filled in.
    options jsonb NOT NULL,
    variant_id uuid,
    variant_version integer,
    -- SHA-256 of game, revision and options: docs/variants.md.
    variant_hash bytea NOT NULL CONSTRAINT matches_variant_hash_length CHECK (octet_length(variant_hash) = 32),
    seat_count smallint NOT NULL CONSTRAINT matches_seat_count_range CHECK (seat_count BETWEEN 1 AND 16),
    name text CONSTRAINT matches_name_length CHECK (char_length(name) BETWEEN 1 AND 60),
    -- A scored match is played with real dice and cards, and its players report the result: no state, no log.
    mode text NOT NULL CONSTRAINT matches_mode_known CHECK (mode IN ('played', 'scored')),
    status text NOT NULL DEFAULT 'waiting'
        CONSTRAINT matches_status_known CHECK (status IN ('waiting', 'running', 'finished', 'aborted', 'expired')),
    -- Moves played. The log has a row for each, and one for the set-up under 0.
    version integer NOT NULL DEFAULT 0 CONSTRAINT matches_version_range CHECK (version >= 0),
    -- Rises with every change that a watcher may want to see: seats, status, moves.
    change_seq bigint NOT NULL DEFAULT 0,
    created_by uuid NOT NULL CONSTRAINT matches_created_by_fkey REFERENCES players (id),
    table_id uuid CONSTRAINT matches_table_id_fkey REFERENCES tables (id),
    turn_seconds integer CONSTRAINT matches_turn_seconds_range CHECK (turn_seconds BETWEEN 10 AND 86400),
    created_at timestamptz NOT NULL,
    started_at timestamptz,
    moved_at timestamptz,
    finished_at timestamptz,
    -- Provably fair chance: the secret, its SHA-256 (published before the start), and the number of outcomes drawn.
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
        status <> 'waiting' OR (started_at IS NULL AND state IS NULL AND version = 0)
    ),
    CONSTRAINT matches_running_has_state CHECK (
        status <> 'running'
        OR (started_at IS NOT NULL AND moved_at IS NOT NULL
            AND (mode = 'scored' OR (state IS NOT NULL AND to_move <> 0)))
    ),
    CONSTRAINT matches_finished_has_outcome CHECK (
        (status = 'finished') = (outcome IS NOT NULL)
        AND (status <> 'finished' OR ((mode = 'scored' OR state IS NOT NULL) AND to_move = 0))
    ),
    CONSTRAINT matches_over_has_end CHECK ((status IN ('waiting', 'running')) = (finished_at IS NULL)),
    CONSTRAINT matches_decision_not_ahead CHECK (decision_since BETWEEN 0 AND version),
    CONSTRAINT matches_scored_is_not_played CHECK (
        mode <> 'scored' OR (state IS NULL AND version = 0 AND to_move = 0 AND turn_seconds IS NULL)
    ),
    CONSTRAINT matches_variant_with_version CHECK ((variant_id IS NULL) = (variant_version IS NULL)),
    CONSTRAINT matches_variant_fkey FOREIGN KEY (variant_id, variant_version, variant_hash)
        REFERENCES variant_versions (variant_id, number, variant_hash)
)
-- A move updates this row only: half of each page is free for the row's next versions, and `state` stays out of TOAST.
WITH (fillfactor = 50, toast_tuple_target = 8160);
ALTER TABLE matches ALTER COLUMN state SET STORAGE MAIN;

-- For the same reason no index has a column that a move changes.
CREATE INDEX matches_status_idx ON matches (status, id);
CREATE INDEX matches_table_id_idx ON matches (table_id, id) WHERE table_id IS NOT NULL;
CREATE INDEX matches_created_by_idx ON matches (created_by, id);
CREATE INDEX matches_game_idx ON matches (game, id);
CREATE INDEX matches_variant_hash_idx ON matches (variant_hash, id);
CREATE INDEX matches_variant_idx ON matches (variant_id, variant_version, id) WHERE variant_id IS NOT NULL;
-- Search by the beginning of the name, in any case of letters.
CREATE INDEX matches_name_idx ON matches (lower(name) text_pattern_ops) WHERE name IS NOT NULL;
-- Those that wait or run are few, however many were played.
CREATE INDEX matches_open_idx ON matches (id) WHERE status IN ('waiting', 'running');
-- Those in which autopilot moves for a player who has left. `match_clocks` finds those whose time has run out.
CREATE INDEX matches_autopilot_idx ON matches (id) WHERE status = 'running' AND resigned <> 0;
-- By the time of their end: all, those by the same rules, those without a result, the finished ones of a game.
CREATE INDEX matches_finished_at_idx ON matches (finished_at, id) WHERE finished_at IS NOT NULL;
CREATE INDEX matches_hash_finished_at_idx ON matches (variant_hash, finished_at, id) WHERE finished_at IS NOT NULL;
CREATE INDEX matches_unfinished_idx ON matches (finished_at, id) WHERE status IN ('aborted', 'expired');
CREATE INDEX matches_finished_idx ON matches (game, finished_at, id) WHERE status = 'finished';
-- By the same rules with as many seats, by length: the matches behind a median. With the end, so that matches of other
-- days are skipped without being read.
CREATE INDEX matches_length_idx ON matches (variant_hash, seat_count, (finished_at - started_at), id, finished_at)
    WHERE status = 'finished' AND mode = 'played';

CREATE TABLE match_seats (
    match_id uuid NOT NULL CONSTRAINT match_seats_match_id_fkey REFERENCES matches (id),
    seat smallint NOT NULL CONSTRAINT match_seats_seat_range CHECK (seat BETWEEN 0 AND 15),
    player_id uuid NOT NULL CONSTRAINT match_seats_player_id_fkey REFERENCES players (id),
    -- What the player adds to the chance.
    nonce text CONSTRAINT match_seats_nonce_length CHECK (char_length(nonce) BETWEEN 1 AND 64),
    joined_at timestamptz NOT NULL,
    left_at timestamptz,
    left_why text CONSTRAINT match_seats_left_why_known CHECK (left_why IN ('resigned', 'timed_out', 'removed')),
    -- Who plays on for a player who has left. Nonce, leaving and rating stay the first player's; a stand-in may see and
    -- do what the seat may.
    stand_in_id uuid CONSTRAINT match_seats_stand_in_id_fkey REFERENCES players (id),
    CONSTRAINT match_seats_pkey PRIMARY KEY (match_id, seat),
    CONSTRAINT match_seats_player_id_key UNIQUE (player_id, match_id),
    CONSTRAINT match_seats_left_for_a_reason CHECK ((left_at IS NULL) = (left_why IS NULL)),
    CONSTRAINT match_seats_stand_in_after_leaving CHECK (stand_in_id IS NULL OR left_at IS NOT NULL)
);

CREATE UNIQUE INDEX match_seats_stand_in_key ON match_seats (stand_in_id, match_id) WHERE stand_in_id IS NOT NULL;

-- Seats are taken and given up before the start only. Afterwards a seat's player changes only when a guest is merged
-- into a player. A nonce may be added before the start (a rematch seats players without one), and is deleted only in a
-- match that never started, where it proves nothing.
CREATE FUNCTION match_seats_guard() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    play matches;
BEGIN
    SELECT * INTO play FROM matches WHERE id = coalesce(NEW.match_id, OLD.match_id);
    IF TG_OP = 'UPDATE' THEN
        IF (NEW.match_id, NEW.seat) IS DISTINCT FROM (OLD.match_id, OLD.seat)
            OR NEW.player_id <> OLD.player_id
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

CREATE TRIGGER match_seats_guard BEFORE INSERT OR UPDATE OR DELETE ON match_seats
    FOR EACH ROW EXECUTE FUNCTION match_seats_guard();

-- Everything that happened: one row a version. Append-only.
CREATE TABLE match_log (
    match_id uuid NOT NULL CONSTRAINT match_log_match_id_fkey REFERENCES matches (id),
    version integer NOT NULL CONSTRAINT match_log_version_range CHECK (version >= 0),
    -- Both are NULL at set-up.
    seat smallint CONSTRAINT match_log_seat_range CHECK (seat BETWEEN 0 AND 15),
    move json,
    -- The chance outcomes that this version called for, in order.
    chance json NOT NULL,
    -- The events, each with its audience.
    events json NOT NULL,
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

-- What was agreed when the match was made, where it is not the default. A match without a row is open to everybody, is
-- watched live, and has nothing else agreed.
CREATE TABLE match_terms (
    match_id uuid CONSTRAINT match_terms_pkey PRIMARY KEY
        CONSTRAINT match_terms_match_id_fkey REFERENCES matches (id),
    -- Who may know of it: everybody; those who have its code or address; those who are invited.
    visibility text NOT NULL CONSTRAINT match_terms_visibility_known CHECK (visibility IN ('open', 'code', 'private')),
    -- Those without a seat see a running match this many versions late, or not at all.
    spectators boolean NOT NULL,
    spectator_delay integer NOT NULL CONSTRAINT match_terms_spectator_delay_range
        CHECK (spectator_delay BETWEEN 0 AND 1000),
    -- One for each seat.
    seat_names text[] CONSTRAINT match_terms_seat_names_length CHECK (cardinality(seat_names) BETWEEN 1 AND 16),
    reserve_seconds integer CONSTRAINT match_terms_reserve_seconds_range CHECK (reserve_seconds BETWEEN 1 AND 86400),
    -- Unique: asking twice gives the same rematch.
    rematch_of uuid CONSTRAINT match_terms_rematch_of_fkey REFERENCES matches (id)
        CONSTRAINT match_terms_rematch_of_key UNIQUE,
    -- What is played where `matches.game` is `other`.
    title text CONSTRAINT match_terms_title_length CHECK (char_length(title) BETWEEN 1 AND 60)
);

CREATE FUNCTION match_terms_immutable() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the terms of a match never change' USING ERRCODE = 'restrict_violation';
END
$$;

CREATE TRIGGER match_terms_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON match_terms
    FOR EACH STATEMENT EXECUTE FUNCTION match_terms_immutable();

-- Who may know of a private match besides its creator and the players in its seats.
CREATE TABLE match_invitations (
    match_id uuid NOT NULL CONSTRAINT match_invitations_match_id_fkey REFERENCES matches (id),
    player_id uuid NOT NULL CONSTRAINT match_invitations_player_id_fkey REFERENCES players (id),
    invited_by uuid NOT NULL CONSTRAINT match_invitations_invited_by_fkey REFERENCES players (id),
    created_at timestamptz NOT NULL,
    CONSTRAINT match_invitations_pkey PRIMARY KEY (match_id, player_id)
);

CREATE INDEX match_invitations_player_id_idx ON match_invitations (player_id, match_id);

-- The party whose match it is, for matches made at a table.
CREATE TABLE match_sittings (
    match_id uuid CONSTRAINT match_sittings_pkey PRIMARY KEY
        CONSTRAINT match_sittings_match_id_fkey REFERENCES matches (id),
    sitting_id uuid NOT NULL CONSTRAINT match_sittings_sitting_id_fkey REFERENCES sittings (id)
);
CREATE INDEX match_sittings_sitting_idx ON match_sittings (sitting_id, match_id);

-- The clock of each running match that has one. The seats to move have the time of a move, then what is left of their
-- reserves. Only the database's clock counts, and the statement that moves also runs the clock: docs/clocks.md.
CREATE TABLE match_clocks (
    match_id uuid CONSTRAINT match_clocks_pkey PRIMARY KEY
        CONSTRAINT match_clocks_match_id_fkey REFERENCES matches (id),
    turn_seconds integer NOT NULL,
    -- Since when the seats to move have been thinking.
    turn_since timestamptz NOT NULL,
    -- By seat, in milliseconds; NULL where no reserve was agreed.
    reserves_ms integer[],
    -- When the first of the seats to move runs out of time; NULL while autopilot moves for all of them.
    deadline timestamptz
);

CREATE INDEX match_clocks_deadline_idx ON match_clocks (deadline);

CREATE FUNCTION matches_run_clock() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    clock match_clocks;
    -- Seats whose turn is over, and how long they thought beyond the time of a move.
    over integer;
    used integer;
BEGIN
    IF NEW.status <> 'running' THEN
        DELETE FROM match_clocks WHERE match_id = NEW.id;
        RETURN NULL;
    END IF;
    IF OLD.status = 'waiting' THEN
        INSERT INTO match_clocks (match_id, turn_seconds, turn_since, reserves_ms)
        VALUES (NEW.id, NEW.turn_seconds, now(), (
            SELECT array_fill(reserve_seconds * 1000, ARRAY[NEW.seat_count::integer])
            FROM match_terms WHERE match_id = NEW.id AND reserve_seconds IS NOT NULL
        ));
    END IF;
    SELECT * INTO clock FROM match_clocks WHERE match_id = NEW.id;
    IF NEW.version <> OLD.version THEN
        -- Where several choose at the same time, the others go on thinking when one has chosen.
        over := OLD.to_move;
        IF NEW.decision_since = OLD.decision_since THEN
            over := over & ~NEW.to_move;
        END IF;
        used := least(extract(epoch FROM now() - clock.turn_since) - clock.turn_seconds, 86400) * 1000;
        IF used > 0 AND clock.reserves_ms IS NOT NULL THEN
            clock.reserves_ms := (
                SELECT array_agg(
                    CASE over >> seat & 1 WHEN 1 THEN greatest(reserve - used, 0) ELSE reserve END ORDER BY seat
                )
                FROM (SELECT ordinality::integer - 1 AS seat, reserve
                      FROM unnest(clock.reserves_ms) WITH ORDINALITY AS it (reserve)) AS reserves
            );
        END IF;
        IF NEW.decision_since <> OLD.decision_since THEN
            clock.turn_since := now();
        END IF;
    END IF;
    UPDATE match_clocks
    SET turn_since = clock.turn_since, reserves_ms = clock.reserves_ms, deadline = (
        SELECT clock.turn_since + clock.turn_seconds * interval '1 second'
            + min(coalesce(clock.reserves_ms[seat + 1], 0)) * interval '1 millisecond'
        FROM generate_series(0, NEW.seat_count - 1) AS seat
        WHERE (NEW.to_move & ~NEW.resigned) >> seat & 1 = 1
    )
    WHERE match_id = NEW.id;
    RETURN NULL;
END
$$;

CREATE TRIGGER matches_run_clock AFTER UPDATE ON matches FOR EACH ROW
    WHEN (NEW.turn_seconds IS NOT NULL AND (
        NEW.version <> OLD.version OR NEW.status <> OLD.status OR NEW.resigned <> OLD.resigned
    ))
    EXECUTE FUNCTION matches_run_clock();

-- When a process last kept time. While none does, nobody can move, so that time is given back to every clock.
CREATE TABLE clock_heartbeat (
    singleton boolean CONSTRAINT clock_heartbeat_pkey PRIMARY KEY DEFAULT true
        CONSTRAINT clock_heartbeat_singleton CHECK (singleton),
    at timestamptz NOT NULL
);
INSERT INTO clock_heartbeat (at) VALUES (now());

-- Every offer of a seat to a stand-in, and what became of it.
CREATE TABLE match_stand_ins (
    id uuid CONSTRAINT match_stand_ins_pkey PRIMARY KEY,
    match_id uuid NOT NULL,
    seat smallint NOT NULL,
    player_id uuid NOT NULL CONSTRAINT match_stand_ins_player_id_fkey REFERENCES players (id),
    offered_by uuid NOT NULL CONSTRAINT match_stand_ins_offered_by_fkey REFERENCES players (id),
    offered_at timestamptz NOT NULL,
    -- They agreed, and the moves after this version are theirs.
    accepted_at timestamptz,
    from_version integer CONSTRAINT match_stand_ins_from_version_range CHECK (from_version >= 0),
    left_at timestamptz,
    CONSTRAINT match_stand_ins_seat_fkey FOREIGN KEY (match_id, seat) REFERENCES match_seats (match_id, seat),
    CONSTRAINT match_stand_ins_accepted_from CHECK ((accepted_at IS NULL) = (from_version IS NULL)),
    CONSTRAINT match_stand_ins_left_after CHECK (left_at IS NULL OR accepted_at IS NOT NULL)
);

-- One open offer of a seat at a time.
CREATE UNIQUE INDEX match_stand_ins_open_key ON match_stand_ins (match_id, seat) WHERE accepted_at IS NULL;
CREATE INDEX match_stand_ins_seat_idx ON match_stand_ins (match_id, seat, from_version);
CREATE INDEX match_stand_ins_player_id_idx ON match_stand_ins (player_id, match_id);

-- Who of the staff looked at what is hidden in a running match, and why. A look lasts ten minutes at most, by the
-- database's clock.
CREATE TABLE match_reveals (
    id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT match_reveals_pkey PRIMARY KEY,
    match_id uuid NOT NULL CONSTRAINT match_reveals_match_id_fkey REFERENCES matches (id),
    player_id uuid NOT NULL CONSTRAINT match_reveals_player_id_fkey REFERENCES players (id),
    -- As it was then.
    role text NOT NULL CONSTRAINT match_reveals_role_known CHECK (role IN ('manager', 'owner')),
    reason text NOT NULL CONSTRAINT match_reveals_reason_length CHECK (char_length(reason) BETWEEN 1 AND 200),
    -- The match's, when the look began.
    version integer NOT NULL CONSTRAINT match_reveals_version_range CHECK (version >= 0),
    at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL DEFAULT now() + interval '10 minutes',
    CONSTRAINT match_reveals_ten_minutes CHECK (expires_at - at BETWEEN interval '0' AND interval '10 minutes')
);

CREATE INDEX match_reveals_match_id_idx ON match_reveals (match_id, id);

-- Results of scored matches: who reported what, and what became of it. Only the status of a report changes.
CREATE TABLE match_results (
    id uuid CONSTRAINT match_results_pkey PRIMARY KEY,
    match_id uuid NOT NULL CONSTRAINT match_results_match_id_fkey REFERENCES matches (id),
    number integer NOT NULL CONSTRAINT match_results_number_range CHECK (number >= 1),
    -- In the form of `matches.outcome`.
    outcome jsonb NOT NULL,
    status text NOT NULL CONSTRAINT match_results_status_known
        CHECK (status IN ('reported', 'disputed', 'confirmed', 'replaced')),
    reported_by uuid NOT NULL CONSTRAINT match_results_reported_by_fkey REFERENCES players (id),
    by_staff boolean NOT NULL,
    reason text CONSTRAINT match_results_reason_length CHECK (char_length(reason) BETWEEN 1 AND 200),
    created_at timestamptz NOT NULL,
    confirmed_by uuid CONSTRAINT match_results_confirmed_by_fkey REFERENCES players (id),
    confirmed_at timestamptz,
    CONSTRAINT match_results_number_key UNIQUE (match_id, number),
    CONSTRAINT match_results_confirmed_by_somebody CHECK (
        (confirmed_by IS NULL) = (confirmed_at IS NULL) AND (status <> 'confirmed' OR confirmed_by IS NOT NULL)
    )
);

CREATE UNIQUE INDEX match_results_confirmed_key ON match_results (match_id) WHERE status = 'confirmed';
CREATE INDEX match_results_reported_by_idx ON match_results (reported_by, id);
CREATE INDEX match_results_confirmed_by_idx ON match_results (confirmed_by, id) WHERE confirmed_by IS NOT NULL;
-- Those that wait for somebody.
CREATE INDEX match_results_open_idx ON match_results (id) WHERE status IN ('reported', 'disputed');

CREATE FUNCTION match_results_immutable() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- `reported_by` may change: a guest may be merged into a player.
    IF TG_OP = 'DELETE' OR (NEW.id, NEW.match_id, NEW.number, NEW.outcome, NEW.by_staff, NEW.reason, NEW.created_at)
        IS DISTINCT FROM (OLD.id, OLD.match_id, OLD.number, OLD.outcome, OLD.by_staff, OLD.reason, OLD.created_at)
    THEN
        RAISE EXCEPTION 'a reported result never changes' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER match_results_immutable BEFORE UPDATE OR DELETE ON match_results
    FOR EACH ROW EXECUTE FUNCTION match_results_immutable();
