ALTER TABLE play_stats DROP COLUMN with_bots;

-- Their seats' wins count again.
SELECT mark_stats_dirty(id, finished_at, finished_at) FROM matches
WHERE finished_at IS NOT NULL AND EXISTS (SELECT FROM match_seats WHERE match_id = id AND bot IS NOT NULL);
