INSERT INTO sitting_stats (day, hour, parties, people, seconds)
SELECT day, hour, sum(parties), sum(people), round(sum(seconds))
FROM sittings, hours_of_sitting(opened_at, greatest(opened_at, closed_at), CASE ended WHEN 'merged' THEN NULL ELSE party_size END, $1)
WHERE tstzrange(opened_at, greatest(opened_at, closed_at), '[]')
      && tstzrange($2::timestamp AT TIME ZONE $1 - interval '3 hours', ($2 + 1)::timestamp AT TIME ZONE $1 + interval '3 hours')
  AND closed_at IS NOT NULL AND ended <> 'undone' AND day = $2
GROUP BY day, hour
