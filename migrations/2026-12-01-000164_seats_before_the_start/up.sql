-- Seats are taken and given up before the start only (match_seats_guard), when no figure counts the match: sitting down need not ask
-- whether it is over.
DROP TRIGGER match_seats_stats_dirty ON match_seats;
CREATE TRIGGER match_seats_stats_dirty AFTER UPDATE OF player_id ON match_seats
    FOR EACH ROW EXECUTE FUNCTION match_seats_stats_dirty();
