ALTER TABLE sessions DROP COLUMN device_name;
