DO $$
BEGIN
    IF EXISTS (SELECT FROM match_seats WHERE player_id IS NULL) THEN
        RAISE EXCEPTION 'there are matches with bots: the version before cannot read them';
    END IF;
END
$$;
ALTER TABLE match_seats DROP CONSTRAINT match_seats_player_or_bot;
ALTER TABLE match_seats DROP COLUMN bot;
ALTER TABLE match_seats ALTER COLUMN player_id SET NOT NULL;
