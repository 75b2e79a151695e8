-- How often a seat wins is told of matches between people alone.
ALTER TABLE play_stats ADD COLUMN with_bots integer NOT NULL DEFAULT 0;

-- The sums of the days with such matches are made again.
SELECT mark_stats_dirty(id, finished_at, finished_at) FROM matches
WHERE finished_at IS NOT NULL AND EXISTS (SELECT FROM match_seats WHERE match_id = id AND bot IS NOT NULL);
