-- The time zone in which the months of leaderboards were told apart. Without it nothing was rated yet, or nobody noted by which.
CREATE TABLE ratings_zone (
    one boolean CONSTRAINT ratings_zone_pkey PRIMARY KEY DEFAULT true CONSTRAINT ratings_zone_one CHECK (one),
    zone text NOT NULL
);
