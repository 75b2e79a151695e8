ALTER TABLE copy_places DISABLE TRIGGER copy_places_append_only;
UPDATE copy_places SET errand = 'lend' WHERE errand = 'carry';
ALTER TABLE copy_places ENABLE TRIGGER copy_places_append_only;
ALTER TABLE copy_places
    DROP CONSTRAINT copy_places_errand_known,
    ADD CONSTRAINT copy_places_errand_known
        CHECK (errand IN ('lend', 'take_back', 'check_in', 'repair', 'lose', 'find', 'undo'));
DELETE FROM undos WHERE table_id IS NULL;
ALTER TABLE undos ALTER COLUMN table_id SET NOT NULL;
