-- What one shift tells the next: it stands on the floor until somebody has read it.
CREATE TABLE shift_notes (
    id uuid CONSTRAINT shift_notes_pkey PRIMARY KEY,
    text text NOT NULL CONSTRAINT shift_notes_text_length CHECK (char_length(text) BETWEEN 1 AND 300),
    written_by uuid NOT NULL CONSTRAINT shift_notes_written_by_fkey REFERENCES players (id),
    written_at timestamptz NOT NULL,
    read_by uuid CONSTRAINT shift_notes_read_by_fkey REFERENCES players (id),
    read_at timestamptz,
    CONSTRAINT shift_notes_read_by_somebody CHECK ((read_at IS NULL) = (read_by IS NULL))
);
CREATE INDEX shift_notes_unread_idx ON shift_notes (id) WHERE read_at IS NULL;
