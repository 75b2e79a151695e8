-- A café with a million matches in the last 366 days, to measure on: `docs/performance.md`. For an empty, migrated database
-- that nobody else needs. Fifty thousand people come now and then, few of them often, and every third seat is taken by
-- somebody who is never seen again.
SET session_replication_role = replica;
SET synchronous_commit = off;
SELECT setseed(0.5);

CREATE FUNCTION pg_temp.id_at(at timestamptz) RETURNS uuid LANGUAGE sql VOLATILE AS $$
    SELECT encode(substring(int8send((extract(epoch FROM at) * 1000)::bigint) FROM 3) || '\x7000'::bytea || '\x80'::bytea
                  || substring(uuid_send(gen_random_uuid()) FROM 1 FOR 5) || substring(uuid_send(gen_random_uuid()) FROM 1 FOR 2),
                  'hex')::uuid
$$;

-- Most come in the evening, more of them on Saturday.
CREATE TEMPORARY TABLE plan AS
SELECT n, pg_temp.id_at(ended - took - interval '2 minutes') AS id, ended, took, seats, game,
       decode(md5(game || rules) || md5(rules || game), 'hex') AS hash,
       CASE WHEN n % 50 = 0 THEN 'aborted' WHEN n % 70 = 0 THEN 'expired' ELSE 'finished' END AS status
FROM (
    SELECT n, 2 + (random() * random() * 6)::int AS seats, exp(5.5 + random() * 2.5) * interval '1 second' AS took,
           (ARRAY['perudo', 'perudo-pirates', 'liars-dice', 'dead-mans-draw', 'animal-kingdom', 'hogu-clue', 'middle-race'])
               [1 + (random() * 6.99)::int % 7] AS game,
           (random() * random() * 5)::int::text AS rules,
           date_trunc('day', now()) - (random() * 365)::int * interval '1 day' - interval '10 hours'
               + (random() + random() + random()) / 3 * interval '16 hours' AS ended
    FROM generate_series(1, 1000000) AS n
) AS drawn;

INSERT INTO players (id, display_name, created_at, registered_at)
SELECT md5('player ' || n)::uuid, 'Guest ' || n, now() - interval '400 days', CASE WHEN n % 3 = 0 THEN now() - interval '399 days' END
FROM generate_series(1, 50000) AS n;

INSERT INTO matches (id, code, game, revision, options, seat_count, mode, status, created_by, created_at, started_at, moved_at,
                     finished_at, seed, commitment, variant_hash, state, outcome)
SELECT id, lpad(to_hex(n), 6, '0'), game, 1, '{}', seats, 'played', status, md5('player 1')::uuid,
       ended - took - interval '2 minutes', CASE WHEN status <> 'expired' THEN ended - took END,
       CASE WHEN status <> 'expired' THEN ended END, ended, sha256('seed'), sha256(sha256('seed')), hash,
       CASE WHEN status <> 'expired' THEN '{}'::bytea END,
       CASE WHEN status = 'finished' THEN jsonb_build_object('reason', 'last', 'ranks',
           (SELECT jsonb_agg(1 + (place + n) % seats ORDER BY place) FROM generate_series(1, seats) AS place)) END
FROM plan;

-- Three different people at a match differ in what they are counted by.
CREATE TEMPORARY TABLE seating AS
SELECT id AS match_id, seat, ended - took - interval '1 minute' AS joined_at, n, random() < 0.33 AS is_passing,
       seat + seats * floor(50000 / seats * power(random(), 3))::int AS regular, seats
FROM plan, generate_series(0, seats - 1) AS seat;
INSERT INTO players (id, display_name, created_at)
SELECT md5(match_id::text || seat)::uuid, 'Passing ' || n, joined_at FROM seating WHERE is_passing;
INSERT INTO match_seats (match_id, seat, player_id, joined_at)
SELECT match_id, seat, CASE WHEN is_passing THEN md5(match_id::text || seat) ELSE md5('player ' || 1 + least(regular, 49999)) END::uuid,
       joined_at
FROM seating;

-- Forty tables, and a party for every third match.
INSERT INTO tables (id, code, name, seats, created_at)
SELECT md5('table ' || n)::uuid, translate(lpad(n::text, 6, 'Z'), '01', 'BC'), 'Table ' || n, 6, now() - interval '400 days'
FROM generate_series(1, 40) AS n;
INSERT INTO sittings (id, table_id, party_size, join_token, opened_at, opened_by, remind_at, closed_at, ended)
SELECT pg_temp.id_at(ended - took - interval '9 minutes'), md5('table ' || 1 + n % 40)::uuid, seats, md5('token ' || n),
       ended - took - interval '9 minutes', md5('player 1')::uuid, ended, ended + interval '5 minutes', 'left'
FROM plan WHERE n % 3 = 0;

RESET session_replication_role;
ANALYZE;
