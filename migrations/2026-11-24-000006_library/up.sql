-- The box games on the café's shelves: titles, and the copies of each.
CREATE TABLE titles (
    id uuid CONSTRAINT titles_pkey PRIMARY KEY,
    -- A game of the engine: its rules are our own page, and its matches count as plays.
    game text CONSTRAINT titles_game_key UNIQUE,
    name_ko text NOT NULL CONSTRAINT titles_name_ko_length CHECK (char_length(name_ko) BETWEEN 1 AND 80),
    name_en text NOT NULL CONSTRAINT titles_name_en_length CHECK (char_length(name_en) BETWEEN 1 AND 80),
    name_es text NOT NULL CONSTRAINT titles_name_es_length CHECK (char_length(name_es) BETWEEN 1 AND 80),
    players_from smallint NOT NULL,
    players_to smallint NOT NULL,
    minutes_from smallint NOT NULL,
    minutes_to smallint NOT NULL,
    difficulty text NOT NULL CONSTRAINT titles_difficulty_known CHECK (difficulty IN ('easy', 'medium', 'hard')),
    teach_minutes smallint CONSTRAINT titles_teach_minutes_range CHECK (teach_minutes BETWEEN 1 AND 240),
    rules_url text CONSTRAINT titles_rules_url_shape CHECK (rules_url ~ '^https?://' AND char_length(rules_url) <= 300),
    created_at timestamptz NOT NULL,
    archived_at timestamptz,
    -- The three names in lower case, without accents, spaces and punctuation. `library/names.rs` folds the query alike.
    search_text text NOT NULL GENERATED ALWAYS AS (translate(
        lower(name_ko || E'\n' || name_en || E'\n' || name_es),
        'áàâäãéèêëíìîïóòôöõúùûüñç -_.,:;!?''"’“”·()&/', 'aaaaaeeeeiiiiooooouuuunc'
    )) STORED,
    CONSTRAINT titles_players_range CHECK (1 <= players_from AND players_from <= players_to AND players_to <= 99),
    CONSTRAINT titles_minutes_range CHECK (1 <= minutes_from AND minutes_from <= minutes_to AND minutes_to <= 1440),
    CONSTRAINT titles_one_rules_page CHECK (game IS NULL OR rules_url IS NULL)
);

-- The name of an archived title may be used again.
CREATE UNIQUE INDEX titles_name_ko_key ON titles (lower(name_ko)) WHERE archived_at IS NULL;

-- A copy and where it is now.
CREATE TABLE copies (
    id uuid CONSTRAINT copies_pkey PRIMARY KEY,
    title_id uuid NOT NULL CONSTRAINT copies_title_id_fkey REFERENCES titles (id),
    -- Tells it from the title's other copies.
    number smallint NOT NULL CONSTRAINT copies_number_range CHECK (number BETWEEN 1 AND 99),
    -- Where it belongs.
    shelf text NOT NULL CONSTRAINT copies_shelf_length CHECK (char_length(shelf) BETWEEN 1 AND 20),
    state text NOT NULL DEFAULT 'shelf'
        CONSTRAINT copies_state_known CHECK (state IN ('shelf', 'table', 'return', 'repair', 'lost')),
    table_id uuid CONSTRAINT copies_table_id_fkey REFERENCES tables (id),
    -- When it came to where it is.
    since timestamptz NOT NULL,
    -- When it last left a table.
    played_at timestamptz,
    created_at timestamptz NOT NULL,
    archived_at timestamptz,
    CONSTRAINT copies_number_key UNIQUE (title_id, number),
    CONSTRAINT copies_one_location CHECK ((state = 'table') = (table_id IS NOT NULL)),
    CONSTRAINT copies_archived_is_away CHECK (archived_at IS NULL OR state <> 'table')
);

CREATE INDEX copies_state_idx ON copies (state, since) WHERE archived_at IS NULL AND state <> 'shelf';
CREATE INDEX copies_table_id_idx ON copies (table_id) WHERE table_id IS NOT NULL;

