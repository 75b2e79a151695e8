-- The floor: the café's tables, the parties that sit at them, their calls for staff, and what staff can undo.

-- Furniture, not SQL.
CREATE TABLE tables (
    id uuid CONSTRAINT tables_pkey PRIMARY KEY,
    -- Stands on the table as a QR code.
    code text NOT NULL CONSTRAINT tables_code_key UNIQUE
        CONSTRAINT tables_code_shape CHECK (code ~ '^[2-9B-DF-HJKMNP-TV-Z]{6}$'),
    name text NOT NULL CONSTRAINT tables_name_length CHECK (char_length(name) BETWEEN 1 AND 40),
    area text CONSTRAINT tables_area_length CHECK (char_length(area) BETWEEN 1 AND 40),
    seats smallint NOT NULL CONSTRAINT tables_seats_range CHECK (seats BETWEEN 1 AND 30),
    -- The order in lists; ties go by name.
    position integer NOT NULL DEFAULT 0 CONSTRAINT tables_position_range CHECK (position BETWEEN 0 AND 9999),
    -- Why nobody can be seated there for a while.
    out_of_service_reason text CONSTRAINT tables_out_of_service_reason_length
        CHECK (char_length(out_of_service_reason) BETWEEN 1 AND 120),
    out_of_service_since timestamptz,
    created_at timestamptz NOT NULL,
    archived_at timestamptz,
    CONSTRAINT tables_out_of_service_has_reason CHECK ((out_of_service_reason IS NULL) = (out_of_service_since IS NULL))
);

-- The name of an archived table may be used again.
CREATE UNIQUE INDEX tables_name_key ON tables (lower(name)) WHERE archived_at IS NULL;

-- A party at a table, from when it sits down until it leaves.
CREATE TABLE sittings (
    id uuid CONSTRAINT sittings_pkey PRIMARY KEY,
    table_id uuid NOT NULL CONSTRAINT sittings_table_id_fkey REFERENCES tables (id),
    party_size smallint NOT NULL CONSTRAINT sittings_party_size_range CHECK (party_size BETWEEN 1 AND 99),
    -- Admits to this party only: it is worthless at the table's next one.
    join_token text NOT NULL CONSTRAINT sittings_join_token_key UNIQUE
        CONSTRAINT sittings_join_token_length CHECK (char_length(join_token) BETWEEN 16 AND 64),
    opened_at timestamptz NOT NULL,
    -- A member of staff, or the first guest who scanned the table's code.
    opened_by uuid NOT NULL CONSTRAINT sittings_opened_by_fkey REFERENCES players (id),
    -- When staff are reminded that the party has been there for long.
    remind_at timestamptz NOT NULL,
    -- They are about to leave, or the table is being cleared.
    closing_at timestamptz,
    closed_at timestamptz,
    ended text CONSTRAINT sittings_ended_known CHECK (ended IN ('left', 'forgotten', 'merged', 'undone')),
    merged_into uuid CONSTRAINT sittings_merged_into_fkey REFERENCES sittings (id),
    CONSTRAINT sittings_closed_has_end CHECK ((closed_at IS NULL) = (ended IS NULL)),
    CONSTRAINT sittings_merged_into_another CHECK (
        (coalesce(ended, '') = 'merged') = (merged_into IS NOT NULL) AND merged_into <> id
    )
);

-- One party at a table at a time.
CREATE UNIQUE INDEX sittings_one_open ON sittings (table_id) WHERE closed_at IS NULL;
CREATE INDEX sittings_table_idx ON sittings (table_id, id);
CREATE INDEX sittings_opened_at_idx ON sittings (opened_at, id);
-- Merging two people hands over the parties that one of them opened.
CREATE INDEX sittings_opened_by_idx ON sittings (opened_by, id);
-- Who was there at some time. The clocks of two processes differ, so a sitting may end before it begins.
CREATE INDEX sittings_while_idx ON sittings USING gist (tstzrange(opened_at, greatest(opened_at, closed_at), '[]'))
    WHERE closed_at IS NOT NULL;

