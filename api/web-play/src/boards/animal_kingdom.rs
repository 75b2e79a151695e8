//! Animal Kingdom: who is in which field, what each animal has gained, and whom one may know.

use askama::Template;
use engine::games::animal_kingdom::{Animal, Field, Mine, Move, View};
use engine::{Points, Seat};
use serde::Serialize;

use super::{Scene, Views, id};
use base::error::internal;
use web_base::error::ApiResult;
use web_base::page::Page;

#[derive(Template)]
#[template(path = "boards/animal-kingdom.html")]
struct Board<'a> {
    page: &'a Page,
    winners: Option<String>,
    value: String,
    /// The fields are as they were in the round before.
    is_before: Option<u32>,
    fields: Vec<FieldOfSeats>,
    seats: Vec<SeatLine>,
    animals: Vec<AnimalLine>,
    rounds: Vec<u32>,
    own: Vec<Own>,
}

struct FieldOfSeats {
    field: String,
    word: String,
    seats: Vec<SeatLine>,
}

#[derive(Clone)]
struct SeatLine {
    number: u8,
    name: String,
    has_chosen: bool,
    /// Whom the viewer knows it to be.
    animal: Option<Known>,
    /// Per round where it was.
    fields: Vec<Known>,
}

/// An animal or a field: its symbol, which is its id, and its word.
#[derive(Clone)]
struct Known {
    id: String,
    word: String,
}

struct AnimalLine {
    who: Known,
    class: String,
    total: String,
    /// Of the highest, for a bar.
    share: u32,
    gains: Vec<String>,
    leads: bool,
}

/// What only this seat knows.
struct Own {
    name: String,
    animal: Known,
    class: String,
    habitat: Option<String>,
    points: String,
    must_return: bool,
    field: Option<Known>,
    skill: Option<String>,
    used: Vec<(u32, String, String)>,
}

pub(super) fn draw(scene: &Scene<'_>) -> ApiResult<String> {
    let views: Views<View> = scene.views()?;
    let view = &views.public;
    let owners: Vec<(Seat, &Mine)> =
        scene.seats().filter_map(|seat| Some((seat, views.own(seat)?.mine.as_ref()?))).collect();
    let seats: Vec<SeatLine> = scene.seats().map(|at| seat(scene, view, &owners, at)).collect();
    let before = view.history.last();
    let places = view.fields.as_ref().or(before.map(|it| &it.fields));
    let field = |field: Field| {
        let inside = places.into_iter().flat_map(|it| it.iter()).zip(&seats).filter(|(place, _)| **place == field);
        let seats = inside.map(|(_, seat)| seat.clone()).collect();
        FieldOfSeats { field: id(field), word: scene.word(field), seats }
    };
    let board = Board {
        page: scene.page,
        winners: scene.winners(),
        value: scene.points(view.round_value),
        is_before: if view.fields.is_none() { before.map(|it| it.round) } else { None },
        fields: Field::ALL.into_iter().map(field).collect(),
        animals: animals(scene, view),
        rounds: view.history.iter().map(|it| it.round).collect(),
        own: owners.iter().map(|(seat, mine)| own(scene, *seat, mine)).collect(),
        seats,
    };
    Ok(board.render().map_err(internal)?)
}

fn known(scene: &Scene<'_>, word: impl Serialize + Copy) -> Known {
    Known { id: id(word), word: scene.word(word) }
}

fn seat(scene: &Scene<'_>, view: &View, owners: &[(Seat, &Mine)], at: Seat) -> SeatLine {
    let open = view.animals.as_ref().map(|animals| animals[at]);
    let own = || owners.iter().find(|(seat, _)| *seat == at).map(|(_, mine)| mine.my_animal);
    let learned = || {
        let mut lessons = owners.iter().flat_map(|(_, mine)| &mine.my_learned);
        lessons.find(|it| it.seat == at).map(|it| it.animal)
    };
    let to_move = view.common.to_move;
    SeatLine {
        number: at.0,
        name: scene.name(at).to_owned(),
        has_chosen: !to_move.is_empty() && !to_move.has(at),
        animal: open.or_else(own).or_else(learned).map(|it| known(scene, it)),
        fields: view.history.iter().map(|it| known(scene, it.fields[at])).collect(),
    }
}

fn animals(scene: &Scene<'_>, view: &View) -> Vec<AnimalLine> {
    let total_of = |animal: &Animal| view.totals.get(animal).copied().unwrap_or_default();
    let highest = Animal::ALL.iter().map(total_of).max().unwrap_or_default();
    let mut order = Animal::ALL;
    order.sort_by_key(|animal| std::cmp::Reverse(total_of(animal)));
    let line = |animal: Animal| {
        let total = total_of(&animal);
        let gained = |points: Option<&Points>| points.map(|it| scene.points(*it)).unwrap_or_default();
        let share = f64::from(total.in_hundredths()) / f64::from(highest.in_hundredths()) * 100.0;
        AnimalLine {
            who: known(scene, animal),
            class: scene.word(animal.class()),
            total: gained(view.totals.get(&animal)),
            share: if highest > Points::default() { share as u32 } else { 0 },
            gains: view.history.iter().map(|it| gained(it.gains.get(&animal))).collect(),
            leads: total > Points::default() && total >= highest,
        }
    };
    order.into_iter().map(line).collect()
}

fn own(scene: &Scene<'_>, at: Seat, mine: &Mine) -> Own {
    let used = mine.my_skills.iter().map(|it| (it.round, skill(scene, it.chosen), scene.points(it.gained)));
    Own {
        name: scene.name(at).to_owned(),
        animal: known(scene, mine.my_animal),
        class: scene.word(mine.my_animal.class()),
        habitat: mine.my_animal.habitat().map(|it| scene.word(it)),
        points: scene.points(mine.my_points),
        must_return: mine.my_must_return,
        field: mine.my_field.map(|it| known(scene, it)),
        skill: mine.my_skill.map(|it| skill(scene, it)),
        used: used.collect(),
    }
}

/// A skill that was used: what, on whom, and what it says of them.
fn skill(scene: &Scene<'_>, chosen: Move) -> String {
    let (name, target, copied, said) = match chosen {
        Move::Go { .. } => ("go", None, None, None),
        Move::Attack { seat, copied } => ("attack", Some(seat), copied, None),
        Move::Predict { seat, animal, copied } => ("predict", Some(seat), copied, Some(scene.word(animal))),
        Move::Follow { seat, copied } => ("follow", Some(seat), copied, None),
        Move::Judge { seat, gains, copied } => ("judge", Some(seat), copied, Some(scene.word(gains.to_string()))),
        Move::Rob { seat, copied } => ("rob", Some(seat), copied, None),
        Move::Pass {} => ("pass", None, None, None),
    };
    let parts = [
        copied.map(|animal| format!("({})", scene.word(animal))),
        Some(scene.page.word_or(&format!("animal-kingdom-move-{name}"), name)),
        target.map(|seat| format!("→ {}", scene.name(seat))),
        said.map(|it| format!("· {it}")),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}
