ALTER TABLE sittings DROP COLUMN owed, DROP COLUMN headcounts;
DROP TABLE tariffs;
