//! Animal Kingdom: who I am, and what I do about it. Where to go is the same for everybody; all that depends on the animal
//! lies under the cover, to pass as well, so that nobody can tell who passes.

use askama::Template;
use engine::Seat;
use engine::games::animal_kingdom::{Animal, Field, Learned, Mine, Move, Phase, View};
use serde_json::{Value, json};

use super::Hand;
use super::seen::Named;
use base::error::internal;
use web_base::error::ApiResult;
use web_base::page::Page;

#[derive(Template)]
#[template(path = "boards/trays/animal-kingdom.html")]
struct Tray<'a> {
    hand: &'a Hand<'a>,
    page: &'a Page,
    prompt: Option<&'static str>,
    value: String,
    me: Option<Me>,
    fields: Vec<FieldKey<'a>>,
    skills: Vec<Skill<'a>>,
    pass: Option<&'a str>,
    waits_for: String,
    waiting: usize,
}

/// What only this seat knows.
struct Me {
    animal: Named,
    class: String,
    habitat: Option<Named>,
    skill: String,
    points: String,
    must_return: bool,
    field: Option<Named>,
    chosen: Option<String>,
    used: Vec<UsedSkill>,
}

struct UsedSkill {
    round: u32,
    text: String,
    gained: String,
}

struct FieldKey<'a> {
    value: &'a str,
    field: Named,
    /// Who was there in the round before.
    before: String,
}

/// All moves with one skill: every combination of what is offered is legal.
struct Skill<'a> {
    /// Whose skill the chameleon copies.
    copied: Option<Named>,
    /// The move without what is chosen.
    start: String,
    verb: String,
    help: String,
    people: Vec<Person<'a>>,
    animals: Vec<Named>,
    judges: bool,
}

struct Person<'a> {
    seat: Seat,
    name: &'a str,
    field: Option<Named>,
    /// Which animal this seat knows it to be.
    animal: Option<Named>,
}

pub(super) fn draw(hand: &Hand<'_>) -> ApiResult<String> {
    let (view, moves): (View, Vec<(Move, &str)>) = (hand.read_view()?, hand.read_moves()?);
    let before = |field: Field| {
        let there = view.history.last().map(|it| it.fields.which(|place| *place == field));
        there.map(|seats| hand.names_of(seats.iter())).unwrap_or_default()
    };
    let fields = moves.iter().filter_map(|(chosen, value)| match chosen {
        Move::Go { field } => Some(FieldKey { value, field: hand.named(*field), before: before(*field) }),
        _ => None,
    });
    let others = view.common.to_move.without(hand.seat);
    let tray = Tray {
        hand,
        page: hand.page,
        prompt: prompt(&view, hand.seat),
        value: hand.points_of(view.round_value),
        me: view.mine.as_ref().map(|mine| me(hand, mine)),
        fields: fields.collect(),
        skills: skills(hand, &view, &moves),
        pass: moves.iter().find(|(chosen, _)| matches!(chosen, Move::Pass {})).map(|(_, value)| *value),
        waits_for: hand.names_of(others.iter()),
        waiting: others.len(),
    };
    Ok(tray.render().map_err(internal)?)
}

fn prompt(view: &View, seat: Seat) -> Option<&'static str> {
    match (view.common.phase, view.common.to_move.has(seat)) {
        (Phase::Moving, true) => Some("animal-kingdom-tray-go"),
        (Phase::Skill, true) => Some("animal-kingdom-tray-skill"),
        (Phase::Moving | Phase::Skill, false) => Some("animal-kingdom-tray-done"),
        (Phase::Finished, _) => None,
    }
}

fn me(hand: &Hand<'_>, mine: &Mine) -> Me {
    let animal = hand.named(mine.my_animal);
    let used = mine.my_skills.iter().map(|it| UsedSkill {
        round: it.round,
        text: told(hand, it.chosen),
        gained: hand.points_of(it.gained),
    });
    Me {
        class: hand.named(mine.my_animal.class()).word,
        habitat: mine.my_animal.habitat().map(|it| hand.named(it)),
        skill: hand.tell("skill", &animal.id),
        animal,
        points: hand.points_of(mine.my_points),
        must_return: mine.my_must_return,
        field: mine.my_field.map(|it| hand.named(it)),
        chosen: mine.my_skill.map(|it| told(hand, it)),
        used: used.collect(),
    }
}

