DROP TABLE idempotency_keys, backups, processes;
