-- Tables at which a bout of a tournament is to be played or is played. As a view it is never out of date.
CREATE VIEW table_holds AS
SELECT bout.table_id, tournament.id AS tournament_id, tournament.name AS tournament, bout.stage, bout.key
FROM tournament_bouts AS bout
    JOIN tournaments AS tournament ON tournament.id = bout.tournament_id
    JOIN tournament_rounds AS round
        ON round.tournament_id = bout.tournament_id AND round.stage = bout.stage AND round.round = bout.round
WHERE bout.table_id IS NOT NULL AND bout.result IS NULL AND round.status <> 'draft' AND tournament.status = 'running';
