WITH given (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t) AS MATERIALIZED (
    -- Its own, so that PostgreSQL counts no elements when it plans: one plan serves however many there are, and is made once.
    SELECT $1::text[], $2::bytea[], $3::bigint[], $4::integer[], $5::integer[], $6::integer[], $7::jsonb[], $8::timestamptz[],
           $9::timestamptz[], $10::uuid[], $11::integer[], $12::bigint[], $13::timestamptz[], $14::integer[], $15::smallint[],
           $16::text[], $17::json[], $18::json[], $19::json[], $20::text[]
), sent AS (
    SELECT sent.*
    FROM given, unnest(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t)
        AS sent (status, state, chance_count, to_move, interrupt, decision_since, outcome, moved_at, finished_at, id, found_version,
                 found_news, found_moved_at, found_resigned, seat, idempotency_key, move, chance, events, made_by)
), held AS (
    -- Each by its id, even where the planner believes that hardly a match is running: it would read all of them. What somebody else
    -- holds is left to whoever sent it, so that one match keeps no other waiting.
    SELECT sent.*
    FROM sent, LATERAL (
        SELECT FROM matches
        WHERE id = sent.id AND version = found_version AND change_seq = found_news AND matches.moved_at = found_moved_at
            AND resigned = found_resigned AND matches.status = 'running'
        FOR NO KEY UPDATE SKIP LOCKED
    ) AS found
), logged AS (
    -- The index of keys leaves out those that were used before.
    INSERT INTO match_log (match_id, version, seat, move, chance, events, idempotency_key, made_by, at)
    SELECT id, found_version + 1, seat, move, chance, events, nullif(idempotency_key, ''), made_by, moved_at FROM held
    ON CONFLICT (match_id, seat, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING
    RETURNING match_id
)
UPDATE matches m
SET version = m.version + 1, change_seq = m.change_seq + 1, status = held.status, state = held.state,
    chance_count = held.chance_count, to_move = held.to_move, interrupt = held.interrupt, decision_since = held.decision_since,
    outcome = held.outcome, moved_at = held.moved_at, finished_at = held.finished_at
FROM held JOIN logged ON match_id = held.id
WHERE m.id = held.id
RETURNING m.id, m.change_seq
