WITH moved AS (
    UPDATE matches
    SET version = version + 1, change_seq = change_seq + 1, status = $1, state = $2, chance_count = $3, to_move = $4, interrupt = $5,
        decision_since = $6, outcome = $7, moved_at = $8, finished_at = $9
    WHERE id = $10 AND version = $11 AND resigned = $12 AND status = 'running'
    RETURNING id, version, moved_at, change_seq
), logged AS (
    INSERT INTO match_log (match_id, version, seat, move, chance, events, idempotency_key, made_by, at)
    SELECT id, version, $13, $14, $15, $16, $17, $18, moved_at FROM moved
)
SELECT change_seq FROM moved
