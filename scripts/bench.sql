-- For each client of pgbench a match of its own, a copy of one that was just played, and the moves that were made in it: `bench` has
-- `:moves` of them for each, one after the other, with the states they led to. The last clients are those of `bench_batch`, which
-- has the same moves of `:size` matches together as the parameters of one statement, for `:batches` connections.
CREATE TABLE bench AS
WITH long_enough AS (
    SELECT match AS model, row_number() OVER (ORDER BY match) - 1 AS place, count(*) OVER () AS many
    FROM recorded GROUP BY match HAVING count(*) >= :moves
), numbered AS (
    SELECT recorded.*, row_number() OVER (PARTITION BY match ORDER BY version) - 1 AS n FROM recorded
), copies AS (
    -- The time in the model's id, so that the log of both is in one partition.
    SELECT client, (left(model::text, 14) || substr(gen_random_uuid()::text, 15))::uuid AS match, model
    FROM generate_series(0, :most + :size * :batches - 1) AS client JOIN long_enough ON place = client % many
)
SELECT client, n, copies.match, model, (SELECT player_id FROM match_seats s WHERE s.match_id = model AND s.seat = l.seat) AS player,
       'running' AS status, 'player' AS made_by, '' AS no_key, state, chance_count, to_move, interrupt, 0 AS decision_since,
       CASE WHEN client < :most THEN moved_at ELSE timestamptz '2026-01-01' END AS moved_at,
       l.seat, l.move, l.chance, l.events
FROM copies JOIN numbered ON numbered.match = model AND n < :moves JOIN match_log l ON l.match_id = model AND l.version = numbered.version;

ALTER TABLE bench ADD PRIMARY KEY (client, n);

INSERT INTO matches (id, code, game, revision, options, seat_count, mode, created_by, created_at, seed, commitment,
                     variant_hash)
SELECT b.match, upper(left(md5(b.match::text), 6)), m.game, m.revision, m.options, m.seat_count, m.mode, m.created_by, m.created_at,
       m.seed, m.commitment, m.variant_hash
FROM bench b JOIN matches m ON m.id = b.model WHERE b.n = 0;

INSERT INTO match_seats (match_id, seat, player_id, nonce, joined_at)
SELECT b.match, s.seat, s.player_id, s.nonce, s.joined_at FROM bench b JOIN match_seats s ON s.match_id = b.model WHERE b.n = 0;

UPDATE matches m
SET status = 'running', state = b.state, started_at = m.created_at, moved_at = b.moved_at, to_move = b.to_move
FROM bench b WHERE m.id = b.match AND b.n = 0;

CREATE TABLE bench_batch AS
SELECT (client - :most) / :size AS client, n, array_agg(match ORDER BY match) AS matches, array_agg(status ORDER BY match) AS statuses,
       array_agg(state ORDER BY match) AS states, array_agg(chance_count ORDER BY match) AS chance_counts,
       array_agg(to_move ORDER BY match) AS to_moves, array_agg(interrupt ORDER BY match) AS interrupts,
       array_agg(seat ORDER BY match) AS seats, array_agg(move ORDER BY match) AS moves, array_agg(chance ORDER BY match) AS chances,
       array_agg(events ORDER BY match) AS events, array_agg(made_by ORDER BY match) AS made_by,
       array_agg(no_key ORDER BY match) AS no_keys
FROM bench WHERE client >= :most GROUP BY 1, 2;

VACUUM ANALYZE;
