ALTER TABLE tables DROP COLUMN out_since, DROP COLUMN out_reason;
