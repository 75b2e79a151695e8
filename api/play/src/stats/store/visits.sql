-- A column for the day, as in `guests.sql`.
INSERT INTO visit_stats (day, nth, days_before, is_first, guests)
SELECT $1, nth, $1 - visit.day, visit.is_first, count(*)
FROM guest_days today, LATERAL (
    SELECT day, is_first, row_number() OVER (ORDER BY day DESC) - 1 AS nth FROM guest_days earlier
    WHERE earlier.player_id = today.player_id AND earlier.day <= today.day ORDER BY day DESC LIMIT 11
) AS visit
WHERE today.day = $1 AND $1 - visit.day < 366
GROUP BY nth, visit.day, visit.is_first
