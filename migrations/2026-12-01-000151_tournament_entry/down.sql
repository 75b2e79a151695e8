ALTER TABLE tournaments DROP COLUMN entry_code, DROP COLUMN entry;
