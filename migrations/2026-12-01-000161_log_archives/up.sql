-- Logs of matches that have been over for long, packed: what was rows of match_log is one row here, byte for byte.
CREATE TABLE match_archives (
    match_id uuid CONSTRAINT match_archives_pkey PRIMARY KEY
        CONSTRAINT match_archives_match_id_fkey REFERENCES matches (id),
    -- The number of rows: one for each move, and one for the set-up.
    versions integer NOT NULL CONSTRAINT match_archives_versions_range CHECK (versions >= 1),
    -- SHA-256 of `match_log_text`, as the database had it when the rows were still there.
    sha256 bytea NOT NULL CONSTRAINT match_archives_sha256_length CHECK (octet_length(sha256) = 32),
    -- That text, compressed: docs/decisions/0018.
    content bytea NOT NULL
);
-- It is compressed already.
ALTER TABLE match_archives ALTER COLUMN content SET STORAGE EXTERNAL;

-- How much was packed so far, and when last.
CREATE TABLE log_packing (
    singleton boolean CONSTRAINT log_packing_pkey PRIMARY KEY DEFAULT true
        CONSTRAINT log_packing_singleton CHECK (singleton),
    matches bigint NOT NULL DEFAULT 0,
    -- Of the texts, before and after.
    text_bytes bigint NOT NULL DEFAULT 0,
    archive_bytes bigint NOT NULL DEFAULT 0,
    packed_at timestamptz
);
INSERT INTO log_packing DEFAULT VALUES;

-- Matches that are over and whose logs are not packed.
CREATE TABLE pending_archives (
    match_id uuid CONSTRAINT pending_archives_pkey PRIMARY KEY
        CONSTRAINT pending_archives_match_id_fkey REFERENCES matches (id) ON DELETE CASCADE,
    finished_at timestamptz NOT NULL
);
CREATE INDEX pending_archives_finished_at_idx ON pending_archives (finished_at, match_id);

INSERT INTO pending_archives (match_id, finished_at)
SELECT id, finished_at FROM matches WHERE finished_at IS NOT NULL AND started_at IS NOT NULL AND mode = 'played';

CREATE FUNCTION matches_schedule_archive() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO pending_archives (match_id, finished_at) VALUES (NEW.id, NEW.finished_at)
    ON CONFLICT (match_id) DO UPDATE SET finished_at = excluded.finished_at;
    RETURN NULL;
END
$$;

CREATE TRIGGER matches_schedule_archive AFTER INSERT ON matches
    FOR EACH ROW WHEN (NEW.finished_at IS NOT NULL AND NEW.started_at IS NOT NULL AND NEW.mode = 'played')
    EXECUTE FUNCTION matches_schedule_archive();

-- One trigger for all that follows the end of a match: each of them costs every move the question whether it fires.
CREATE FUNCTION matches_note_end() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO pending_bout_results (match_id, tournament_id, since)
    SELECT NEW.id, tournament_id, now() FROM tournament_bouts
    WHERE match_id = NEW.id OR games @> jsonb_build_array(jsonb_build_object('match', NEW.id))
    -- A worker that is processing this row waits for the new outcome.
    ON CONFLICT (match_id) DO UPDATE SET since = excluded.since;
    IF NEW.started_at IS NOT NULL AND NEW.mode = 'played' THEN
        INSERT INTO pending_archives (match_id, finished_at) VALUES (NEW.id, NEW.finished_at)
        ON CONFLICT (match_id) DO UPDATE SET finished_at = excluded.finished_at;
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER matches_note_end AFTER UPDATE OF status, outcome ON matches
    FOR EACH ROW WHEN (
        NEW.status IN ('finished', 'aborted', 'expired')
        AND (NEW.status <> OLD.status OR NEW.outcome IS DISTINCT FROM OLD.outcome)
    ) EXECUTE FUNCTION matches_note_end();
DROP TRIGGER matches_schedule_bout_result ON matches;
DROP FUNCTION matches_schedule_bout_result();

