DROP TABLE match_sittings;
DROP TABLE sitting_members;
DROP TABLE sittings;
