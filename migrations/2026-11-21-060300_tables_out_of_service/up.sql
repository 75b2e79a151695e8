-- A table that nobody can be seated at for a while, and why.
ALTER TABLE tables
    ADD COLUMN out_reason text CONSTRAINT tables_out_reason_length CHECK (char_length(out_reason) BETWEEN 1 AND 120),
    ADD COLUMN out_since timestamptz,
    ADD CONSTRAINT tables_out_has_reason CHECK ((out_reason IS NULL) = (out_since IS NULL));
