WITH moved AS (
    UPDATE matches
    SET version = version + 1, change_seq = change_seq + 1, status = $1, state = $2, chance_count = $3, to_move = $4, interrupt = $5,
        decision_since = $6, outcome = $7, moved_at = $8, finished_at = $9
    WHERE id = $10 AND version = $11 AND change_seq = $12 AND moved_at = $13 AND resigned = $14 AND status = 'running'
    RETURNING version, moved_at, change_seq
), logged AS (
    -- A key that was used before breaks a unique index, and nothing is written: looking for it first would lock each partition of the log.
    INSERT INTO match_log (match_id, version, seat, idempotency_key, move, chance, events, made_by, at)
    SELECT $10, version, $15, nullif($16, ''), $17, $18, $19, $20, moved_at FROM moved
)
SELECT change_seq FROM moved
