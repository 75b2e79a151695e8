WITH open AS (SELECT id, name, status, stage, check_in_until, started_at FROM tournaments WHERE status IN ('check_in', 'running') AND NOT sandbox)
SELECT open.id, open.name, 'check_in_over' AS cause, NULL::smallint AS round, NULL::uuid AS table_id, check_in_until AS since
FROM open
WHERE status = 'check_in' AND check_in_until <= $1
    AND EXISTS (SELECT FROM tournament_entrants AS it WHERE it.tournament_id = open.id AND it.status = 'entered')
UNION ALL
SELECT open.id, open.name, 'round_over_time', it.round, NULL, it.ends_at
FROM open JOIN tournament_rounds AS it ON it.tournament_id = open.id AND it.stage = open.stage
WHERE it.status = 'running' AND it.ends_at <= $1 AND it.paused_at IS NULL AND NOT it.is_arena
UNION ALL
SELECT open.id, open.name, 'round_complete', last.round, NULL, coalesce(last.closed_at, open.started_at)
FROM open LEFT JOIN LATERAL (
    SELECT round, closed_at FROM tournament_rounds AS it WHERE it.tournament_id = open.id AND it.stage = open.stage
    ORDER BY closed_at DESC LIMIT 1
) AS last ON true
WHERE open.status = 'running'
    AND NOT EXISTS (
        SELECT FROM tournament_rounds AS it
        WHERE it.tournament_id = open.id AND it.stage = open.stage AND it.status <> 'closed'
    )
UNION ALL
SELECT open.id, open.name, CASE WHEN it.claim IS NULL THEN 'match_off' ELSE 'result_disputed' END, it.round, it.table_id,
    coalesce(it.claimed_at, of.finished_at, open.started_at)
FROM open JOIN tournament_bouts AS it ON it.tournament_id = open.id AND it.stage = open.stage
    JOIN matches AS of ON of.id = it.match_id
WHERE open.status = 'running'
    AND (it.claim IS NOT NULL OR (it.result IS NULL AND of.status IN ('aborted', 'expired')))
ORDER BY since
LIMIT 100
