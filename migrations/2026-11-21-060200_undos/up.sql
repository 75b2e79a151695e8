-- What staff did on the floor, each with what takes it back.
CREATE TABLE undos (
    id uuid CONSTRAINT undos_pkey PRIMARY KEY,
    at timestamptz NOT NULL,
    actor uuid NOT NULL CONSTRAINT undos_actor_fkey REFERENCES players (id),
    action text NOT NULL CONSTRAINT undos_action_length CHECK (char_length(action) BETWEEN 1 AND 80),
    table_id uuid NOT NULL CONSTRAINT undos_table_id_fkey REFERENCES tables (id),
    -- Where a party was moved or merged to.
    other_table_id uuid CONSTRAINT undos_other_table_id_fkey REFERENCES tables (id),
    body jsonb NOT NULL,
    undone_at timestamptz,
    undone_by uuid CONSTRAINT undos_undone_by_fkey REFERENCES players (id),
    CONSTRAINT undos_undone_by_somebody CHECK ((undone_at IS NULL) = (undone_by IS NULL))
);

CREATE INDEX undos_table_idx ON undos (table_id, id);
CREATE INDEX undos_other_table_idx ON undos (other_table_id, id) WHERE other_table_id IS NOT NULL;
