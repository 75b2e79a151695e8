DROP INDEX matches_name_idx;
