DROP INDEX players_display_name_idx;
