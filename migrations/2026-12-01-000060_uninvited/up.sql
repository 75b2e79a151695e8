-- Who scanned the code of a party that was complete, until staff say whether they belong to it.
ALTER TABLE sitting_members ADD COLUMN uninvited boolean NOT NULL DEFAULT false;
CREATE INDEX sitting_members_uninvited_idx ON sitting_members (sitting_id) WHERE uninvited;
