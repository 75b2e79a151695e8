-- To find people by how their name begins, whatever the case of its letters.
CREATE INDEX players_display_name_idx ON players (lower(display_name) text_pattern_ops);
