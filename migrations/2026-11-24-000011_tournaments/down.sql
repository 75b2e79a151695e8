DROP TRIGGER matches_schedule_bout_result ON matches;
DROP FUNCTION matches_schedule_bout_result();
DROP TABLE pending_bout_results, tournament_bouts, tournament_rounds, tournament_participants, tournament_entrants,
    tournaments;
