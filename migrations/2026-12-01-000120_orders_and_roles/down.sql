DROP TABLE role_stats, order_stats, match_casts;
