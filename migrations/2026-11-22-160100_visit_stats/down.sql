DROP TABLE visit_stats;
