DROP TRIGGER match_seats_stats_dirty ON match_seats;
CREATE TRIGGER match_seats_stats_dirty AFTER INSERT OR DELETE OR UPDATE OF player_id ON match_seats
    FOR EACH ROW EXECUTE FUNCTION match_seats_stats_dirty();
