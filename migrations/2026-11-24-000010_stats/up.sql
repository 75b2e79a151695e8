-- The café's statistics: sums by day, kept up to date from a queue of what has changed. See docs/stats.md.

-- Spans of time in which something became known, changed or was undone that the sums do not cover yet.
CREATE TABLE stats_dirty_ranges (
    subject_id uuid NOT NULL,
    since timestamptz NOT NULL,
    until timestamptz NOT NULL,
    CONSTRAINT stats_dirty_ranges_pkey PRIMARY KEY (subject_id, since, until),
    CONSTRAINT stats_dirty_ranges_until_not_before_since CHECK (until >= since)
);

-- The time zone by which days and hours were computed. No row: there are no sums yet.
CREATE TABLE stats_time_zone (
    singleton boolean CONSTRAINT stats_time_zone_pkey PRIMARY KEY DEFAULT true
        CONSTRAINT stats_time_zone_singleton CHECK (singleton),
    time_zone text NOT NULL
);

-- A match belongs to the day and hour of its end, in the café's time zone.
CREATE TABLE play_stats (
    day date NOT NULL,
    game text NOT NULL,
    variant_hash bytea NOT NULL,
    seats smallint NOT NULL,
    finished integer NOT NULL,
    aborted integer NOT NULL,
    expired integer NOT NULL,
    -- Seats taken in those that finished.
    players integer NOT NULL,
    CONSTRAINT play_stats_pkey PRIMARY KEY (day, game, variant_hash, seats)
);

CREATE TABLE hour_stats (
    day date NOT NULL,
    hour smallint NOT NULL,
    game text NOT NULL,
    variant_hash bytea NOT NULL,
    finished integer NOT NULL,
    players integer NOT NULL,
    CONSTRAINT hour_stats_pkey PRIMARY KEY (day, hour, game, variant_hash)
);

CREATE TABLE length_stats (
    day date NOT NULL,
    game text NOT NULL,
    variant_hash bytea NOT NULL,
    seats smallint NOT NULL,
    -- From 2^(bucket/8) seconds up to, but not including, 2^((bucket+1)/8).
    bucket smallint NOT NULL,
    finished integer NOT NULL,
    CONSTRAINT length_stats_pkey PRIMARY KEY (day, game, variant_hash, seats, bucket)
);

-- The same by month: a year of days would be too many rows to read.
CREATE TABLE length_months (
    -- Its first day.
    month date NOT NULL CONSTRAINT length_months_month_first CHECK (extract(day FROM month) = 1),
    game text NOT NULL,
    variant_hash bytea NOT NULL,
    seats smallint NOT NULL,
    bucket smallint NOT NULL,
    finished integer NOT NULL,
    CONSTRAINT length_months_pkey PRIMARY KEY (month, game, variant_hash, seats, bucket)
);

CREATE TABLE seat_stats (
    day date NOT NULL,
    game text NOT NULL,
    variant_hash bytea NOT NULL,
    seats smallint NOT NULL,
    seat smallint NOT NULL,
    wins integer NOT NULL,
    CONSTRAINT seat_stats_pkey PRIMARY KEY (day, game, variant_hash, seats, seat)
);

-- Parties by hour. Those that are still there are added when somebody asks.
CREATE TABLE sitting_stats (
    day date NOT NULL,
    hour smallint NOT NULL,
    -- Parties that came in this hour, and how many people they were.
    parties integer NOT NULL,
    people integer NOT NULL,
    -- How long tables were taken in this hour, all of them together.
    seconds integer NOT NULL,
    CONSTRAINT sitting_stats_pkey PRIMARY KEY (day, hour)
);

-- Who was there on which day, and whether it was the first time.
CREATE TABLE guest_days (
    day date NOT NULL,
    player_id uuid NOT NULL,
    is_first boolean NOT NULL,
    CONSTRAINT guest_days_pkey PRIMARY KEY (day, player_id) INCLUDE (is_first)
);
CREATE INDEX guest_days_player_idx ON guest_days (player_id, day);

-- How many of a day's guests had also been there so many days before, counting back their own days: the 0th is the day
-- itself, the 1st the one before that, up to the 10th. From these follow the distinct guests of any period, and on how
-- many of its days they came: docs/stats.md.
CREATE TABLE visit_stats (
    day date NOT NULL,
    nth smallint NOT NULL,
    days_before smallint NOT NULL,
    -- Whether that was their first day ever.
    is_first boolean NOT NULL,
    guests integer NOT NULL,
    CONSTRAINT visit_stats_pkey PRIMARY KEY (day, nth, days_before, is_first) INCLUDE (guests)
);

