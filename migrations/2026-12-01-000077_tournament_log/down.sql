DROP TABLE tournament_log;
