-- A café with a million matches in the last 366 days, to measure on: `docs/performance.md`. For a migrated database that nobody
-- else needs. Fifty thousand people come now and then, few of them often, and every third seat is taken by somebody who is never seen
-- again.
--
-- `-v matches=20000` makes fewer, or more. Logs are copies of those that the program itself has written: of the finished matches that
-- are in the database already, such as a demo's. The last 30 days have them as rows, the days before as the program packed them; so it
-- needs matches of both kinds, which `scripts/million` provides. `-v logs=0` makes none: states are then empty, and the rules made up.
\set ON_ERROR_STOP on
\if :{?matches}
\else
\set matches 1000000
\endif
\if :{?logs}
\else
SELECT (EXISTS (SELECT FROM match_archives) AND EXISTS (SELECT FROM match_log JOIN matches ON id = match_id WHERE status = 'finished'))::int
    AS logs \gset
\endif
\echo :matches matches, logs: :logs
SET session_replication_role = replica;
SET synchronous_commit = off;
SET maintenance_work_mem = '1GB';
SELECT setseed(0.5);

CREATE FUNCTION pg_temp.id_at(at timestamptz) RETURNS uuid LANGUAGE sql VOLATILE AS $$
    SELECT encode(substring(int8send((extract(epoch FROM at) * 1000)::bigint) FROM 3) || '\x7000'::bytea || '\x80'::bytea
                  || substring(uuid_send(gen_random_uuid()) FROM 1 FOR 5) || substring(uuid_send(gen_random_uuid()) FROM 1 FOR 2),
                  'hex')::uuid
$$;

-- What was played to its end, by whether its log is packed.
CREATE TEMPORARY TABLE templates AS
SELECT *, row_number() OVER (PARTITION BY is_packed ORDER BY id) - 1 AS place, count(*) OVER (PARTITION BY is_packed) AS many
FROM (SELECT *, EXISTS (SELECT FROM match_archives a WHERE a.match_id = m.id) AS is_packed FROM matches m
      WHERE status = 'finished' AND mode = 'played' AND seat_count BETWEEN 2 AND 8) AS played
WHERE :logs = 1 AND (is_packed OR EXISTS (SELECT FROM match_log l WHERE l.match_id = played.id));

-- Most come in the evening, more of them on Saturday.
CREATE TEMPORARY TABLE plan AS
SELECT n, pg_temp.id_at(ended - took - interval '2 minutes') AS id, ended, took, coalesce(t.seat_count, seats) AS seats,
       coalesce(t.game, drawn.game) AS game, coalesce(t.variant_hash, decode(md5(drawn.game || rules) || md5(rules || drawn.game), 'hex')) AS hash,
       CASE WHEN n % 50 = 0 THEN 'aborted' WHEN n % 70 = 0 THEN 'expired' ELSE 'finished' END AS status, t.id AS template
FROM (
    SELECT n, 2 + (random() * random() * 6)::int AS seats, exp(5.5 + random() * 2.5) * interval '1 second' AS took,
           (ARRAY['perudo', 'perudo-pirates', 'liars-dice', 'dead-mans-draw', 'animal-kingdom', 'hogu-clue', 'middle-race'])
               [1 + (random() * 6.99)::int % 7] AS game,
           (random() * random() * 5)::int::text AS rules,
           date_trunc('day', now()) - (random() * 365)::int * interval '1 day' - interval '10 hours'
               + (random() + random() + random()) / 3 * interval '16 hours' AS ended
    FROM generate_series(1, :matches) AS n
) AS drawn
LEFT JOIN templates t ON t.is_packed = (ended < now() - interval '30 days') AND t.place = n % t.many;
ANALYZE plan;

-- An index is built faster after the rows, and so is what keeps rows unique.
CREATE TEMPORARY TABLE indexes AS
SELECT CASE WHEN conname IS NULL THEN format('DROP INDEX %s', indexrelid::regclass)
            ELSE format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) END AS dropping,
       CASE WHEN conname IS NULL THEN pg_get_indexdef(indexrelid)
            ELSE format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(c.oid)) END AS making
FROM pg_index LEFT JOIN pg_constraint c ON conindid = indexrelid AND conrelid = indrelid
WHERE indrelid IN ('matches'::regclass, 'match_seats'::regclass, 'players'::regclass, 'sittings'::regclass)
    AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = indexrelid AND k.contype IN ('p', 'f'));
SELECT dropping FROM indexes \gexec

INSERT INTO players (id, display_name, created_at, registered_at)
SELECT md5('player ' || n)::uuid, 'Guest ' || n, now() - interval '400 days', CASE WHEN n % 3 = 0 THEN now() - interval '399 days' END
FROM generate_series(1, :matches / 20) AS n;

