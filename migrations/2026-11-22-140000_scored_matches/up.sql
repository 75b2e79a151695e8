-- A match that is played with real dice and cards, and written down by its players. Nothing of it is played here: it has no state and no log.
ALTER TABLE matches
    DROP CONSTRAINT matches_mode_known,
    ADD CONSTRAINT matches_mode_known CHECK (mode IN ('played', 'scored')),
    DROP CONSTRAINT matches_running_has_state,
    ADD CONSTRAINT matches_running_has_state CHECK (
        status <> 'running'
        OR (started_at IS NOT NULL AND moved_at IS NOT NULL AND (mode = 'scored' OR (state IS NOT NULL AND to_move <> 0)))
    ),
    DROP CONSTRAINT matches_finished_has_outcome,
    ADD CONSTRAINT matches_finished_has_outcome CHECK (
        (status = 'finished') = (outcome IS NOT NULL)
        AND (status <> 'finished' OR ((mode = 'scored' OR state IS NOT NULL) AND to_move = 0))
    ),
    ADD CONSTRAINT matches_scored_is_not_played CHECK (
        mode <> 'scored' OR (state IS NULL AND version = 0 AND to_move = 0 AND turn_seconds IS NULL)
    );

-- What is played where it is no game of ours: `matches.game` is `other` then.
ALTER TABLE match_terms ADD COLUMN title text CONSTRAINT match_terms_title_length CHECK (char_length(title) BETWEEN 1 AND 60);

-- What was written down, by whom, and what became of it. What was written stays; only its status changes.
CREATE TABLE match_results (
    id uuid CONSTRAINT match_results_pkey PRIMARY KEY,
    match_id uuid NOT NULL CONSTRAINT match_results_match_id_fkey REFERENCES matches (id),
    number integer NOT NULL CONSTRAINT match_results_number_range CHECK (number >= 1),
    -- Of the form of `matches.outcome`.
    outcome jsonb NOT NULL,
    status text NOT NULL CONSTRAINT match_results_status_known
        CHECK (status IN ('reported', 'disputed', 'confirmed', 'replaced')),
    reported_by uuid NOT NULL CONSTRAINT match_results_reported_by_fkey REFERENCES players (id),
    by_staff boolean NOT NULL,
    reason text CONSTRAINT match_results_reason_length CHECK (char_length(reason) BETWEEN 1 AND 200),
    created_at timestamptz NOT NULL,
    confirmed_by uuid CONSTRAINT match_results_confirmed_by_fkey REFERENCES players (id),
    confirmed_at timestamptz,
    CONSTRAINT match_results_number_key UNIQUE (match_id, number),
    CONSTRAINT match_results_confirmed_by_somebody CHECK (
        (confirmed_by IS NULL) = (confirmed_at IS NULL) AND (status <> 'confirmed' OR confirmed_by IS NOT NULL)
    )
);

CREATE UNIQUE INDEX match_results_confirmed_key ON match_results (match_id) WHERE status = 'confirmed';
CREATE INDEX match_results_reported_by_idx ON match_results (reported_by, id);
CREATE INDEX match_results_confirmed_by_idx ON match_results (confirmed_by, id) WHERE confirmed_by IS NOT NULL;
-- Those that wait for somebody.
CREATE INDEX match_results_open_idx ON match_results (id) WHERE status IN ('reported', 'disputed');

CREATE FUNCTION match_results_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- A guest may turn out to be another player; what they said stays.
    IF TG_OP = 'DELETE' OR (NEW.id, NEW.match_id, NEW.number, NEW.outcome, NEW.by_staff, NEW.reason, NEW.created_at)
        IS DISTINCT FROM (OLD.id, OLD.match_id, OLD.number, OLD.outcome, OLD.by_staff, OLD.reason, OLD.created_at)
    THEN
        RAISE EXCEPTION 'what was written down of a match stays' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER match_results_stay BEFORE UPDATE OR DELETE ON match_results
    FOR EACH ROW EXECUTE FUNCTION match_results_stay();
