-- By what tie-breaks go: as staff typed it, or as the house had it when the entrant began to play.
ALTER TABLE tournament_entrants ADD COLUMN rating integer
    CONSTRAINT tournament_entrants_rating_range CHECK (rating >= 0);

-- Who came lately, to tournaments and to tables.
CREATE INDEX tournament_entrants_entered_idx ON tournament_entrants (entered_at) INCLUDE (player_id);
CREATE INDEX sitting_members_joined_idx ON sitting_members (joined_at) INCLUDE (player_id);

-- Also since when, and what is played there, for guests who scan the code of a table that is held.
CREATE OR REPLACE VIEW table_holds AS
SELECT bout.table_id, tournament.id AS tournament_id, tournament.name AS tournament, bout.stage, bout.key, bout.round,
    tournament.code AS tournament_code, round.published_at AS since, bout.match_id
FROM tournament_bouts AS bout
    JOIN tournaments AS tournament ON tournament.id = bout.tournament_id
    JOIN tournament_rounds AS round
        ON round.tournament_id = bout.tournament_id AND round.stage = bout.stage AND round.round = bout.round
WHERE bout.table_id IS NOT NULL AND bout.result IS NULL AND round.status <> 'draft' AND tournament.status = 'running';
