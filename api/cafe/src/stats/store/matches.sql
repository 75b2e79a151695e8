WITH ended AS MATERIALIZED (
    SELECT game, variant_hash, seat_count AS seats, status, outcome,
           extract(hour FROM finished_at AT TIME ZONE $1)::smallint AS hour,
           -- Of a match that is written down only its result has a time.
           CASE mode WHEN 'played' THEN extract(epoch FROM finished_at - started_at)::double precision END AS seconds,
           (SELECT count(player_id) FROM match_seats WHERE match_id = id) AS players,
           EXISTS (SELECT FROM match_seats WHERE match_id = id AND bot IS NOT NULL) AS has_bots
    FROM matches
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
    INSERT INTO length_stats (day, game, variant_hash, seats, bucket, finished)
    SELECT $2, game, variant_hash, seats, floor(8 * ln(greatest(seconds, 1)) / ln(2.0::double precision)), count(*)
    FROM ended WHERE status = 'finished' AND seconds IS NOT NULL GROUP BY game, variant_hash, seats, 5
)
INSERT INTO seat_stats (day, game, variant_hash, seats, seat, wins)
SELECT $2, game, variant_hash, seats, number - 1, count(*)
FROM ended, jsonb_array_elements(CASE jsonb_typeof(outcome -> 'ranks') WHEN 'array' THEN outcome -> 'ranks' ELSE '[]' END)
            WITH ORDINALITY AS places (place, number)
-- Who wins against bots says nothing of the seats.
WHERE status = 'finished' AND NOT has_bots AND place = '1' AND number <= seats
GROUP BY game, variant_hash, seats, number
