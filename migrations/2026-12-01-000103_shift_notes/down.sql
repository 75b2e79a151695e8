DROP TABLE shift_notes;
