WITH moved AS (
    UPDATE matches
    SET version = version + 1, change_seq = change_seq + 1, status = $1, state = $2, chance_count = $3, to_move = $4, interrupt = $5,
        decision_since = $6, outcome = $7, moved_at = $8, finished_at = $9
    WHERE id = $10 AND version = $11 AND change_seq = $12 AND moved_at = $13 AND resigned = $14 AND status = 'running'
        AND NOT EXISTS (SELECT FROM match_log l WHERE l.match_id = $10 AND l.seat = $15 AND l.idempotency_key = $16)
    RETURNING version, moved_at, change_seq
), logged AS (
    INSERT INTO match_log (match_id, version, seat, move, chance, events, idempotency_key, made_by, at)
    SELECT $10, version, $15, $17, $18, $19, nullif($16, ''), $20, moved_at FROM moved
)
SELECT change_seq FROM moved
