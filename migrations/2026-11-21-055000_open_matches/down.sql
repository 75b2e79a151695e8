DROP INDEX matches_open_idx;
