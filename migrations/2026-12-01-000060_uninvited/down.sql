ALTER TABLE sitting_members DROP COLUMN uninvited;