-- A party's share of each hour that it was there; with a `size` of NULL it is not counted as a party. Cut into quarters
-- of an hour, since in some time zones hours begin at a half or a quarter past.
CREATE FUNCTION hours_of_sitting(since timestamptz, until timestamptz, size smallint, zone text)
RETURNS TABLE (day date, hour smallint, parties bigint, people bigint, seconds numeric) LANGUAGE sql STABLE AS $$
    SELECT (quarter AT TIME ZONE zone)::date, extract(hour FROM quarter AT TIME ZONE zone)::smallint,
           count(size) FILTER (WHERE quarter <= since),
           coalesce(sum(size) FILTER (WHERE quarter <= since), 0),
           sum(extract(epoch FROM least(quarter + interval '15 minutes', until) - greatest(quarter, since)))
    FROM generate_series(date_bin('15 minutes', since, 'epoch'), until, interval '15 minutes') AS quarter
    WHERE quarter < until OR quarter <= since
    GROUP BY 1, 2
$$;

-- The worker deletes a row before it reads what the row is about. A row that is there already is updated all the same:
-- that makes the worker wait until this change is committed.
CREATE FUNCTION mark_stats_dirty(subject uuid, since timestamptz, until timestamptz) RETURNS void LANGUAGE sql AS $$
    INSERT INTO stats_dirty_ranges (subject_id, since, until) VALUES (subject, since, until)
    ON CONFLICT ON CONSTRAINT stats_dirty_ranges_pkey DO UPDATE SET until = excluded.until
$$;

CREATE FUNCTION matches_stats_dirty() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.finished_at IS NOT NULL AND OLD.finished_at IS DISTINCT FROM NEW.finished_at THEN
        PERFORM mark_stats_dirty(OLD.id, OLD.finished_at, OLD.finished_at);
    END IF;
    IF NEW.finished_at IS NOT NULL THEN
        PERFORM mark_stats_dirty(NEW.id, NEW.finished_at, NEW.finished_at);
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER matches_stats_dirty_new AFTER INSERT ON matches
    FOR EACH ROW WHEN (NEW.finished_at IS NOT NULL) EXECUTE FUNCTION matches_stats_dirty();
-- The end of a match, and the correction of one that is over; never a move before the last.
CREATE TRIGGER matches_stats_dirty AFTER UPDATE OF status, outcome, started_at, finished_at ON matches
    FOR EACH ROW WHEN (
        (OLD.finished_at IS NOT NULL OR NEW.finished_at IS NOT NULL)
        AND (OLD.status, OLD.outcome, OLD.started_at, OLD.finished_at)
            IS DISTINCT FROM (NEW.status, NEW.outcome, NEW.started_at, NEW.finished_at)
    ) EXECUTE FUNCTION matches_stats_dirty();

CREATE FUNCTION match_seats_stats_dirty() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM mark_stats_dirty(id, finished_at, finished_at) FROM matches
    WHERE id = coalesce(NEW.match_id, OLD.match_id) AND finished_at IS NOT NULL;
    RETURN NULL;
END
$$;

-- The player of a seat changes when a guest is merged into a player.
CREATE TRIGGER match_seats_stats_dirty AFTER INSERT OR DELETE OR UPDATE OF player_id ON match_seats
    FOR EACH ROW EXECUTE FUNCTION match_seats_stats_dirty();

CREATE FUNCTION sittings_stats_dirty() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.closed_at IS NOT NULL THEN
        PERFORM mark_stats_dirty(OLD.id, OLD.opened_at, greatest(OLD.opened_at, OLD.closed_at));
    END IF;
    IF NEW.closed_at IS NOT NULL THEN
        PERFORM mark_stats_dirty(NEW.id, NEW.opened_at, greatest(NEW.opened_at, NEW.closed_at));
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER sittings_stats_dirty_new AFTER INSERT ON sittings
    FOR EACH ROW WHEN (NEW.closed_at IS NOT NULL) EXECUTE FUNCTION sittings_stats_dirty();
-- The end of a sitting, its undoing, and later corrections.
CREATE TRIGGER sittings_stats_dirty AFTER UPDATE OF opened_at, closed_at, ended, party_size ON sittings
    FOR EACH ROW WHEN (
        (OLD.closed_at IS NOT NULL OR NEW.closed_at IS NOT NULL)
        AND (OLD.opened_at, OLD.closed_at, OLD.ended, OLD.party_size)
            IS DISTINCT FROM (NEW.opened_at, NEW.closed_at, NEW.ended, NEW.party_size)
    ) EXECUTE FUNCTION sittings_stats_dirty();
