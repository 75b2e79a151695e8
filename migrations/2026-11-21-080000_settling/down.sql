DROP TABLE standings, rating_changes, encounters, player_stats, tallies;
DROP INDEX matches_finished_idx;
DROP TRIGGER matches_change_result ON matches;
DROP TRIGGER matches_finish ON matches;
DROP FUNCTION matches_unsettle();
DROP TABLE unsettled_matches;
DROP TRIGGER players_register ON players;
DROP FUNCTION players_register();
ALTER TABLE players DROP COLUMN registered_at;
