-- Tournaments: entrants, stages, rounds and bouts. The row of a tournament is the lock of all that belongs to it.
CREATE TABLE tournaments (
    id uuid CONSTRAINT tournaments_pkey PRIMARY KEY,
    code text NOT NULL CONSTRAINT tournaments_code_key UNIQUE,
    name text NOT NULL CONSTRAINT tournaments_name_length CHECK (char_length(name) BETWEEN 1 AND 60),
    game text NOT NULL,
    -- What is played where `game` is `other`: a game that the engine does not know.
    title text CONSTRAINT tournaments_title_length CHECK (char_length(title) BETWEEN 1 AND 60),
    mode text NOT NULL CONSTRAINT tournaments_mode_known CHECK (mode IN ('played', 'scored')),
    options jsonb NOT NULL,
    variant_id uuid,
    variant_version integer,
    turn_seconds integer CONSTRAINT tournaments_turn_seconds_range CHECK (turn_seconds BETWEEN 10 AND 86400),
    status text NOT NULL CONSTRAINT tournaments_status_known
        CHECK (status IN ('draft', 'registration', 'check_in', 'running', 'finished', 'cancelled')),
    -- A list; each stage has its format, scoring, tie-breaks, and how many advance to the next.
    stages jsonb NOT NULL,
    -- The current one, from 1.
    stage smallint NOT NULL CONSTRAINT tournaments_stage_range CHECK (stage BETWEEN 1 AND 3),
    seeding text NOT NULL CONSTRAINT tournaments_seeding_known CHECK (seeding IN ('rating', 'hand', 'draw')),
    most_entrants smallint CONSTRAINT tournaments_most_entrants_range CHECK (most_entrants BETWEEN 2 AND 256),
    -- Late entries are accepted up to this round of the first stage.
    late_until_round smallint CONSTRAINT tournaments_late_until_round_range CHECK (late_until_round BETWEEN 2 AND 99),
    round_minutes smallint CONSTRAINT tournaments_round_minutes_range CHECK (round_minutes BETWEEN 1 AND 600),
    -- The tables reserved for it; NULL: any table that is free.
    table_ids uuid[],
    -- Seeds the random order that breaks the last ties.
    draw_seed bigint NOT NULL,
    created_by uuid NOT NULL CONSTRAINT tournaments_created_by_fkey REFERENCES players (id),
    created_at timestamptz NOT NULL,
    starts_at timestamptz,
    check_in_until timestamptz,
    started_at timestamptz,
    over_at timestamptz,
    -- Rises by one with every change.
    revision bigint NOT NULL,
    CONSTRAINT tournaments_title_of_other CHECK ((game = 'other') = (title IS NOT NULL)),
    CONSTRAINT tournaments_other_is_scored CHECK (game <> 'other' OR mode = 'scored'),
    CONSTRAINT tournaments_turns_are_played CHECK (mode = 'played' OR turn_seconds IS NULL),
    CONSTRAINT tournaments_over_at_its_end CHECK ((status IN ('finished', 'cancelled')) = (over_at IS NOT NULL)),
    CONSTRAINT tournaments_variant_fkey FOREIGN KEY (variant_id, variant_version)
        REFERENCES variant_versions (variant_id, number) MATCH FULL
);

CREATE INDEX tournaments_status_idx ON tournaments (status, id);
CREATE INDEX tournaments_variant_idx ON tournaments (variant_id, variant_version) WHERE variant_id IS NOT NULL;
-- Those in which something may need staff.
CREATE INDEX tournaments_open_idx ON tournaments (id) WHERE status IN ('check_in', 'running');

-- A player in a tournament. Numbers are never used again.
CREATE TABLE tournament_entrants (
    tournament_id uuid NOT NULL CONSTRAINT tournament_entrants_tournament_id_fkey REFERENCES tournaments (id),
    number integer NOT NULL CONSTRAINT tournament_entrants_number_range CHECK (number >= 1),
    player_id uuid NOT NULL CONSTRAINT tournament_entrants_player_id_fkey REFERENCES players (id),
    status text NOT NULL CONSTRAINT tournament_entrants_status_known
        CHECK (status IN ('entered', 'waiting', 'checked_in', 'no_show', 'dropped')),
    seed smallint CONSTRAINT tournament_entrants_seed_range CHECK (seed >= 1),
    entered_at timestamptz NOT NULL,
    -- Also set for those on the waiting list who have come.
    checked_in_at timestamptz,
    dropped_at timestamptz,
    CONSTRAINT tournament_entrants_pkey PRIMARY KEY (tournament_id, number),
    CONSTRAINT tournament_entrants_player_id_key UNIQUE (tournament_id, player_id),
    CONSTRAINT tournament_entrants_dropped_at_some_time CHECK (status <> 'dropped' OR dropped_at IS NOT NULL)
);

CREATE INDEX tournament_entrants_player_idx ON tournament_entrants (player_id, tournament_id);

