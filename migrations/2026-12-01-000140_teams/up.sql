-- How many members of a team play at a time; none where everybody plays for themselves.
ALTER TABLE tournaments ADD COLUMN team_size smallint
    CONSTRAINT tournaments_team_size_range CHECK (team_size BETWEEN 2 AND 6);

-- The team that an entrant plays for, and their place in its order of boards.
ALTER TABLE tournament_entrants
    ADD COLUMN team text CONSTRAINT tournament_entrants_team_length CHECK (length(team) BETWEEN 1 AND 40),
    ADD COLUMN board smallint CONSTRAINT tournament_entrants_board_range CHECK (board >= 1),
    ADD CONSTRAINT tournament_entrants_board_of_team CHECK ((team IS NULL) = (board IS NULL));
