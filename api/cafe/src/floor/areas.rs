//! Where the tables of the floor are drawn: on the plan of their area, as far as they have a place there.

use super::{Floor, Spot};
use play::tables::plan::PlacedTable;

/// An area and its tables.
pub struct Area<'a> {
    pub name: Option<&'a str>,
    /// Where they stand, counted from the corner of what is taken up.
    pub placed: Vec<(&'a Spot, PlacedTable)>,
    /// Nobody has put them anywhere, or upon another that was there before.
    pub rest: Vec<&'a Spot>,
}

impl Floor {
    /// The areas in the order of the floor.
    pub fn areas(&self) -> Vec<Area<'_>> {
        let mut areas: Vec<Area<'_>> = Vec::new();
        for spot in &self.spots {
            let name = spot.table.area.as_deref();
            match areas.iter_mut().find(|area| area.name == name) {
                Some(area) => area.add(spot),
                None => {
                    let mut area = Area { name, placed: Vec::new(), rest: Vec::new() };
                    area.add(spot);
                    areas.push(area);
                }
            }
        }
        for area in &mut areas {
            area.trim();
        }
        areas
    }

    /// Whether there is any plan to be drawn.
    pub fn has_plan(&self) -> bool {
        self.spots.iter().any(|spot| spot.place.is_some())
    }
}

impl<'a> Area<'a> {
    fn add(&mut self, spot: &'a Spot) {
        let free = spot.place.filter(|place| self.placed.iter().all(|(_, other)| !other.overlaps(place)));
        match free {
            Some(place) => self.placed.push((spot, place)),
            None => self.rest.push(spot),
        }
    }

    fn trim(&mut self) {
        let left = self.placed.iter().map(|(_, place)| place.x).min().unwrap_or(1);
        let top = self.placed.iter().map(|(_, place)| place.y).min().unwrap_or(1);
        for (_, place) in &mut self.placed {
            *place = place.from_corner(left, top);
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use uuid::Uuid;

    use super::*;
    use base::ids::TableId;
    use play::tables::TableRow;
    use play::tables::plan::Shape;

    fn spot(number: u128, area: &str, place: Option<(i16, i16)>) -> Spot {
        let id = TableId(Uuid::from_u128(number));
        let table = TableRow {
            id,
            code: "HJKMNP".to_owned(),
            name: number.to_string(),
            area: Some(area.to_owned()),
            seats: 4,
            position: 1,
            created_at: Timestamp::UNIX_EPOCH,
            archived_at: None,
            out_of_service_reason: None,
            out_of_service_since: None,
        };
        let place = place.map(|(x, y)| PlacedTable { table_id: id, x, y, width: 3, height: 3, shape: Shape::Square });
        Spot { table, place, sitting: None, play: None, others: 0, boxes: Vec::new(), hold: None, due: None }
    }

    #[test]
    fn each_area_has_a_plan_that_hides_no_table_and_begins_where_its_tables_do() {
        let spots = vec![
            spot(1, "hall", Some((4, 5))),
            spot(2, "terrace", None),
            spot(3, "hall", Some((8, 7))),
            spot(4, "hall", Some((9, 8))),
        ];
        let floor = Floor { spots, ..Floor::default() };
        let drawn: Vec<_> = floor
            .areas()
            .iter()
            .map(|area| {
                let placed: Vec<_> =
                    area.placed.iter().map(|(spot, it)| (spot.table.name.clone(), it.x, it.y)).collect();
                let rest: Vec<_> = area.rest.iter().map(|spot| spot.table.name.clone()).collect();
                (area.name.unwrap_or_default().to_owned(), placed, rest)
            })
            .collect();
        let hall = vec![("1".to_owned(), 1, 1), ("3".to_owned(), 5, 3)];
        let all =
            [("hall".to_owned(), hall, vec!["4".to_owned()]), ("terrace".to_owned(), vec![], vec!["2".to_owned()])];
        assert_eq!(drawn, all);
    }
}
