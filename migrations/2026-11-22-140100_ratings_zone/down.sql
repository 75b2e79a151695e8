DROP TABLE ratings_zone;
