WITH entered AS (
    SELECT entrant.player_id, count(*) AS many
    FROM tournament_entrants AS entrant JOIN tournaments AS tournament ON tournament.id = entrant.tournament_id
    WHERE entrant.entered_at >= $2 AND entrant.tournament_id <> $1 AND NOT tournament.sandbox
        AND tournament.status <> 'cancelled' AND entrant.status IN ('entered', 'checked_in', 'dropped')
    GROUP BY entrant.player_id
),
seated AS (
    SELECT player_id, count(*) AS many FROM sitting_members WHERE joined_at >= $2 GROUP BY player_id HAVING count(*) > 1
)
SELECT players.id, players.display_name, coalesce(entered.many, 0) AS tournaments, coalesce(seated.many, 0) AS visits
FROM entered FULL JOIN seated USING (player_id) JOIN players ON players.id = player_id
WHERE players.deleted_at IS NULL AND players.merged_into IS NULL
    AND ($3 = '' OR position(search_key($3) IN search_key(display_name)) > 0 OR folded(display_name) COLLATE "C" ~ $4)
    AND NOT EXISTS (
        SELECT FROM tournament_entrants AS here
        WHERE here.tournament_id = $1 AND here.player_id = players.id AND here.status <> 'dropped'
    )
ORDER BY coalesce(entered.many, 0) + coalesce(seated.many, 0) DESC, tournaments DESC, players.display_name, players.id
LIMIT $5
