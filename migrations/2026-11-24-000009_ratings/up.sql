-- What follows from finished matches: player statistics and ratings, and the queue of matches they do not cover yet.

-- Finished matches that statistics and ratings do not cover yet, or no longer cover as they are.
CREATE TABLE pending_projections (
    match_id uuid CONSTRAINT pending_projections_pkey PRIMARY KEY
        CONSTRAINT pending_projections_match_id_fkey REFERENCES matches (id) ON DELETE CASCADE,
    game text NOT NULL,
    -- Ratings are computed in the order of these, then of ids.
    finished_at timestamptz NOT NULL
);

CREATE INDEX pending_projections_order_idx ON pending_projections (game, finished_at, match_id);

CREATE FUNCTION matches_schedule_projection() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO pending_projections (match_id, game, finished_at)
    VALUES (NEW.id, NEW.game, least(NEW.finished_at, CASE TG_OP WHEN 'UPDATE' THEN OLD.finished_at END, now()))
    -- A worker that is processing this row waits for the new result.
    ON CONFLICT (match_id) DO UPDATE SET finished_at = excluded.finished_at;
    RETURN NULL;
END
$$;

CREATE TRIGGER matches_finish AFTER INSERT ON matches
    FOR EACH ROW WHEN (NEW.status = 'finished') EXECUTE FUNCTION matches_schedule_projection();
-- Also when a result is corrected or taken back.
CREATE TRIGGER matches_change_result AFTER UPDATE OF status, outcome ON matches
    FOR EACH ROW WHEN (
        (NEW.status = 'finished' OR OLD.status = 'finished')
        AND (NEW.status <> OLD.status OR NEW.outcome IS DISTINCT FROM OLD.outcome)
    ) EXECUTE FUNCTION matches_schedule_projection();

-- What a finished match brought the player in a seat.
CREATE TABLE player_match_stats (
    match_id uuid NOT NULL CONSTRAINT player_match_stats_match_id_fkey REFERENCES matches (id) ON DELETE CASCADE,
    seat smallint NOT NULL,
    player_id uuid NOT NULL CONSTRAINT player_match_stats_player_id_fkey REFERENCES players (id),
    game text NOT NULL,
    finished_at timestamptz NOT NULL,
    -- 1 is the best, ties share one; of how many seats.
    place smallint NOT NULL CONSTRAINT player_match_stats_place_range CHECK (place >= 1),
    seats smallint NOT NULL CONSTRAINT player_match_stats_seats_range CHECK (seats >= 1),
    left_early boolean NOT NULL,
    calls_right integer NOT NULL,
    calls_wrong integer NOT NULL,
    bluffs_called integer NOT NULL,
    bluffs_uncalled integer NOT NULL,
    -- Good outcomes of chance, and the expected number of them in hundredths.
    luck_had integer NOT NULL,
    luck_expected integer NOT NULL,
    CONSTRAINT player_match_stats_pkey PRIMARY KEY (match_id, seat)
);

CREATE INDEX player_match_stats_player_idx ON player_match_stats (player_id, finished_at DESC, match_id DESC);
CREATE INDEX player_match_stats_player_game_idx ON player_match_stats (player_id, game, finished_at, match_id);

-- The sums of them, for each player and game.
CREATE TABLE player_stats (
    player_id uuid NOT NULL CONSTRAINT player_stats_player_id_fkey REFERENCES players (id),
    game text NOT NULL,
    matches integer NOT NULL,
    wins integer NOT NULL,
    -- How often each place was taken, the first place first.
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

-- How a match changed a player's rating, and why. `scope` is a game, or a variant's hash in hexadecimal digits.
CREATE TABLE rating_changes (
    scope text NOT NULL,
    player_id uuid NOT NULL CONSTRAINT rating_changes_player_id_fkey REFERENCES players (id),
    finished_at timestamptz NOT NULL,
    match_id uuid NOT NULL CONSTRAINT rating_changes_match_id_fkey REFERENCES matches (id) ON DELETE CASCADE,
    game text NOT NULL,
    -- In the café's time zone, as in 2026-11.
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
    -- Counts the player's rated matches in this scope: in all, and in this month.
    number integer NOT NULL,
    number_in_month integer NOT NULL,
    CONSTRAINT rating_changes_pkey PRIMARY KEY (scope, player_id, finished_at, match_id)
);

CREATE INDEX rating_changes_order_idx ON rating_changes (game, finished_at, match_id);
CREATE INDEX rating_changes_match_id_idx ON rating_changes (match_id);

-- Leaderboards: of all time (`period` is empty), and of each month.
CREATE TABLE standings (
    scope text NOT NULL,
    period text NOT NULL,
    player_id uuid NOT NULL CONSTRAINT standings_player_id_fkey REFERENCES players (id),
    mean double precision NOT NULL,
    deviation double precision NOT NULL,
    -- Mean less three deviations, in hundredths.
    rating integer NOT NULL,
    provisional boolean NOT NULL,
    -- Rated in this period.
    matches integer NOT NULL,
    last_at timestamptz NOT NULL,
    CONSTRAINT standings_pkey PRIMARY KEY (scope, period, player_id)
);

CREATE INDEX standings_board_idx ON standings (scope, period, provisional, rating DESC, player_id);
CREATE INDEX standings_player_idx ON standings (player_id, scope) WHERE period = '';

-- The time zone by which the months of leaderboards were computed. No row: nothing is rated yet.
CREATE TABLE ratings_time_zone (
    singleton boolean CONSTRAINT ratings_time_zone_pkey PRIMARY KEY DEFAULT true
        CONSTRAINT ratings_time_zone_singleton CHECK (singleton),
    time_zone text NOT NULL
);
