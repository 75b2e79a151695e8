DROP TRIGGER sittings_stats_dirty ON sittings;
DROP TRIGGER sittings_stats_dirty_new ON sittings;
DROP TRIGGER match_seats_stats_dirty ON match_seats;
DROP TRIGGER matches_stats_dirty ON matches;
DROP TRIGGER matches_stats_dirty_new ON matches;
DROP FUNCTION sittings_stats_dirty(), match_seats_stats_dirty(), matches_stats_dirty(),
    mark_stats_dirty(uuid, timestamptz, timestamptz),
    hours_of_sitting(timestamptz, timestamptz, smallint, text);
DROP TABLE visit_stats, guest_days, sitting_stats, seat_stats, length_months, length_stats, hour_stats, play_stats,
    stats_time_zone, stats_dirty_ranges;
