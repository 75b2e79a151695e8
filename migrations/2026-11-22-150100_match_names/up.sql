-- To find a match by how its name begins, whatever the case of its letters.
CREATE INDEX matches_name_idx ON matches (lower(name) text_pattern_ops) WHERE name IS NOT NULL;
