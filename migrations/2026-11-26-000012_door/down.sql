DROP TABLE door_notes;
DROP TABLE sign_in_attempts;
