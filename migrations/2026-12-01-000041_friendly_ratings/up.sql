-- Ratings start at 1000 and are never below 0; they were hundredths that started at 0, and a public board showed people below it.
UPDATE standings SET rating = greatest(0, floor(1000 + 40 * (mean - 3 * deviation) + 0.5))::integer;
