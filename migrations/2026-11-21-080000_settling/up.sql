-- Since when an account is a registered player's. It stays when the account is deleted: what was rated stays rated.
ALTER TABLE players ADD COLUMN registered_at timestamptz;
UPDATE players SET registered_at = created_at WHERE email IS NOT NULL;

CREATE FUNCTION players_register() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.email IS NOT NULL AND NEW.registered_at IS NULL THEN
        NEW.registered_at := now();
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER players_register BEFORE INSERT OR UPDATE OF email ON players
    FOR EACH ROW EXECUTE FUNCTION players_register();

-- Finished matches of which tallies and ratings do not tell yet, or no longer tell what is true.
CREATE TABLE unsettled_matches (
    match_id uuid CONSTRAINT unsettled_matches_pkey PRIMARY KEY
        CONSTRAINT unsettled_matches_match_id_fkey REFERENCES matches (id) ON DELETE CASCADE,
    game text NOT NULL,
    -- Ratings are reckoned in the order of these, then of ids.
    finished_at timestamptz NOT NULL
);

CREATE INDEX unsettled_matches_order_idx ON unsettled_matches (game, finished_at, match_id);

CREATE FUNCTION matches_unsettle() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO unsettled_matches (match_id, game, finished_at)
    VALUES (NEW.id, NEW.game, least(NEW.finished_at, CASE TG_OP WHEN 'UPDATE' THEN OLD.finished_at END, now()))
    -- Who is about to settle it waits for this result.
    ON CONFLICT (match_id) DO UPDATE SET finished_at = excluded.finished_at;
    RETURN NULL;
END
$$;

CREATE TRIGGER matches_finish AFTER INSERT ON matches
    FOR EACH ROW WHEN (NEW.status = 'finished') EXECUTE FUNCTION matches_unsettle();
-- Also when a result is corrected or taken back.
CREATE TRIGGER matches_change_result AFTER UPDATE OF status, outcome ON matches
    FOR EACH ROW WHEN (
        (NEW.status = 'finished' OR OLD.status = 'finished')
        AND (NEW.status <> OLD.status OR NEW.outcome IS DISTINCT FROM OLD.outcome)
    ) EXECUTE FUNCTION matches_unsettle();

-- What a finished match brought the player at a seat.
CREATE TABLE tallies (
    match_id uuid NOT NULL CONSTRAINT tallies_match_id_fkey REFERENCES matches (id) ON DELETE CASCADE,
    seat smallint NOT NULL,
    player_id uuid NOT NULL CONSTRAINT tallies_player_id_fkey REFERENCES players (id),
    game text NOT NULL,
    finished_at timestamptz NOT NULL,
    -- 1 the best, equals share one; of so many seats.
    place smallint NOT NULL CONSTRAINT tallies_place_range CHECK (place >= 1),
    seats smallint NOT NULL CONSTRAINT tallies_seats_range CHECK (seats >= 1),
    left_early boolean NOT NULL,
    calls_right integer NOT NULL,
    calls_wrong integer NOT NULL,
    bluffs_called integer NOT NULL,
    bluffs_uncalled integer NOT NULL,
    -- Good outcomes of chance, and in hundredths how many were to be expected.
    luck_had integer NOT NULL,
    luck_expected integer NOT NULL,
    CONSTRAINT tallies_pkey PRIMARY KEY (match_id, seat)
);

CREATE INDEX tallies_player_idx ON tallies (player_id, finished_at DESC, match_id DESC);
CREATE INDEX tallies_player_game_idx ON tallies (player_id, game, finished_at, match_id);

-- The sums of a player's tallies.
CREATE TABLE player_stats (
    player_id uuid NOT NULL CONSTRAINT player_stats_player_id_fkey REFERENCES players (id),
    game text NOT NULL,
    matches integer NOT NULL,
    wins integer NOT NULL,
    -- How often each place was taken, the first first.
    places integer[] NOT NULL,
    left_early integer NOT NULL,
    calls_right bigint NOT NULL,
    calls_wrong bigint NOT NULL,
    bluffs_called bigint NOT NULL,
    bluffs_uncalled bigint NOT NULL,
    luck_had bigint NOT NULL,
    luck_expected bigint NOT NULL,
    -- Wins in a row: now, and at best.
    streak integer NOT NULL,
    best_streak integer NOT NULL,
    last_at timestamptz NOT NULL,
    last_match uuid NOT NULL,
    CONSTRAINT player_stats_pkey PRIMARY KEY (player_id, game)
);

-- How a player did against another: head to head.
CREATE TABLE encounters (
    player_id uuid NOT NULL CONSTRAINT encounters_player_id_fkey REFERENCES players (id),
    opponent_id uuid NOT NULL CONSTRAINT encounters_opponent_id_fkey REFERENCES players (id),
    game text NOT NULL,
    matches integer NOT NULL,
    ahead integer NOT NULL,
    behind integer NOT NULL,
    CONSTRAINT encounters_pkey PRIMARY KEY (player_id, opponent_id, game)
);

-- What a match made of a player's rating, and why. `scope` is a game, or a variant's hash in hexadecimal digits.
CREATE TABLE rating_changes (
    scope text NOT NULL,
    player_id uuid NOT NULL CONSTRAINT rating_changes_player_id_fkey REFERENCES players (id),
    finished_at timestamptz NOT NULL,
    match_id uuid NOT NULL CONSTRAINT rating_changes_match_id_fkey REFERENCES matches (id) ON DELETE CASCADE,
    game text NOT NULL,
    -- At the café, as in 2026-11.
    month text NOT NULL,
    mean_before double precision NOT NULL,
    deviation_before double precision NOT NULL,
    mean_after double precision NOT NULL,
    deviation_after double precision NOT NULL,
    why text NOT NULL CONSTRAINT rating_changes_why_known CHECK (why IN ('played', 'left_early', 'left_alone')),
    place smallint NOT NULL,
    opponents smallint NOT NULL,
    beaten double precision NOT NULL,
    expected double precision NOT NULL,
    -- The how manyeth rated match of the player in this scope it was, and in this month.
    number integer NOT NULL,
    number_in_month integer NOT NULL,
    CONSTRAINT rating_changes_pkey PRIMARY KEY (scope, player_id, finished_at, match_id)
);

CREATE INDEX rating_changes_order_idx ON rating_changes (game, finished_at, match_id);
CREATE INDEX rating_changes_match_id_idx ON rating_changes (match_id);

-- Where players stand: in all (`period` is empty), and at the end of each month in which they played.
CREATE TABLE standings (
    scope text NOT NULL,
    period text NOT NULL,
    player_id uuid NOT NULL CONSTRAINT standings_player_id_fkey REFERENCES players (id),
    mean double precision NOT NULL,
    deviation double precision NOT NULL,
    -- Mean less three deviations, in hundredths.
    shown integer NOT NULL,
    provisional boolean NOT NULL,
    -- Rated in this period.
    matches integer NOT NULL,
    last_at timestamptz NOT NULL,
    CONSTRAINT standings_pkey PRIMARY KEY (scope, period, player_id)
);

CREATE INDEX standings_board_idx ON standings (scope, period, provisional, shown DESC, player_id);
CREATE INDEX standings_player_idx ON standings (player_id, scope) WHERE period = '';

CREATE INDEX matches_finished_idx ON matches (game, finished_at, id) WHERE status = 'finished';
INSERT INTO unsettled_matches (match_id, game, finished_at)
SELECT id, game, finished_at FROM matches WHERE status = 'finished';
