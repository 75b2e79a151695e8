SELECT DISTINCT id, table_id, (SELECT name FROM tables WHERE tables.id = table_id) AS name, party_size, opened_at, closed_at, ended,
    owed
FROM unnest($1, $2) AS asked (since, until), LATERAL (
    (SELECT * FROM sittings
     WHERE opened_at >= since AND opened_at < until AND (opened_at, id) < ($3, $4)
       AND ended IS DISTINCT FROM 'undone' AND NOT ($5 AND ended IS NOT DISTINCT FROM 'merged')
     ORDER BY opened_at DESC, id DESC LIMIT $6)
    UNION ALL
    -- The offset keeps those who were there to be found first, and put in order then.
    (SELECT * FROM (
         SELECT * FROM sittings
         WHERE closed_at IS NOT NULL AND tstzrange(opened_at, greatest(opened_at, closed_at), '[]') @> since OFFSET 0
     ) AS there
     WHERE NOT $5 AND opened_at < since AND closed_at > since AND (opened_at, id) < ($3, $4) AND ended <> 'undone'
     ORDER BY opened_at DESC, id DESC LIMIT $6)
    UNION ALL
    (SELECT * FROM sittings
     WHERE NOT $5 AND closed_at IS NULL AND opened_at < since AND since < $7 AND (opened_at, id) < ($3, $4)
     ORDER BY opened_at DESC, id DESC LIMIT $6)
) AS found
ORDER BY opened_at DESC, id DESC LIMIT $6
