ALTER TABLE sessions DROP COLUMN family_hash, DROP COLUMN generation;
