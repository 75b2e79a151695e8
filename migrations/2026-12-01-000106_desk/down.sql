DROP VIEW table_holds;
CREATE VIEW table_holds AS
SELECT bout.table_id, tournament.id AS tournament_id, tournament.name AS tournament, bout.stage, bout.key
FROM tournament_bouts AS bout
    JOIN tournaments AS tournament ON tournament.id = bout.tournament_id
    JOIN tournament_rounds AS round
        ON round.tournament_id = bout.tournament_id AND round.stage = bout.stage AND round.round = bout.round
WHERE bout.table_id IS NOT NULL AND bout.result IS NULL AND round.status <> 'draft' AND tournament.status = 'running';
DROP INDEX sitting_members_joined_idx;
DROP INDEX tournament_entrants_entered_idx;
ALTER TABLE tournament_entrants DROP COLUMN rating;
