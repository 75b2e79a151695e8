-- A party asks for somebody.
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
