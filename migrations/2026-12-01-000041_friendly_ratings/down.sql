UPDATE standings SET rating = round(100 * (mean - 3 * deviation))::integer;
