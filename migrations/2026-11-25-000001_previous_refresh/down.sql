ALTER TABLE sessions DROP COLUMN previous_hash;
