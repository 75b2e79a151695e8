DROP TRIGGER matches_change_result ON matches;
DROP TRIGGER matches_finish ON matches;
DROP FUNCTION matches_schedule_projection();
DROP TABLE ratings_time_zone, standings, rating_changes, encounters, player_stats, player_match_stats,
    pending_projections;
