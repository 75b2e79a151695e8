DROP TABLE copy_notes, copy_locations, copies, titles;
DROP FUNCTION copy_locations_are_append_only();
