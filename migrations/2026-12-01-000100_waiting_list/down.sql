ALTER TABLE cafe DROP COLUMN waiting_code, DROP COLUMN waiting_door;
DROP TABLE waiting_parties;
