ALTER TABLE cafe DROP COLUMN opening_done, DROP COLUMN first_scan_at;
