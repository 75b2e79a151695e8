DROP TABLE backups;
DROP TABLE processes;
