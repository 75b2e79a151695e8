-- The box games on the café's shelves: titles, and the copies of each that stand somewhere.
CREATE TABLE titles (
    id uuid CONSTRAINT titles_pkey PRIMARY KEY,
    -- One that the house plays too: its rules are our page, and its matches count as plays.
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
    -- All three names as they are searched: in lower case, without accents, spaces and marks. `library/names.rs` folds what is asked for alike.
    search text NOT NULL GENERATED ALWAYS AS (translate(
        lower(name_ko || E'\n' || name_en || E'\n' || name_es),
        'áàâäãéèêëíìîïóòôöõúùûüñç -_.,:;!?''"’“”·()&/', 'aaaaaeeeeiiiiooooouuuunc'
    )) STORED,
    CONSTRAINT titles_players_range CHECK (1 <= players_from AND players_from <= players_to AND players_to <= 99),
    CONSTRAINT titles_minutes_range CHECK (1 <= minutes_from AND minutes_from <= minutes_to AND minutes_to <= 1440),
    CONSTRAINT titles_one_rules_page CHECK (game IS NULL OR rules_url IS NULL)
);

-- Two of one name would be mixed up; an archived one may hand its name on.
CREATE UNIQUE INDEX titles_name_ko_key ON titles (lower(name_ko)) WHERE archived_at IS NULL;

-- A copy is in one place only: the one that its row says.
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
    CONSTRAINT copies_one_place CHECK ((state = 'table') = (table_id IS NOT NULL)),
    CONSTRAINT copies_archived_is_away CHECK (archived_at IS NULL OR state <> 'table')
);

CREATE INDEX copies_state_idx ON copies (state, since) WHERE archived_at IS NULL AND state <> 'shelf';
CREATE INDEX copies_table_id_idx ON copies (table_id) WHERE table_id IS NOT NULL;

-- Every place that a copy came to. Written once, never changed.
CREATE TABLE copy_places (
    id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT copy_places_pkey PRIMARY KEY,
    copy_id uuid NOT NULL CONSTRAINT copy_places_copy_id_fkey REFERENCES copies (id),
    -- What brought it there; none when it came into the library.
    errand text CONSTRAINT copy_places_errand_known
        CHECK (errand IN ('lend', 'take_back', 'check_in', 'repair', 'lose', 'find', 'undo')),
    state text NOT NULL
        CONSTRAINT copy_places_state_known CHECK (state IN ('shelf', 'table', 'return', 'repair', 'lost')),
    table_id uuid CONSTRAINT copy_places_table_id_fkey REFERENCES tables (id),
    -- None for the copies that were there from the start.
    made_by uuid CONSTRAINT copy_places_made_by_fkey REFERENCES players (id),
    at timestamptz NOT NULL,
    CONSTRAINT copy_places_one_place CHECK ((state = 'table') = (table_id IS NOT NULL))
);

CREATE INDEX copy_places_copy_id_idx ON copy_places (copy_id, id);

CREATE FUNCTION copy_places_are_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the history of a copy is append-only' USING ERRCODE = 'restrict_violation';
END
$$;

CREATE TRIGGER copy_places_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON copy_places
    FOR EACH STATEMENT EXECUTE FUNCTION copy_places_are_append_only();

-- What is to be known of a copy's condition, until it is settled.
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

-- The games that the house plays stand on the counter from the start.
WITH house (game, name_ko, name_en, name_es, players_from, players_to, minutes_from, minutes_to, difficulty, teach_minutes) AS (
    VALUES
        ('perudo', '페루도', 'Perudo', 'Perudo', 2, 6, 15, 25, 'easy', 5),
        ('perudo-pirates', '페루도: 해적판', 'Perudo: Pirate Edition', 'Perudo: edición pirata', 2, 6, 15, 25, 'medium', 8),
        ('liars-dice', '라이어스 다이스', 'Liar''s Dice', 'Dados del mentiroso', 2, 6, 10, 20, 'easy', 5),
        ('dead-mans-draw', '데드맨스드로우', 'Dead Man''s Draw', 'Dead Man''s Draw', 2, 4, 10, 20, 'easy', 5),
        ('animal-kingdom', '동물의 호구왕국', 'Animal Kingdom', 'El reino animal', 10, 10, 40, 80, 'medium', 15),
        ('hogu-clue', '호구 클루', 'Hogu Clue', 'Hogu Clue', 2, 6, 10, 20, 'medium', 8),
        ('middle-race', '중간 달리기', 'Middle Race', 'Carrera del medio', 3, 10, 30, 60, 'medium', 10)
), entered AS (
    INSERT INTO titles (id, game, name_ko, name_en, name_es, players_from, players_to, minutes_from, minutes_to, difficulty,
        teach_minutes, created_at)
    SELECT gen_random_uuid(), house.*, now() FROM house
    RETURNING id
)
INSERT INTO copies (id, title_id, number, shelf, since, created_at)
SELECT gen_random_uuid(), id, 1, '카운터', now(), now() FROM entered;
INSERT INTO copy_places (copy_id, state, at) SELECT id, state, since FROM copies;
