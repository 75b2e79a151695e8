WITH ended AS MATERIALIZED (
    SELECT game, variant_hash, seat_count AS seats, status, version, outcome, first_seat, roles,
           extract(hour FROM finished_at AT TIME ZONE $1)::smallint AS hour,
           -- Of a match that is written down only its result has a time.
           CASE mode WHEN 'played' THEN extract(epoch FROM finished_at - started_at)::double precision END AS seconds,
           (SELECT count(player_id) FROM match_seats s WHERE s.match_id = id) AS players,
           EXISTS (SELECT FROM match_seats s WHERE s.match_id = id AND bot IS NOT NULL) AS has_bots
    FROM matches LEFT JOIN match_analyses ON match_id = id
    -- Where clocks are changed at midnight, a day may begin twice.
    WHERE finished_at >= $2::timestamp AT TIME ZONE $1 - interval '3 hours'
      AND finished_at < ($2 + 1)::timestamp AT TIME ZONE $1 + interval '3 hours'
      AND (finished_at AT TIME ZONE $1)::date = $2
),
plays AS (
    INSERT INTO play_stats (day, game, variant_hash, seats, finished, aborted, expired, players, with_bots)
    SELECT $2, game, variant_hash, seats,
           count(*) FILTER (WHERE status = 'finished'),
           count(*) FILTER (WHERE status = 'aborted'),
           count(*) FILTER (WHERE status = 'expired'),
           coalesce(sum(players) FILTER (WHERE status = 'finished'), 0),
           count(*) FILTER (WHERE status = 'finished' AND has_bots)
    FROM ended GROUP BY game, variant_hash, seats
),
hours AS (
    INSERT INTO hour_stats (day, hour, game, variant_hash, finished, players)
    SELECT $2, hour, game, variant_hash, count(*), sum(players)
    FROM ended WHERE status = 'finished' GROUP BY hour, game, variant_hash
),
lengths AS (
    INSERT INTO length_stats (day, game, variant_hash, seats, bucket, finished, moves)
    SELECT $2, game, variant_hash, seats, floor(8 * ln(greatest(seconds, 1)) / ln(2.0::double precision)), count(*), sum(version)
    FROM ended WHERE status = 'finished' AND seconds IS NOT NULL GROUP BY game, variant_hash, seats, 5
),
-- A row for each seat. Who wins against bots says nothing of the seats.
ranked AS MATERIALIZED (
    SELECT game, variant_hash, seats, number - 1 AS seat, rank = '1' AS won,
           (number - 1 - first_seat + seats) % seats AS place, roles[number] AS role
    FROM ended, jsonb_array_elements(CASE jsonb_typeof(outcome -> 'ranks') WHEN 'array' THEN outcome -> 'ranks' ELSE '[]' END)
                WITH ORDINALITY AS ranks (rank, number)
    WHERE status = 'finished' AND NOT has_bots AND number <= seats
),
orders AS (
    INSERT INTO order_stats (day, game, variant_hash, seats, place, finished, wins)
    SELECT $2, game, variant_hash, seats, place, count(*), count(*) FILTER (WHERE won)
    FROM ranked WHERE place IS NOT NULL GROUP BY game, variant_hash, seats, place
),
roles AS (
    INSERT INTO role_stats (day, game, variant_hash, seats, role, played, wins)
    SELECT $2, game, variant_hash, seats, role, count(*), count(*) FILTER (WHERE won)
    FROM ranked WHERE role IS NOT NULL GROUP BY game, variant_hash, seats, role
)
INSERT INTO seat_stats (day, game, variant_hash, seats, seat, wins)
SELECT $2, game, variant_hash, seats, seat, count(*)
FROM ranked WHERE won GROUP BY game, variant_hash, seats, seat
