-- The time by which clocks run: the database's, or that of the last heartbeat once nobody keeps time or its clock has jumped. What
-- lies between the two is given to every clock at once, so no turn may begin or end by a time beyond the heartbeat.
CREATE FUNCTION kept_time() RETURNS timestamptz LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN at BETWEEN now() - interval '2 seconds' AND now() + interval '2 seconds' THEN now() ELSE at END
    FROM clock_heartbeat
$$;

CREATE OR REPLACE FUNCTION matches_run_clock() RETURNS trigger LANGUAGE plpgsql AS $$
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
        -- Who gives time back at this moment would not see this clock: it waits, or this waits for it.
        PERFORM FROM clock_heartbeat FOR SHARE;
        INSERT INTO match_clocks (match_id, turn_seconds, turn_since, reserves_ms)
        VALUES (NEW.id, NEW.turn_seconds, kept_time(), (
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
        used := least(extract(epoch FROM kept_time() - clock.turn_since) - clock.turn_seconds, 86400) * 1000;
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
            clock.turn_since := kept_time();
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
