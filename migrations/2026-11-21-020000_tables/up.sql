-- The café's tables: furniture, not SQL.
CREATE TABLE tables (
    id uuid CONSTRAINT tables_pkey PRIMARY KEY,
    -- Stands on the table as a QR code.
    code text NOT NULL CONSTRAINT tables_code_key UNIQUE
        CONSTRAINT tables_code_shape CHECK (code ~ '^[2-9B-DF-HJKMNP-TV-Z]{6}$'),
    name text NOT NULL CONSTRAINT tables_name_length CHECK (char_length(name) BETWEEN 1 AND 40),
    area text CONSTRAINT tables_area_length CHECK (char_length(area) BETWEEN 1 AND 40),
    seats smallint NOT NULL CONSTRAINT tables_seats_range CHECK (seats BETWEEN 1 AND 30),
    -- Where it stands in lists; equals go by name.
    position integer NOT NULL DEFAULT 0 CONSTRAINT tables_position_range CHECK (position BETWEEN 0 AND 9999),
    created_at timestamptz NOT NULL,
    archived_at timestamptz
);

-- Two tables of one name would be mixed up; an archived one may hand its name on.
CREATE UNIQUE INDEX tables_name_key ON tables (lower(name)) WHERE archived_at IS NULL;
