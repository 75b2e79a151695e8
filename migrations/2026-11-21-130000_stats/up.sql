-- What has become known, changed or become untrue between two moments, and no sum tells yet.
CREATE TABLE unsummed (
    subject_id uuid NOT NULL,
    since timestamptz NOT NULL,
    until timestamptz NOT NULL,
    CONSTRAINT unsummed_pkey PRIMARY KEY (subject_id, since, until),
    CONSTRAINT unsummed_until_not_before_since CHECK (until >= since)
);

-- The time zone in which days and hours were told apart. Without it nothing was summed up yet.
CREATE TABLE stats_zone (
    one boolean CONSTRAINT stats_zone_pkey PRIMARY KEY DEFAULT true CONSTRAINT stats_zone_one CHECK (one),
    zone text NOT NULL
);

-- The sums. A match belongs to the day and the hour of its end, at the café.
CREATE TABLE play_stats (
    day date NOT NULL,
    game text NOT NULL,
    variant_hash bytea NOT NULL,
    seats smallint NOT NULL,
    finished integer NOT NULL,
    aborted integer NOT NULL,
    expired integer NOT NULL,
    -- Seats that were taken in those that finished.
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
    -- From 2^(bucket/8) seconds up to, but not, 2^((bucket+1)/8).
    bucket smallint NOT NULL,
    finished integer NOT NULL,
    CONSTRAINT length_stats_pkey PRIMARY KEY (day, game, variant_hash, seats, bucket)
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

-- Who was there on which day, and whether it was the first time.
CREATE TABLE guest_days (
    day date NOT NULL,
    player_id uuid NOT NULL,
    is_first boolean NOT NULL,
    CONSTRAINT guest_days_pkey PRIMARY KEY (day, player_id) INCLUDE (is_first)
);
CREATE INDEX guest_days_player_idx ON guest_days (player_id, day);

CREATE INDEX matches_finished_at_idx ON matches (finished_at) WHERE finished_at IS NOT NULL;

-- Whoever sums up takes a line away before reading what it is about. Where the line is there still, it is written again all
-- the same: that makes whoever would take it wait until the change can be seen.
CREATE FUNCTION unsum(subject uuid, since timestamptz, until timestamptz) RETURNS void LANGUAGE sql AS $$
    INSERT INTO unsummed AS kept VALUES (subject, since, until)
    ON CONFLICT ON CONSTRAINT unsummed_pkey DO UPDATE SET until = excluded.until
$$;

CREATE FUNCTION matches_unsum() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.finished_at IS NOT NULL AND OLD.finished_at IS DISTINCT FROM NEW.finished_at THEN
        PERFORM unsum(OLD.id, OLD.finished_at, OLD.finished_at);
    END IF;
    IF NEW.finished_at IS NOT NULL THEN
        PERFORM unsum(NEW.id, NEW.finished_at, NEW.finished_at);
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER matches_unsum_new AFTER INSERT ON matches
    FOR EACH ROW WHEN (NEW.finished_at IS NOT NULL) EXECUTE FUNCTION matches_unsum();
-- The end of a match, and the correction of one that is over; no move before the last.
CREATE TRIGGER matches_unsum AFTER UPDATE OF status, outcome, started_at, finished_at ON matches
    FOR EACH ROW WHEN (
        (OLD.finished_at IS NOT NULL OR NEW.finished_at IS NOT NULL)
        AND (OLD.status, OLD.outcome, OLD.started_at, OLD.finished_at)
            IS DISTINCT FROM (NEW.status, NEW.outcome, NEW.started_at, NEW.finished_at)
    ) EXECUTE FUNCTION matches_unsum();

CREATE FUNCTION match_seats_unsum() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM unsum(id, finished_at, finished_at) FROM matches
    WHERE id = coalesce(NEW.match_id, OLD.match_id) AND finished_at IS NOT NULL;
    RETURN NULL;
END
$$;

-- Whose seat it was may turn out otherwise, as when a guest becomes another player.
CREATE TRIGGER match_seats_unsum AFTER INSERT OR DELETE OR UPDATE OF player_id ON match_seats
    FOR EACH ROW EXECUTE FUNCTION match_seats_unsum();
