DROP INDEX matches_length_idx;
