SELECT m.game, m.revision, m.status, m.version, m.change_seq, m.moved_at, m.decision_since, m.resigned, m.chance_count, m.seed, m.state,
       present.seat, present.holders, present.nonces,
       (SELECT l.version FROM match_log l
        WHERE l.match_id = $1 AND l.seat = present.seat AND l.idempotency_key = $2) AS played_before
FROM matches m
CROSS JOIN (
    SELECT min(s.seat) FILTER (WHERE coalesce(s.stand_in_id, s.player_id) = $3) AS seat,
           array_agg(coalesce(s.stand_in_id, s.player_id) ORDER BY s.seat) AS holders, array_agg(s.nonce ORDER BY s.seat) AS nonces
    FROM match_seats s
    WHERE s.match_id = $1
) AS present
WHERE m.id = $1
