DROP TABLE role_stats, order_stats, match_analyses;
ALTER TABLE length_months DROP COLUMN moves;
ALTER TABLE length_stats DROP COLUMN moves;
