-- Where tables stand on the plan of their area: the cells of a lattice of 16 columns and 24 rows, counted from 1.
CREATE TABLE table_places (
    table_id uuid CONSTRAINT table_places_pkey PRIMARY KEY
        CONSTRAINT table_places_table_id_fkey REFERENCES tables (id) ON DELETE CASCADE,
    x smallint NOT NULL CONSTRAINT table_places_x_first CHECK (x >= 1),
    y smallint NOT NULL CONSTRAINT table_places_y_first CHECK (y >= 1),
    width smallint NOT NULL CONSTRAINT table_places_width_least CHECK (width >= 2),
    height smallint NOT NULL CONSTRAINT table_places_height_least CHECK (height >= 2),
    shape text NOT NULL CONSTRAINT table_places_shape_known CHECK (shape IN ('square', 'round')),
    CONSTRAINT table_places_within CHECK (x + width <= 17 AND y + height <= 25)
);
