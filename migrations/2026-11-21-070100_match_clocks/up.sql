-- The clock of each match that runs by one. Those on turn have the time of a move, and then what is left of their reserves. It is the
-- database's own clock, and runs by the very statement that moves: docs/clocks.md.
CREATE TABLE match_clocks (
    match_id uuid CONSTRAINT match_clocks_pkey PRIMARY KEY
        CONSTRAINT match_clocks_match_id_fkey REFERENCES matches (id),
    turn_seconds integer NOT NULL,
    -- Since when those on turn have been thinking.
    turn_since timestamptz NOT NULL,
    -- By seat, in milliseconds; none where no reserve was agreed.
    reserves integer[],
    -- When the first of those on turn has no time left; none while the house moves for all of them.
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
        INSERT INTO match_clocks (match_id, turn_seconds, turn_since, reserves)
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
        IF used > 0 AND clock.reserves IS NOT NULL THEN
            clock.reserves := (
                SELECT array_agg(CASE over >> seat & 1 WHEN 1 THEN greatest(reserve - used, 0) ELSE reserve END ORDER BY seat)
                FROM (SELECT ordinality::integer - 1 AS seat, reserve FROM unnest(clock.reserves) WITH ORDINALITY AS it (reserve))
                    AS reserves
            );
        END IF;
        IF NEW.decision_since <> OLD.decision_since THEN
            clock.turn_since := now();
        END IF;
    END IF;
    UPDATE match_clocks
    SET turn_since = clock.turn_since, reserves = clock.reserves, deadline = (
        SELECT clock.turn_since + clock.turn_seconds * interval '1 second'
            + min(coalesce(clock.reserves[seat + 1], 0)) * interval '1 millisecond'
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

INSERT INTO match_clocks (match_id, turn_seconds, turn_since, deadline)
SELECT id, turn_seconds, now(), now() + turn_seconds * interval '1 second'
FROM matches WHERE status = 'running' AND turn_seconds IS NOT NULL;

-- When some process last kept time. Whatever passes without is no player's fault, and is given back to every clock.
CREATE TABLE clock_beats (
    only_one boolean CONSTRAINT clock_beats_pkey PRIMARY KEY DEFAULT true
        CONSTRAINT clock_beats_only_one CHECK (only_one),
    at timestamptz NOT NULL
);
INSERT INTO clock_beats (at) VALUES (now());

-- Those in which the house moves for whoever has left; who has let the time run out is found by the clock.
DROP INDEX matches_house_idx;
CREATE INDEX matches_house_idx ON matches (id) WHERE status = 'running' AND resigned <> 0;

ALTER TABLE match_seats
    ADD COLUMN left_why text CONSTRAINT match_seats_left_why_known CHECK (left_why IN ('resigned', 'timed_out', 'removed'));
UPDATE match_seats SET left_why = 'resigned' WHERE left_at IS NOT NULL;
ALTER TABLE match_seats ADD CONSTRAINT match_seats_left_for_a_reason CHECK ((left_at IS NULL) = (left_why IS NULL));
