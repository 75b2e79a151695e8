DROP TABLE match_reveals;
