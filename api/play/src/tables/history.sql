SELECT past.id, past.kind, past.at, past.until, past.word, past.status, past.number, past.code, past.title, past.undone,
       who.display_name AS who, who.deleted_at IS NOT NULL AS gone,
       there.name AS went_to, origin.name AS came_from
FROM (
    (SELECT s.id, 'sitting' AS kind, s.opened_at AS at, s.closed_at AS until, 'sitting' AS word, s.ended AS status,
            s.party_size::integer AS number, NULL AS code, NULL AS title, false AS undone, NULL::uuid AS by,
            NULL::uuid AS there, NULL::uuid AS origin
     FROM sittings s WHERE s.table_id = $1 AND s.id < $2 ORDER BY s.id DESC LIMIT $3)
    UNION ALL
    (SELECT m.id, 'match', m.created_at, m.finished_at, m.game, m.status, m.seat_count, m.code, NULL, false, NULL, NULL, NULL
     FROM matches m WHERE m.table_id = $1 AND m.id < $2 ORDER BY m.id DESC LIMIT $3)
    UNION ALL
    (SELECT c.id, 'call', c.called_at, c.over_at, c.reason, c.status, NULL, NULL, NULL, false, NULL, NULL, NULL
     FROM calls c WHERE c.table_id = $1 AND c.id < $2 ORDER BY c.id DESC LIMIT $3)
    UNION ALL
    (SELECT d.id, 'done', d.at, NULL, d.action, NULL, NULL, NULL, d.undo_data -> 'names' ->> $4, d.undone_at IS NOT NULL, d.actor,
            d.other_table_id, NULL
     FROM undos d WHERE d.table_id = $1 AND d.id < $2 ORDER BY d.id DESC LIMIT $3)
    UNION ALL
    (SELECT d.id, 'done', d.at, NULL, d.action, NULL, NULL, NULL, d.undo_data -> 'names' ->> $4, d.undone_at IS NOT NULL, d.actor,
            NULL, d.table_id
     FROM undos d WHERE d.other_table_id = $1 AND d.id < $2 ORDER BY d.id DESC LIMIT $3)
) AS past
LEFT JOIN players who ON who.id = past.by
LEFT JOIN tables there ON there.id = past.there
LEFT JOIN tables origin ON origin.id = past.origin
ORDER BY past.id DESC LIMIT $3
