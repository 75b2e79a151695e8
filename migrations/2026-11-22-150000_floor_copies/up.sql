-- A box that waits to be checked in is at no table.
ALTER TABLE undos ALTER COLUMN table_id DROP NOT NULL;

-- A party takes what lies on its table along to another.
ALTER TABLE copy_places
    DROP CONSTRAINT copy_places_errand_known,
    ADD CONSTRAINT copy_places_errand_known
        CHECK (errand IN ('lend', 'carry', 'take_back', 'check_in', 'repair', 'lose', 'find', 'undo'));
