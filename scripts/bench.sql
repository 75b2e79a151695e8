-- For each client of pgbench a match of its own: a copy of one that runs, with its seats and the size of its state. `bench` has
-- the values of a move in it: those of the last move of the match copied.
CREATE TABLE bench AS
WITH model AS (
    SELECT m.*, l.seat, l.move, l.chance, l.events, row_number() OVER (ORDER BY m.id) - 1 AS place, count(*) OVER () AS many
    FROM matches m JOIN match_log l ON l.match_id = m.id AND l.version = m.version
    WHERE m.status = 'running' AND m.version > 0
)
SELECT client, gen_random_uuid() AS match, model.id AS model, 1 AS known,
       (SELECT player_id FROM match_seats s WHERE s.match_id = model.id AND s.seat = model.seat) AS player,
       'running' AS status, 'player' AS made_by, 'a key that was not used before' AS no_key,
       state, chance_count, to_move, interrupt, 0 AS decision_since, moved_at, seat, move, chance, events
FROM generate_series(0, :most - 1) AS client JOIN model ON model.place = client % model.many;

ALTER TABLE bench ADD PRIMARY KEY (client);

INSERT INTO matches (id, code, game, revision, options, seat_count, mode, created_by, created_at, seed, commitment,
                     variant_hash)
SELECT b.match, upper(left(md5(b.match::text), 6)), m.game, m.revision, m.options, m.seat_count, m.mode, m.created_by, m.created_at,
       m.seed, m.commitment, m.variant_hash
FROM bench b JOIN matches m ON m.id = b.model;

INSERT INTO match_seats (match_id, seat, player_id, nonce, joined_at)
SELECT b.match, s.seat, s.player_id, s.nonce, s.joined_at FROM bench b JOIN match_seats s ON s.match_id = b.model;

UPDATE matches m
SET status = 'running', state = b.state, started_at = m.created_at, moved_at = b.moved_at, to_move = b.to_move
FROM bench b WHERE m.id = b.match;

VACUUM ANALYZE;
