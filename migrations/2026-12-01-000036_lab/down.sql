DROP TABLE lab_runs;
