DROP INDEX players_initials_idx;
DROP FUNCTION initials(text), folded(text);
