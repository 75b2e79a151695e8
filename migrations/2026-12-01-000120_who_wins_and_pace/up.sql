-- Who began a finished match and what its seats played: read once from what the engine saved, before its day is summed up.
CREATE TABLE match_analyses (
    -- No foreign key: its lock on the match would be held while all of a day is summed up, and a change of that match that
    -- then asks for new sums would wait for it.
    match_id uuid CONSTRAINT match_analyses_pkey PRIMARY KEY,
    -- The seat that was the first to be asked alone; none where all choose at once.
    first_seat smallint CONSTRAINT match_analyses_first_seat_range CHECK (first_seat BETWEEN 0 AND 15),
    -- Per seat its animal, character or trait; none in games without.
    roles text[]
);

-- How often each place in the order of play won, of matches between people alone.
CREATE TABLE order_stats (
    day date NOT NULL,
    game text NOT NULL,
    variant_hash bytea NOT NULL,
    seats smallint NOT NULL,
    -- 0 is the first to play.
    place smallint NOT NULL,
    finished integer NOT NULL,
    wins integer NOT NULL,
    CONSTRAINT order_stats_pkey PRIMARY KEY (day, game, variant_hash, seats, place)
);

-- How often those who played each role won.
CREATE TABLE role_stats (
    day date NOT NULL,
    game text NOT NULL,
    variant_hash bytea NOT NULL,
    seats smallint NOT NULL,
    role text NOT NULL,
    -- How often it was played.
    played integer NOT NULL,
    wins integer NOT NULL,
    CONSTRAINT role_stats_pkey PRIMARY KEY (day, game, variant_hash, seats, role)
);

-- How many moves the matches of a bucket had together.
ALTER TABLE length_stats ADD COLUMN moves bigint NOT NULL DEFAULT 0;
ALTER TABLE length_months ADD COLUMN moves bigint NOT NULL DEFAULT 0;

-- All days are summed up again.
INSERT INTO stats_dirty_ranges (subject_id, since, until)
SELECT gen_random_uuid(), min(finished_at), max(finished_at) FROM matches WHERE finished_at IS NOT NULL
HAVING count(*) > 0;
