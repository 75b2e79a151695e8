DROP TABLE staff_links, setup_tokens, recovery_codes, second_factors, sessions, players;
DROP FUNCTION players_register(), ngrams(text), search_key(text);
