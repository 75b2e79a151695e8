-- Where everybody came in a tournament that is over, as its standings say after each change. What is read over many tournaments is
-- read from here.
CREATE TABLE tournament_places (
    tournament_id uuid CONSTRAINT tournament_places_pkey PRIMARY KEY
        CONSTRAINT tournament_places_tournament_id_fkey REFERENCES tournaments (id),
    -- [{"person": the entrant's number, "rank": 1, "score": hundredths}], the best first.
    places jsonb NOT NULL CONSTRAINT tournament_places_list CHECK (jsonb_typeof(places) = 'array')
);

-- A season of tournaments whose results add up.
CREATE TABLE series (
    id uuid CONSTRAINT series_pkey PRIMARY KEY,
    code text NOT NULL CONSTRAINT series_code_key UNIQUE,
    name text NOT NULL CONSTRAINT series_name_length CHECK (length(name) BETWEEN 1 AND 60),
    status text NOT NULL CONSTRAINT series_status_known CHECK (status IN ('draft', 'running', 'ended')),
    -- What an event brings, and what of it counts.
    rules jsonb NOT NULL CONSTRAINT series_rules_object CHECK (jsonb_typeof(rules) = 'object'),
    -- The season before.
    previous_id uuid CONSTRAINT series_previous_id_fkey REFERENCES series (id) CONSTRAINT series_previous_id_key UNIQUE,
    created_by uuid NOT NULL CONSTRAINT series_created_by_fkey REFERENCES players (id),
    created_at timestamptz NOT NULL,
    revision bigint NOT NULL CONSTRAINT series_revision_positive CHECK (revision >= 1)
);

-- The divisions of a season, 1 the highest.
CREATE TABLE series_divisions (
    series_id uuid NOT NULL CONSTRAINT series_divisions_series_id_fkey REFERENCES series (id) ON DELETE CASCADE,
    number smallint NOT NULL CONSTRAINT series_divisions_number_range CHECK (number BETWEEN 1 AND 12),
    name text NOT NULL CONSTRAINT series_divisions_name_length CHECK (length(name) BETWEEN 1 AND 60),
    -- How many go up at the end of the season, and how many down.
    promoted smallint NOT NULL CONSTRAINT series_divisions_promoted_range CHECK (promoted BETWEEN 0 AND 99),
    relegated smallint NOT NULL CONSTRAINT series_divisions_relegated_range CHECK (relegated BETWEEN 0 AND 99),
    CONSTRAINT series_divisions_pkey PRIMARY KEY (series_id, number)
);

CREATE TABLE series_events (
    series_id uuid NOT NULL CONSTRAINT series_events_series_id_fkey REFERENCES series (id) ON DELETE CASCADE,
    tournament_id uuid NOT NULL CONSTRAINT series_events_tournament_id_fkey REFERENCES tournaments (id),
    -- NULL where it counts for all divisions.
    division smallint,
    CONSTRAINT series_events_pkey PRIMARY KEY (series_id, tournament_id),
    CONSTRAINT series_events_division_fkey FOREIGN KEY (series_id, division) REFERENCES series_divisions (series_id, number)
);

CREATE INDEX series_events_tournament_idx ON series_events (tournament_id);

-- What staff say of an account in a season: whose it is, and in which division that person plays.
CREATE TABLE series_people (
    series_id uuid NOT NULL CONSTRAINT series_people_series_id_fkey REFERENCES series (id) ON DELETE CASCADE,
    player_id uuid NOT NULL CONSTRAINT series_people_player_id_fkey REFERENCES players (id),
    -- The account of the same person; the account itself where it is somebody else than those of its name; NULL where its name says it.
    same_as uuid CONSTRAINT series_people_same_as_fkey REFERENCES players (id),
    division smallint,
    CONSTRAINT series_people_pkey PRIMARY KEY (series_id, player_id),
    CONSTRAINT series_people_division_fkey FOREIGN KEY (series_id, division) REFERENCES series_divisions (series_id, number)
);

CREATE INDEX series_people_player_idx ON series_people (player_id);
CREATE INDEX series_people_same_as_idx ON series_people (same_as);
