DROP TABLE series_people, series_events, series_divisions, series, tournament_places;