-- Who scanned the code while the party sat there.
CREATE TABLE sitting_members (
    sitting_id uuid NOT NULL CONSTRAINT sitting_members_sitting_id_fkey REFERENCES sittings (id),
    player_id uuid NOT NULL CONSTRAINT sitting_members_player_id_fkey REFERENCES players (id),
    joined_at timestamptz NOT NULL,
    CONSTRAINT sitting_members_pkey PRIMARY KEY (sitting_id, player_id)
);
CREATE INDEX sitting_members_player_idx ON sitting_members (player_id, sitting_id);

-- A party asks for somebody of the staff.
CREATE TABLE calls (
    id uuid CONSTRAINT calls_pkey PRIMARY KEY,
    sitting_id uuid NOT NULL CONSTRAINT calls_sitting_id_fkey REFERENCES sittings (id),
    -- Where they sat when they called.
    table_id uuid NOT NULL CONSTRAINT calls_table_id_fkey REFERENCES tables (id),
    reason text NOT NULL
        CONSTRAINT calls_reason_known CHECK (reason IN ('rules', 'order', 'game', 'broken', 'bill', 'other')),
    note text CONSTRAINT calls_note_length CHECK (char_length(note) BETWEEN 1 AND 200),
    status text NOT NULL DEFAULT 'open'
        CONSTRAINT calls_status_known CHECK (status IN ('open', 'heard', 'settled', 'taken_back')),
    called_by uuid NOT NULL CONSTRAINT calls_called_by_fkey REFERENCES players (id),
    called_at timestamptz NOT NULL,
    heard_at timestamptz,
    heard_by uuid CONSTRAINT calls_heard_by_fkey REFERENCES players (id),
    over_at timestamptz,
    CONSTRAINT calls_over_has_end CHECK ((status IN ('settled', 'taken_back')) = (over_at IS NOT NULL)),
    CONSTRAINT calls_heard_by_somebody CHECK (
        (heard_at IS NULL) = (heard_by IS NULL) AND (status <> 'heard' OR heard_at IS NOT NULL)
    )
);

-- Pressing the button again is the same call.
CREATE UNIQUE INDEX calls_one_each ON calls (sitting_id, reason) WHERE over_at IS NULL;
CREATE INDEX calls_open_idx ON calls (id) WHERE over_at IS NULL;
CREATE INDEX calls_sitting_idx ON calls (sitting_id, id);
CREATE INDEX calls_table_idx ON calls (table_id, id);
CREATE INDEX calls_called_by_idx ON calls (called_by, id);

-- What staff did on the floor, each with what is needed to undo it.
CREATE TABLE undos (
    id uuid CONSTRAINT undos_pkey PRIMARY KEY,
    at timestamptz NOT NULL,
    actor uuid NOT NULL CONSTRAINT undos_actor_fkey REFERENCES players (id),
    action text NOT NULL CONSTRAINT undos_action_length CHECK (char_length(action) BETWEEN 1 AND 80),
    -- NULL for a box that waits to be checked in: it is at no table.
    table_id uuid CONSTRAINT undos_table_id_fkey REFERENCES tables (id),
    -- Where a party was moved or merged to.
    other_table_id uuid CONSTRAINT undos_other_table_id_fkey REFERENCES tables (id),
    undo_data jsonb NOT NULL,
    undone_at timestamptz,
    undone_by uuid CONSTRAINT undos_undone_by_fkey REFERENCES players (id),
    CONSTRAINT undos_undone_by_somebody CHECK ((undone_at IS NULL) = (undone_by IS NULL))
);

CREATE INDEX undos_table_idx ON undos (table_id, id);
CREATE INDEX undos_other_table_idx ON undos (other_table_id, id) WHERE other_table_id IS NOT NULL;
