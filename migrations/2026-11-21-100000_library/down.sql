DROP TABLE copy_notes;
DROP TABLE copy_places;
DROP FUNCTION copy_places_are_append_only;
DROP TABLE copies;
DROP TABLE titles;
