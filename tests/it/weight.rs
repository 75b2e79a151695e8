//! What a phone has to fetch for a match: little when it first comes, and less for each move.

use std::collections::{BTreeMap, BTreeSet};

use harness::{Answer, Visitor};
use reqwest::{Method, RequestBuilder};

use crate::play::{Phones, Table};

/// With everything: the page, its styles, scripts, symbols and pieces, and what is kept for when the network is gone.
const FIRST_VISIT: usize = 80_000;
/// What a move brings back, and what the news of it makes others fetch.
const MOVE: usize = 6_000;
/// By then the log is as long as pages tell it.
const MOVES: usize = 40;

/// The games with as many as can play them.
const GAMES: [(&str, usize); 7] = [
    ("perudo", 6),
    ("perudo-pirates", 6),
    ("liars-dice", 6),
    ("dead-mans-draw", 4),
    ("animal-kingdom", 10),
    ("hogu-clue", 6),
    ("middle-race", 10),
];

/// As a Korean browser asks, which takes what is packed.
fn asked(request: RequestBuilder) -> RequestBuilder {
    request.header("accept", "text/html").header("accept-language", "ko").header("accept-encoding", "gzip, br")
}

/// All bytes of an answer but its first line.
fn weight(answer: &Answer) -> usize {
    let headers = answer.headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum::<usize>();
    answer.body.len() + headers
}

async fn fetch(who: &Visitor, path: &str) -> usize {
    let answer = Answer::of(asked(who.page(Method::GET, path))).await;
    assert_eq!(answer.status, 200, "{path}");
    weight(&answer)
}

/// The addresses of files in this text.
fn files(text: &str) -> impl Iterator<Item = String> {
    let named = text.split("/static/").skip(1);
    named.map(|rest| format!("/static/{}", rest.split(['"', '#', ')', '\'']).next().unwrap_or_default()))
}

/// What everything weighs that a browser fetches which has never been here.
async fn first_visit(phones: &Phones) -> BTreeMap<String, usize> {
    let who = &phones.people[0];
    let page = who.open(&phones.path).await.text();
    let mut named: BTreeSet<String> = files(&page).filter(|path| !path.contains("verify")).collect();
    for style in named.clone().iter().filter(|path| path.ends_with(".css")) {
        named.extend(files(&who.get_page(style).await.text()));
    }
    named.extend([phones.path.as_str(), "/manifest.webmanifest", "/service-worker.js", "/offline"].map(str::to_owned));
    let mut weights = BTreeMap::new();
    for path in named {
        weights.insert(path.clone(), fetch(who, &path).await);
    }
    weights
}

/// What the heaviest answer to a move weighs, and the heaviest that news of one makes others fetch.
async fn moves(phones: &mut Phones) -> (usize, usize) {
    let (mut answered, mut told) = (0, 0);
    for number in 0..MOVES {
        let Some((seat, page, forms)) = phones.mover(number % phones.people.len()).await else { break };
        let form = &forms[number % forms.len()];
        let mut fields = form.filled(&mut *phones.chance);
        fields.push(("csrf".into(), page.token()));
        let people = &phones.people;
        let request = asked(people[seat].page(Method::POST, &form.action)).header("hx-request", "true");
        let answer = Answer::of(request.header("sec-fetch-site", "same-origin").form(&fields)).await;
        assert!([200, 409, 422].contains(&answer.status), "{fields:?}: {}", answer.status);
        answered = answered.max(weight(&answer));
        let other = &people[(seat + 1) % people.len()];
        let news = asked(other.page(Method::GET, &phones.path)).header("hx-request", "true");
        told = told.max(weight(&Answer::of(news).await));
    }
    (answered, told)
}

#[tokio::test]
async fn a_match_on_a_phone_is_light() {
    let mut too_much = Vec::new();
    for (game, seats) in GAMES {
        let table = Table::open().await;
        let mut phones = table.start(game, seats, &[]).await;
        let first = first_visit(&phones).await;
        let whole: usize = first.values().sum();
        let (answered, told) = moves(&mut phones).await;
        println!("{game} with {seats}: first visit {whole}, a move {answered}, news of it {told} bytes");
        if whole > FIRST_VISIT {
            too_much.push(format!("first visit of {game}: {whole} {first:#?}"));
        }
        if answered.max(told) > MOVE {
            too_much.push(format!("{game}: a move {answered}, news of it {told}"));
        }
    }
    assert!(too_much.is_empty(), "{}", too_much.join("\n"));
}
