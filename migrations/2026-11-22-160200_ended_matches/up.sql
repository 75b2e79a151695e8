-- Matches in the order in which they ended: all, those by the same rules, and those that came to nothing. Those of a game that
-- finished have had theirs for long.
DROP INDEX matches_finished_at_idx;
CREATE INDEX matches_finished_at_idx ON matches (finished_at, id) WHERE finished_at IS NOT NULL;
CREATE INDEX matches_hash_finished_at_idx ON matches (variant_hash, finished_at, id) WHERE finished_at IS NOT NULL;
CREATE INDEX matches_unfinished_idx ON matches (finished_at, id) WHERE status IN ('aborted', 'expired');