-- An entrant in a stage.
CREATE TABLE tournament_participants (
    tournament_id uuid NOT NULL,
    stage smallint NOT NULL CONSTRAINT tournament_participants_stage_range CHECK (stage BETWEEN 1 AND 3),
    entrant integer NOT NULL,
    seed smallint NOT NULL CONSTRAINT tournament_participants_seed_range CHECK (seed >= 1),
    from_round smallint NOT NULL CONSTRAINT tournament_participants_from_round_range CHECK (from_round >= 1),
    -- The last round in which they are paired.
    until_round smallint CONSTRAINT tournament_participants_until_round_range CHECK (until_round >= 0),
    CONSTRAINT tournament_participants_pkey PRIMARY KEY (tournament_id, stage, entrant),
    CONSTRAINT tournament_participants_entrant_fkey FOREIGN KEY (tournament_id, entrant)
        REFERENCES tournament_entrants (tournament_id, number)
);

-- Bouts that were paired together: in a bracket, those that could be played by then.
CREATE TABLE tournament_rounds (
    tournament_id uuid NOT NULL CONSTRAINT tournament_rounds_tournament_id_fkey REFERENCES tournaments (id),
    stage smallint NOT NULL CONSTRAINT tournament_rounds_stage_range CHECK (stage BETWEEN 1 AND 3),
    round smallint NOT NULL CONSTRAINT tournament_rounds_round_range CHECK (round >= 1),
    status text NOT NULL CONSTRAINT tournament_rounds_status_known
        CHECK (status IN ('draft', 'published', 'running', 'closed')),
    drafted_at timestamptz NOT NULL,
    published_at timestamptz,
    started_at timestamptz,
    ends_at timestamptz,
    closed_at timestamptz,
    CONSTRAINT tournament_rounds_pkey PRIMARY KEY (tournament_id, stage, round),
    CONSTRAINT tournament_rounds_published_at_some_time CHECK ((status = 'draft') = (published_at IS NULL)),
    CONSTRAINT tournament_rounds_closed_at_some_time CHECK ((status = 'closed') = (closed_at IS NOT NULL))
);

-- One draft at a time: two would contradict each other.
CREATE UNIQUE INDEX tournament_rounds_draft_key ON tournament_rounds (tournament_id) WHERE status = 'draft';

-- A pairing: the entrants who play together, in the order of their seats. A single entrant has a bye.
CREATE TABLE tournament_bouts (
    tournament_id uuid NOT NULL,
    stage smallint NOT NULL,
    -- Unique within its stage, as in `main-1-3`.
    key text NOT NULL CONSTRAINT tournament_bouts_key_form CHECK (key ~ '^[a-z][a-z_-]{0,20}-[0-9]{1,5}-[0-9]{1,5}$'),
    -- The round with which it was paired.
    round smallint NOT NULL,
    entrants integer[] NOT NULL CONSTRAINT tournament_bouts_entrants_many
        CHECK (cardinality(entrants) BETWEEN 1 AND 16),
    -- Why these entrants were paired; public.
    reasons jsonb NOT NULL,
    table_id uuid CONSTRAINT tournament_bouts_table_id_fkey REFERENCES tables (id),
    match_id uuid CONSTRAINT tournament_bouts_match_id_fkey REFERENCES matches (id),
    result jsonb,
    -- NULL where the result is that of its match.
    settled_by uuid CONSTRAINT tournament_bouts_settled_by_fkey REFERENCES players (id),
    settled_at timestamptz,
    -- The result of its match now, where it does not count until staff have reviewed it.
    claim jsonb,
    claimed_at timestamptz,
    CONSTRAINT tournament_bouts_pkey PRIMARY KEY (tournament_id, stage, key),
    CONSTRAINT tournament_bouts_round_fkey FOREIGN KEY (tournament_id, stage, round)
        REFERENCES tournament_rounds (tournament_id, stage, round),
    CONSTRAINT tournament_bouts_settled_at_some_time CHECK ((result IS NULL) = (settled_at IS NULL)),
    CONSTRAINT tournament_bouts_claimed_at_some_time CHECK ((claim IS NULL) = (claimed_at IS NULL))
);

CREATE INDEX tournament_bouts_round_idx ON tournament_bouts (tournament_id, stage, round);
CREATE UNIQUE INDEX tournament_bouts_match_id_key ON tournament_bouts (match_id) WHERE match_id IS NOT NULL;
-- One open bout at a table.
CREATE UNIQUE INDEX tournament_bouts_table_id_key ON tournament_bouts (table_id)
    WHERE table_id IS NOT NULL AND result IS NULL;

-- Bouts whose match ended, or changed its outcome, and whose tournament has not taken that in yet.
CREATE TABLE pending_bout_results (
    match_id uuid CONSTRAINT pending_bout_results_pkey PRIMARY KEY
        CONSTRAINT pending_bout_results_match_id_fkey REFERENCES matches (id) ON DELETE CASCADE,
    tournament_id uuid NOT NULL CONSTRAINT pending_bout_results_tournament_id_fkey REFERENCES tournaments (id),
    since timestamptz NOT NULL
);

CREATE INDEX pending_bout_results_tournament_idx ON pending_bout_results (tournament_id);

CREATE FUNCTION matches_schedule_bout_result() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO pending_bout_results (match_id, tournament_id, since)
    SELECT NEW.id, tournament_id, now() FROM tournament_bouts WHERE match_id = NEW.id
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
