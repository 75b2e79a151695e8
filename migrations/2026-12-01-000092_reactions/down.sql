ALTER TABLE cafe DROP COLUMN reactions;
