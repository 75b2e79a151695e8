//! Animal Kingdom: who is in which field, what each animal has gained, and whom one may know.

use std::collections::BTreeMap;

use askama::Template;
use serde::Deserialize;
use serde_json::{Number, Value};

use super::Scene;
use crate::error::{ApiResult, internal};
use crate::page::Page;

const FIELDS: [&str; 4] = ["forest", "plain", "river", "sky"];
/// Each with its class and its habitat.
const ANIMALS: [(&str, &str, Option<&str>); 10] = [
    ("lion", "predator", Some("plain")),
    ("crocodile", "predator", Some("river")),
    ("eagle", "predator", Some("sky")),
    ("snake", "neutral", Some("forest")),
    ("crow", "prey", Some("sky")),
    ("hyena", "prey", Some("plain")),
    ("toad", "prey", Some("river")),
    ("cuckoo", "prey", Some("sky")),
    ("chameleon", "prey", Some("forest")),
    ("water_deer", "prey", None),
];

type Points = BTreeMap<String, Number>;

#[derive(Deserialize)]
struct View {
    to_move: Vec<usize>,
    round_value: Number,
    fields: Option<Vec<String>>,
    history: Vec<Reckoned>,
    totals: Points,
    animals: Option<Vec<String>>,
}

#[derive(Deserialize)]
struct Reckoned {
    round: u32,
    fields: Vec<String>,
    gains: Points,
}

#[derive(Deserialize)]
struct Mine {
    my_animal: String,
    my_points: Number,
    my_field: Option<String>,
    my_skill: Option<Value>,
    my_must_return: bool,
    my_skills: Vec<Used>,
    my_learned: Vec<Learned>,
}

#[derive(Deserialize)]
struct Used {
    round: u32,
    #[serde(rename = "move")]
    chosen: Value,
    gained: Number,
}

#[derive(Clone, Deserialize)]
struct Learned {
    seat: usize,
    animal: String,
}

#[derive(Template)]
#[template(path = "boards/animal-kingdom.html")]
struct Board<'a> {
    page: &'a Page,
    winners: Option<String>,
    value: String,
    /// The fields are as they were in the round before.
    is_before: Option<u32>,
    fields: Vec<FieldOfSeats>,
    seats: Vec<Seat>,
    animals: Vec<Animal>,
    rounds: Vec<u32>,
    own: Vec<Own>,
}

struct FieldOfSeats {
    field: &'static str,
    word: String,
    seats: Vec<Seat>,
}

#[derive(Clone)]
struct Seat {
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

struct Animal {
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
    let view: View = scene.public()?;
    let owners: Vec<(usize, Mine)> = (0..scene.names.len())
        .filter_map(|seat| Some((seat, scene.own(seat).transpose()?)))
        .map(|(seat, mine)| Ok((seat, mine?)))
        .collect::<ApiResult<_>>()?;
    let seats: Vec<Seat> = (0..scene.names.len()).map(|at| seat(scene, &view, &owners, at)).collect();
    let before = view.history.last();
    let places = view.fields.as_ref().or(before.map(|it| &it.fields));
    let field = |field: &'static str| {
        let inside = places.into_iter().flatten().zip(&seats).filter(|(place, _)| *place == field);
        FieldOfSeats { field, word: scene.word(field), seats: inside.map(|(_, seat)| seat.clone()).collect() }
    };
    let board = Board {
        page: scene.page,
        winners: scene.winners(),
        value: scene.number(&view.round_value),
        is_before: if view.fields.is_none() { before.map(|it| it.round) } else { None },
        fields: FIELDS.into_iter().map(field).collect(),
        animals: animals(scene, &view),
        rounds: view.history.iter().map(|it| it.round).collect(),
        own: owners.iter().map(|(seat, mine)| own(scene, *seat, mine)).collect(),
        seats,
    };
    board.render().map_err(internal)
}

fn known(scene: &Scene<'_>, id: &str) -> Known {
    Known { id: id.to_owned(), word: scene.word(id) }
}

