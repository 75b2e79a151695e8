DROP FUNCTION match_is_hidden_from(uuid, uuid);
