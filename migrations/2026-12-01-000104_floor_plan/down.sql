DROP TABLE table_places;