fn class(scene: &Scene<'_>, animal: &str) -> String {
    let found = ANIMALS.iter().find(|(id, ..)| *id == animal);
    found.map(|(_, class, _)| scene.word(class)).unwrap_or_default()
}

fn seat(scene: &Scene<'_>, view: &View, owners: &[(usize, Mine)], at: usize) -> Seat {
    let open = view.animals.as_ref().and_then(|animals| animals.get(at)).cloned();
    let own = || owners.iter().find(|(seat, _)| *seat == at).map(|(_, mine)| mine.my_animal.clone());
    let learned = || {
        let lessons = owners.iter().flat_map(|(_, mine)| &mine.my_learned);
        lessons.filter(|it| it.seat == at).map(|it| it.animal.clone()).next()
    };
    let animal = open.or_else(own).or_else(learned);
    Seat {
        name: scene.name(at).to_owned(),
        has_chosen: !view.to_move.is_empty() && !view.to_move.contains(&at),
        animal: animal.map(|it| known(scene, &it)),
        fields: view.history.iter().filter_map(|it| it.fields.get(at)).map(|it| known(scene, it)).collect(),
    }
}

fn animals(scene: &Scene<'_>, view: &View) -> Vec<Animal> {
    let points = |of: &Points, animal: &str| of.get(animal).and_then(Number::as_f64).unwrap_or_default();
    let highest = ANIMALS.iter().map(|(id, ..)| points(&view.totals, id)).fold(0.0, f64::max);
    let mut animals: Vec<(f64, Animal)> = ANIMALS
        .iter()
        .map(|(id, word, _)| {
            let total = points(&view.totals, id);
            let gains = view.history.iter().map(|it| it.gains.get(*id).map(|it| scene.number(it)).unwrap_or_default());
            let animal = Animal {
                who: known(scene, id),
                class: scene.word(word),
                total: view.totals.get(*id).map(|it| scene.number(it)).unwrap_or_default(),
                share: if highest > 0.0 { (total / highest * 100.0) as u32 } else { 0 },
                gains: gains.collect(),
                leads: total > 0.0 && total >= highest,
            };
            (total, animal)
        })
        .collect();
    animals.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    animals.into_iter().map(|(_, animal)| animal).collect()
}

fn own(scene: &Scene<'_>, at: usize, mine: &Mine) -> Own {
    let habitat = ANIMALS.iter().find(|(id, ..)| *id == mine.my_animal).and_then(|(_, _, habitat)| *habitat);
    let used = mine.my_skills.iter().map(|it| (it.round, skill(scene, &it.chosen), scene.number(&it.gained)));
    Own {
        name: scene.name(at).to_owned(),
        animal: known(scene, &mine.my_animal),
        class: class(scene, &mine.my_animal),
        habitat: habitat.map(|it| scene.word(it)),
        points: scene.number(&mine.my_points),
        must_return: mine.my_must_return,
        field: mine.my_field.as_deref().map(|it| known(scene, it)),
        skill: mine.my_skill.as_ref().map(|it| skill(scene, it)),
        used: used.collect(),
    }
}

/// A skill that was used: what, on whom, and what it says of them.
fn skill(scene: &Scene<'_>, chosen: &Value) -> String {
    let word = |field: &str| chosen[field].as_str().map(|it| scene.word(it));
    let what = chosen["type"].as_str().unwrap_or_default();
    let target = chosen["seat"].as_u64().and_then(|seat| usize::try_from(seat).ok());
    let says = chosen["gains"].as_bool().map(|gains| scene.word(if gains { "true" } else { "false" }));
    let parts = [
        word("as").map(|animal| format!("({animal})")),
        Some(scene.page.word_or(&format!("animal-kingdom-move-{what}"), what)),
        target.map(|seat| format!("→ {}", scene.name(seat))),
        word("animal").or(says).map(|it| format!("· {it}")),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}
