DROP TABLE match_stand_ins;
DROP INDEX match_seats_stand_in_key;
ALTER TABLE match_seats DROP COLUMN stand_in_id;