/// The type of a move that uses a skill, whom it names, and as whom.
fn parts(chosen: &Move) -> Option<(&'static str, Seat, Option<Animal>)> {
    match *chosen {
        Move::Attack { seat, copied } => Some(("attack", seat, copied)),
        Move::Predict { seat, copied, .. } => Some(("predict", seat, copied)),
        Move::Follow { seat, copied } => Some(("follow", seat, copied)),
        Move::Judge { seat, copied, .. } => Some(("judge", seat, copied)),
        Move::Rob { seat, copied } => Some(("rob", seat, copied)),
        Move::Go { .. } | Move::Pass {} => None,
    }
}

/// A skill that was used, as in "(lion) attack: José".
fn told(hand: &Hand<'_>, chosen: Move) -> String {
    let Some((name, seat, copied)) = parts(&chosen) else {
        return hand.page.word_or("animal-kingdom-move-pass", "");
    };
    let said = match chosen {
        Move::Predict { animal, .. } => Some(hand.named(animal).word),
        Move::Judge { gains, .. } => Some(hand.words.word(&gains.to_string())),
        _ => None,
    };
    let copied = copied.map(|animal| format!("({})", hand.named(animal).word));
    let verb = hand.tell("verb", name);
    let rest = [Some(hand.name_of(seat).to_owned()), said].into_iter().flatten().collect::<Vec<_>>().join(" · ");
    [copied, Some(format!("{verb}: {rest}"))].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

fn skills<'a>(hand: &Hand<'a>, view: &View, moves: &[(Move, &'a str)]) -> Vec<Skill<'a>> {
    let learned: &[Learned] = view.mine.as_ref().map(|mine| mine.my_learned.as_slice()).unwrap_or_default();
    let person = |seat: Seat| Person {
        seat,
        name: hand.name_of(seat),
        field: view.fields.as_ref().map(|fields| hand.named(fields[seat])),
        animal: learned.iter().find(|it| it.seat == seat).map(|it| hand.named(it.animal)),
    };
    let mut skills: Vec<(String, Skill<'a>)> = Vec::new();
    for (chosen, _) in moves {
        let Some((name, seat, copied)) = parts(chosen) else { continue };
        let start = start(name, copied.map(|it| hand.named(it).id));
        let at = skills.iter().position(|(known, _)| *known == start).unwrap_or_else(|| {
            let skill = Skill {
                help: copied.map(|it| hand.tell("skill", &hand.named(it).id)).unwrap_or_default(),
                copied: copied.map(|it| hand.named(it)),
                start: start.clone(),
                verb: hand.page.word_or(&format!("animal-kingdom-move-{name}"), name),
                people: Vec::new(),
                animals: Vec::new(),
                judges: matches!(chosen, Move::Judge { .. }),
            };
            skills.push((start, skill));
            skills.len() - 1
        });
        let skill = &mut skills[at].1;
        if !skill.people.iter().any(|it| it.seat == seat) {
            skill.people.push(person(seat));
        }
        if let Move::Predict { animal, .. } = chosen {
            let animal = hand.named(*animal);
            if !skill.animals.iter().any(|it| it.id == animal.id) {
                skill.animals.push(animal);
            }
        }
    }
    skills.into_iter().map(|(_, skill)| skill).collect()
}

fn start(name: &str, copied: Option<String>) -> String {
    let mut start = json!({ "type": name });
    if let Some(copied) = copied {
        start["as"] = Value::String(copied);
    }
    start.to_string()
}

impl Skill<'_> {
    /// Tells the fields of one copied skill from those of another.
    fn id(&self, field: &str) -> String {
        format!("tray-{field}-{}", self.copied.as_ref().map_or("own", |it| it.id.as_str()))
    }
}