-- Everywhere that a copy has been. Append-only.
CREATE TABLE copy_locations (
    id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT copy_locations_pkey PRIMARY KEY,
    copy_id uuid NOT NULL CONSTRAINT copy_locations_copy_id_fkey REFERENCES copies (id),
    -- What brought it there; NULL when it came into the library.
    transfer text CONSTRAINT copy_locations_transfer_known
        CHECK (transfer IN ('lend', 'carry', 'take_back', 'check_in', 'repair', 'lose', 'find', 'undo')),
    state text NOT NULL
        CONSTRAINT copy_locations_state_known CHECK (state IN ('shelf', 'table', 'return', 'repair', 'lost')),
    table_id uuid CONSTRAINT copy_locations_table_id_fkey REFERENCES tables (id),
    -- NULL for the copies that were there from the start.
    made_by uuid CONSTRAINT copy_locations_made_by_fkey REFERENCES players (id),
    at timestamptz NOT NULL,
    CONSTRAINT copy_locations_one_location CHECK ((state = 'table') = (table_id IS NOT NULL))
);

CREATE INDEX copy_locations_copy_id_idx ON copy_locations (copy_id, id);

CREATE FUNCTION copy_locations_are_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the history of a copy is append-only' USING ERRCODE = 'restrict_violation';
END
$$;

CREATE TRIGGER copy_locations_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON copy_locations
    FOR EACH STATEMENT EXECUTE FUNCTION copy_locations_are_append_only();

-- Notes on a copy's condition.
CREATE TABLE copy_notes (
    id uuid CONSTRAINT copy_notes_pkey PRIMARY KEY,
    copy_id uuid NOT NULL CONSTRAINT copy_notes_copy_id_fkey REFERENCES copies (id),
    body text NOT NULL CONSTRAINT copy_notes_body_length CHECK (char_length(body) BETWEEN 1 AND 300),
    created_by uuid NOT NULL CONSTRAINT copy_notes_created_by_fkey REFERENCES players (id),
    created_at timestamptz NOT NULL,
    settled_by uuid CONSTRAINT copy_notes_settled_by_fkey REFERENCES players (id),
    settled_at timestamptz,
    CONSTRAINT copy_notes_settled_by_somebody CHECK ((settled_by IS NULL) = (settled_at IS NULL))
);

CREATE INDEX copy_notes_copy_id_idx ON copy_notes (copy_id, id);

-- A new café has one copy of each of the engine's games, on the counter (카운터).
WITH house (
    game, name_ko, name_en, name_es, players_from, players_to, minutes_from, minutes_to, difficulty, teach_minutes
) AS (
    VALUES
        ('perudo', '페루도', 'Perudo', 'Perudo', 2, 6, 15, 25, 'easy', 5),
        ('perudo-pirates', '페루도: 해적판', 'Perudo: Pirate Edition', 'Perudo: edición pirata',
            2, 6, 15, 25, 'medium', 8),
        ('liars-dice', '라이어스 다이스', 'Liar''s Dice', 'Dados del mentiroso', 2, 6, 10, 20, 'easy', 5),
        ('dead-mans-draw', '데드맨스드로우', 'Dead Man''s Draw', 'Dead Man''s Draw', 2, 4, 10, 20, 'easy', 5),
        ('animal-kingdom', '동물의 호구왕국', 'Animal Kingdom', 'El reino animal', 10, 10, 40, 80, 'medium', 15),
        ('hogu-clue', '호구 클루', 'Hogu Clue', 'Hogu Clue', 2, 6, 10, 20, 'medium', 8),
        ('middle-race', '중간 달리기', 'Middle Race', 'Carrera del medio', 3, 10, 30, 60, 'medium', 10)
), entered AS (
    INSERT INTO titles (
        id, game, name_ko, name_en, name_es, players_from, players_to, minutes_from, minutes_to, difficulty,
        teach_minutes, created_at
    )
    SELECT gen_random_uuid(), house.*, now() FROM house
    RETURNING id
)
INSERT INTO copies (id, title_id, number, shelf, since, created_at)
SELECT gen_random_uuid(), id, 1, '카운터', now(), now() FROM entered;
INSERT INTO copy_locations (copy_id, state, at) SELECT id, state, since FROM copies;
