DROP TABLE stuck_matches;
