-- A server also takes base backups of the private PostgreSQL, for its write-ahead archive.
ALTER TABLE backup_jobs DROP CONSTRAINT backup_jobs_kind_known;
ALTER TABLE backup_jobs ADD CONSTRAINT backup_jobs_kind_known CHECK (kind IN ('take', 'test', 'base'));
