-- Links come by lines of the log only: the server's role may not write the chain, and the trigger does so as the owner.
ALTER FUNCTION audit_log_is_chained() SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp;
