-- Whether a finished match is private and this reader has no part in it: they did not make it, sat at none of its seats, and are
-- not invited.
CREATE FUNCTION match_is_hidden_from(hidden uuid, reader uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM match_terms t WHERE t.match_id = hidden AND t.visibility = 'private')
        AND NOT EXISTS (SELECT FROM matches m WHERE m.id = hidden AND m.created_by = reader)
        AND NOT EXISTS (SELECT FROM match_seats s WHERE s.match_id = hidden AND reader IN (s.player_id, s.stand_in_id))
        AND NOT EXISTS (SELECT FROM match_invitations i WHERE i.match_id = hidden AND i.player_id = reader)
$$;
