DROP FUNCTION has_factor_at_work(uuid);
DROP FUNCTION role_at_work(uuid, text);
DROP TABLE api_keys;
