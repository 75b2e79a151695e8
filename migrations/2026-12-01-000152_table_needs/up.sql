-- The table, or the area of tables, that an entrant needs to play at.
ALTER TABLE tournament_entrants
    ADD COLUMN needs_table uuid CONSTRAINT tournament_entrants_needs_table_fkey REFERENCES tables (id),
    ADD COLUMN needs_area text CONSTRAINT tournament_entrants_needs_area_length CHECK (char_length(needs_area) BETWEEN 1 AND 40),
    ADD CONSTRAINT tournament_entrants_needs_one CHECK (num_nonnulls(needs_table, needs_area) <= 1);
