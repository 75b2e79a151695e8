DROP TABLE backup_jobs;
