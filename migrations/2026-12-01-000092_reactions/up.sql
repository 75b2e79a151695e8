-- Whether people at a match may send each other reactions.
ALTER TABLE cafe ADD COLUMN reactions boolean NOT NULL DEFAULT true;
