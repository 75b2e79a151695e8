ALTER FUNCTION audit_log_is_chained() SECURITY INVOKER RESET search_path;
