DROP INDEX matches_unfinished_idx;
DROP INDEX matches_hash_finished_at_idx;
DROP INDEX matches_finished_at_idx;
CREATE INDEX matches_finished_at_idx ON matches (finished_at) WHERE finished_at IS NOT NULL;
