DROP TABLE match_log;
DROP FUNCTION match_log_is_append_only();
DROP TABLE match_seats;
DROP FUNCTION match_seats_fit();
DROP TABLE matches;