INSERT INTO matches (id, code, game, revision, options, seat_count, mode, status, version, chance_count, created_by, created_at, started_at,
                     moved_at, finished_at, seed, commitment, variant_hash, state, outcome)
SELECT p.id, lpad(to_hex(n), 6, '0'), p.game, coalesce(t.revision, 1), coalesce(t.options, '{}'), seats, 'played', p.status,
       CASE WHEN p.status <> 'expired' THEN coalesce(t.version, 0) ELSE 0 END,
       CASE WHEN p.status <> 'expired' THEN coalesce(t.chance_count, 0) ELSE 0 END, md5('player 1')::uuid,
       ended - took - interval '2 minutes', CASE WHEN p.status <> 'expired' THEN ended - took END,
       CASE WHEN p.status <> 'expired' THEN ended END, ended, coalesce(t.seed, sha256('seed')), coalesce(t.commitment, sha256(sha256('seed'))),
       hash, CASE WHEN p.status <> 'expired' THEN coalesce(t.state, '{}'::bytea) END,
       CASE WHEN p.status = 'finished' THEN coalesce(t.outcome, jsonb_build_object('reason', 'last', 'ranks',
           (SELECT jsonb_agg(1 + (place + n) % seats ORDER BY place) FROM generate_series(1, seats) AS place))) END
FROM plan p LEFT JOIN templates t ON t.id = template ORDER BY p.id;

-- Those that never started have no log.
INSERT INTO match_log (match_id, version, seat, move, chance, events, idempotency_key, made_by, at)
SELECT p.id, l.version, l.seat, l.move, l.chance, l.events, l.idempotency_key, l.made_by,
       ended - took + (l.at - t.started_at) * (extract(epoch FROM took) / greatest(extract(epoch FROM t.finished_at - t.started_at), 1))
FROM plan p JOIN templates t ON t.id = template JOIN match_log l ON l.match_id = template
WHERE NOT is_packed AND p.status <> 'expired' ORDER BY p.id, l.version;
INSERT INTO pending_archives (match_id, finished_at)
SELECT p.id, ended FROM plan p JOIN templates t ON t.id = template WHERE NOT is_packed AND p.status <> 'expired';
INSERT INTO match_archives (match_id, versions, sha256, content)
SELECT p.id, versions, sha256, content FROM plan p JOIN match_archives a ON a.match_id = template
WHERE p.status <> 'expired' ORDER BY p.id;
INSERT INTO match_analyses (match_id, first_seat, roles)
SELECT p.id, first_seat, roles FROM plan p JOIN match_analyses a ON a.match_id = template WHERE p.status = 'finished';
UPDATE log_packing SET (matches, text_bytes, archive_bytes) = (
    SELECT matches + count(*), (text_bytes * (1 + count(*)::numeric / greatest(matches, 1)))::bigint,
           archive_bytes + coalesce(sum(octet_length(content)), 0)
    FROM plan p JOIN match_archives a ON a.match_id = p.id WHERE template IS NOT NULL);

-- Three different people at a match differ in what they are counted by.
CREATE TEMPORARY TABLE seating AS
SELECT id AS match_id, seat, ended - took - interval '1 minute' AS joined_at, n, random() < 0.33 AS is_passing,
       seat + seats * floor(:matches / 20 / seats * power(random(), 3))::int AS regular, seats
FROM plan, generate_series(0, seats - 1) AS seat;
INSERT INTO players (id, display_name, created_at)
SELECT md5(match_id::text || seat)::uuid, 'Passing ' || n, joined_at FROM seating WHERE is_passing;
INSERT INTO match_seats (match_id, seat, player_id, joined_at)
SELECT match_id, seat, CASE WHEN is_passing THEN md5(match_id::text || seat) ELSE md5('player ' || 1 + least(regular, :matches / 20 - 1)) END::uuid,
       joined_at
FROM seating ORDER BY match_id, seat;

-- Forty tables, and a party for every third match.
INSERT INTO tables (id, code, name, seats, created_at)
SELECT md5('table ' || n)::uuid, translate(lpad(n::text, 6, 'Z'), '01', 'BC'), 'Table ' || n, 6, now() - interval '400 days'
FROM generate_series(1, 40) AS n;
INSERT INTO sittings (id, table_id, party_size, join_token, opened_at, opened_by, remind_at, closed_at, ended)
SELECT pg_temp.id_at(ended - took - interval '9 minutes'), md5('table ' || 1 + n % 40)::uuid, seats, md5('token ' || n),
       ended - took - interval '9 minutes', md5('player 1')::uuid, ended, ended + interval '5 minutes', 'left'
FROM plan WHERE n % 3 = 0;

SELECT making FROM indexes \gexec
RESET session_replication_role;
ANALYZE;
