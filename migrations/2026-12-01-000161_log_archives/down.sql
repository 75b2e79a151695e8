-- What is packed can't be unpacked here.
DO $$
BEGIN
    IF EXISTS (SELECT FROM match_archives) THEN
        RAISE EXCEPTION 'logs have been packed: restore a backup from before instead';
    END IF;
END
$$;
ALTER TABLE cafe DROP COLUMN pack_logs_after_days;
DROP FUNCTION match_log_forget_packed(uuid);
DROP TRIGGER match_log_packed_first ON match_log;
CREATE OR REPLACE FUNCTION match_log_protect(partition text) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    EXECUTE format('CREATE TRIGGER match_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON public.%I '
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
DROP FUNCTION match_log_packed_first();
CREATE FUNCTION matches_schedule_bout_result() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO pending_bout_results (match_id, tournament_id, since)
    SELECT NEW.id, tournament_id, now() FROM tournament_bouts
    WHERE match_id = NEW.id OR games @> jsonb_build_array(jsonb_build_object('match', NEW.id))
    -- A worker that is processing this row waits for the new outcome.
    ON CONFLICT (match_id) DO UPDATE SET since = excluded.since;
    RETURN NULL;
END
$$;
CREATE TRIGGER matches_schedule_bout_result AFTER UPDATE OF status, outcome ON matches
    FOR EACH ROW WHEN (
        NEW.status IN ('finished', 'aborted', 'expired')
        AND (NEW.status <> OLD.status OR NEW.outcome IS DISTINCT FROM OLD.outcome)
    ) EXECUTE FUNCTION matches_schedule_bout_result();
DROP TRIGGER matches_note_end ON matches;
DROP TRIGGER matches_schedule_archive ON matches;
DROP FUNCTION matches_note_end(), matches_schedule_archive();
DROP TABLE match_archives, log_packing, pending_archives;
DROP FUNCTION match_archives_immutable(), match_archives_check(), match_log_text(uuid), match_is_settled(uuid);
