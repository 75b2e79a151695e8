DROP TRIGGER matches_stats_dirty ON matches;
CREATE OR REPLACE FUNCTION matches_stats_dirty() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.finished_at IS NOT NULL AND OLD.finished_at IS DISTINCT FROM NEW.finished_at THEN
        PERFORM mark_stats_dirty(OLD.id, OLD.finished_at, OLD.finished_at);
    END IF;
    IF NEW.finished_at IS NOT NULL THEN
        PERFORM mark_stats_dirty(NEW.id, NEW.finished_at, NEW.finished_at);
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER matches_stats_dirty AFTER UPDATE OF status, outcome, started_at, finished_at ON matches
    FOR EACH ROW WHEN (
        (OLD.finished_at IS NOT NULL OR NEW.finished_at IS NOT NULL)
        AND (OLD.status, OLD.outcome, OLD.started_at, OLD.finished_at)
            IS DISTINCT FROM (NEW.status, NEW.outcome, NEW.started_at, NEW.finished_at)
    ) EXECUTE FUNCTION matches_stats_dirty();

DROP TRIGGER matches_note_end ON matches;
CREATE TRIGGER matches_note_end AFTER UPDATE OF status, outcome ON matches
    FOR EACH ROW WHEN (
        NEW.status IN ('finished', 'aborted', 'expired')
        AND (NEW.status <> OLD.status OR NEW.outcome IS DISTINCT FROM OLD.outcome)
    ) EXECUTE FUNCTION matches_note_end();

DROP TRIGGER matches_tell_finished ON matches;
CREATE TRIGGER matches_tell_finished AFTER UPDATE OF status ON matches
    FOR EACH ROW WHEN (NEW.status = 'finished' AND OLD.status <> 'finished') EXECUTE FUNCTION matches_tell_webhooks();

DROP TRIGGER matches_change_result ON matches;
CREATE TRIGGER matches_change_result AFTER UPDATE OF status, outcome ON matches
    FOR EACH ROW WHEN (
        (NEW.status = 'finished' OR OLD.status = 'finished')
        AND (NEW.status <> OLD.status OR NEW.outcome IS DISTINCT FROM OLD.outcome)
    ) EXECUTE FUNCTION matches_schedule_projection();

DROP TRIGGER matches_run_clock ON matches;
CREATE TRIGGER matches_run_clock AFTER UPDATE ON matches FOR EACH ROW
    WHEN (NEW.turn_seconds IS NOT NULL AND (
        NEW.version <> OLD.version OR NEW.status <> OLD.status OR NEW.resigned <> OLD.resigned
    ))
    EXECUTE FUNCTION matches_run_clock();

ALTER TABLE matches
    DROP CONSTRAINT matches_status_holds,
    ADD CONSTRAINT matches_status_known CHECK (status IN ('waiting', 'running', 'finished', 'aborted', 'expired')),
    ADD CONSTRAINT matches_waiting_is_blank CHECK (
        status <> 'waiting' OR (started_at IS NULL AND state IS NULL AND version = 0)
    ),
    ADD CONSTRAINT matches_running_has_state CHECK (
        status <> 'running'
        OR (started_at IS NOT NULL AND moved_at IS NOT NULL
            AND (mode = 'scored' OR (state IS NOT NULL AND to_move <> 0)))
    ),
    ADD CONSTRAINT matches_finished_has_outcome CHECK (
        (status = 'finished') = (outcome IS NOT NULL)
        AND (status <> 'finished' OR ((mode = 'scored' OR state IS NOT NULL) AND to_move = 0))
    ),
    ADD CONSTRAINT matches_over_has_end CHECK ((status IN ('waiting', 'running')) = (finished_at IS NULL)),
    ADD CONSTRAINT matches_version_range CHECK (version >= 0);
