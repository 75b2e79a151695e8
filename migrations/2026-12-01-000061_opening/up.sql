-- The first minutes of a café: when a phone first came by a table's code, and whether the list of what is left to do is put away.
ALTER TABLE cafe
    ADD COLUMN first_scan_at timestamptz,
    ADD COLUMN opening_done boolean NOT NULL DEFAULT false;
UPDATE cafe SET opening_done = true WHERE EXISTS (SELECT FROM players WHERE role = 'owner');
