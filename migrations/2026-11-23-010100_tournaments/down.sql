DROP TRIGGER matches_unsettle_bout ON matches;
DROP FUNCTION matches_unsettle_bout;
DROP TABLE unsettled_bouts;
DROP TABLE tournament_bouts;
DROP TABLE tournament_rounds;
DROP TABLE tournament_participants;
DROP TABLE tournament_entrants;
DROP TABLE tournaments;