-- Whether nothing is still to be done with the log of a match: it is over, and statistics, ratings, figures and tournaments have it.
CREATE FUNCTION match_is_settled(wanted uuid) RETURNS boolean LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT EXISTS (
        SELECT FROM public.matches m
        WHERE m.id = wanted AND m.finished_at IS NOT NULL
            AND NOT EXISTS (SELECT FROM public.pending_projections p WHERE p.match_id = m.id)
            AND NOT EXISTS (SELECT FROM public.pending_bout_results p WHERE p.match_id = m.id)
            AND (m.status <> 'finished' OR m.state IS NULL OR EXISTS (SELECT FROM public.match_analyses a WHERE a.match_id = m.id))
    )
$$;

-- The log of a match as one text: a line of JSON for each version, with the stored texts of its JSON as they are.
CREATE FUNCTION match_log_text(wanted uuid) RETURNS text LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT string_agg(json_build_array(version, seat, made_by, (extract(epoch FROM at) * 1000000)::bigint, idempotency_key, move, chance,
                                       events)::text, E'\n' ORDER BY version)
    FROM public.match_log WHERE match_id = wanted
$$;

CREATE FUNCTION match_archives_check() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NOT public.match_is_settled(NEW.match_id) THEN
        RAISE EXCEPTION 'the log of this match is still needed' USING ERRCODE = 'restrict_violation';
    END IF;
    IF (NEW.versions, NEW.versions - 1, NEW.sha256) IS DISTINCT FROM (
        SELECT (count(*)::integer, max(version), sha256(convert_to(public.match_log_text(NEW.match_id), 'UTF8')))
        FROM public.match_log WHERE match_id = NEW.match_id
    ) THEN
        RAISE EXCEPTION 'an archive has what the log has' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER match_archives_check BEFORE INSERT ON match_archives
    FOR EACH ROW EXECUTE FUNCTION match_archives_check();

CREATE FUNCTION match_archives_immutable() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a packed log never changes' USING ERRCODE = 'restrict_violation';
END
$$;

CREATE TRIGGER match_archives_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON match_archives
    FOR EACH STATEMENT EXECUTE FUNCTION match_archives_immutable();

-- The log still only grows, but for rows that an archive has.
CREATE FUNCTION match_log_packed_first() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.match_archives WHERE match_id = OLD.match_id AND versions > OLD.version) THEN
        RAISE EXCEPTION 'the log of a match is append-only' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN OLD;
END
$$;

CREATE OR REPLACE FUNCTION match_log_protect(partition text) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    EXECUTE format('CREATE TRIGGER match_log_append_only BEFORE UPDATE OR TRUNCATE ON public.%I '
        'FOR EACH STATEMENT EXECUTE FUNCTION public.match_log_is_append_only()', partition);
END
$$;

DO $$
DECLARE
    partition text;
BEGIN
    FOR partition IN
        SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'match_log'::regclass UNION ALL SELECT 'match_log'
    LOOP
        EXECUTE format('DROP TRIGGER match_log_append_only ON %I', partition);
        PERFORM match_log_protect(partition);
    END LOOP;
END
$$;
-- Partitions that are made later have it, too.
CREATE TRIGGER match_log_packed_first BEFORE DELETE ON match_log FOR EACH ROW EXECUTE FUNCTION match_log_packed_first();

-- Deletes the rows of a match that an archive has: how many. For the server, whose role may not delete from the log.
CREATE FUNCTION match_log_forget_packed(packed uuid) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    deleted bigint;
BEGIN
    DELETE FROM public.match_log WHERE match_id = packed;
    GET DIAGNOSTICS deleted = ROW_COUNT;
    RETURN deleted;
END
$$;
REVOKE EXECUTE ON FUNCTION match_log_forget_packed FROM PUBLIC;

-- NULL keeps all logs as they are.
ALTER TABLE cafe ADD COLUMN pack_logs_after_days smallint DEFAULT 30
    CONSTRAINT cafe_pack_logs_after_days_range CHECK (pack_logs_after_days BETWEEN 1 AND 3650);
