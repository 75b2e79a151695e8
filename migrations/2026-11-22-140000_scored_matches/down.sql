DROP TABLE match_results;
DROP FUNCTION match_results_stay;
ALTER TABLE match_terms DROP COLUMN title;
ALTER TABLE matches
    DROP CONSTRAINT matches_scored_is_not_played,
    DROP CONSTRAINT matches_mode_known,
    ADD CONSTRAINT matches_mode_known CHECK (mode IN ('played')),
    DROP CONSTRAINT matches_running_has_state,
    ADD CONSTRAINT matches_running_has_state CHECK (
        status <> 'running' OR (state IS NOT NULL AND started_at IS NOT NULL AND moved_at IS NOT NULL AND to_move <> 0)
    ),
    DROP CONSTRAINT matches_finished_has_outcome,
    ADD CONSTRAINT matches_finished_has_outcome CHECK (
        (status = 'finished') = (outcome IS NOT NULL) AND (status <> 'finished' OR (state IS NOT NULL AND to_move = 0))
    );
