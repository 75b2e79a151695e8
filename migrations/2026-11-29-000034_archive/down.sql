DELETE FROM backup_jobs WHERE kind = 'base';
ALTER TABLE backup_jobs DROP CONSTRAINT backup_jobs_kind_known;
ALTER TABLE backup_jobs ADD CONSTRAINT backup_jobs_kind_known CHECK (kind IN ('take', 'test'));
