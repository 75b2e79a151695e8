-- The day is compared as a column. As a constant it makes the planner believe that hardly any day came before it, if the statistics of
-- the table do not reach back that far.
WITH present AS MATERIALIZED (
    SELECT DISTINCT $1 AS day, player_id FROM matches JOIN match_seats ON match_id = id
    WHERE finished_at >= $1::timestamp AT TIME ZONE $2 - interval '3 hours'
      AND finished_at < ($1 + 1)::timestamp AT TIME ZONE $2 + interval '3 hours'
      AND (finished_at AT TIME ZONE $2)::date = $1 AND started_at IS NOT NULL AND player_id IS NOT NULL
),
gone AS (
    DELETE FROM guest_days WHERE day = $1 AND player_id NOT IN (SELECT player_id FROM present) RETURNING player_id
),
come AS (
    INSERT INTO guest_days (day, player_id, is_first)
    SELECT $1, player_id, NOT EXISTS (
        SELECT FROM guest_days earlier WHERE earlier.player_id = present.player_id AND earlier.day < present.day
    ) FROM present
    ON CONFLICT ON CONSTRAINT guest_days_pkey DO NOTHING RETURNING player_id
)
SELECT player_id FROM gone UNION ALL SELECT player_id FROM come
