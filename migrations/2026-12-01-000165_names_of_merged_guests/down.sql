-- Names that are forgotten do not come back.
SELECT;
