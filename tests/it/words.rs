//! What an app is told in words: it shows a game without a text of its own.

use harness::{Party, TestApp};
use reqwest::Method;
use serde_json::{Value, json};

fn list(answer: &Value, field: &str) -> Vec<Value> {
    answer[field].as_array().unwrap_or_else(|| panic!("no list {field} in {answer}")).clone()
}

#[tokio::test]
async fn an_app_is_told_every_event_and_move_as_a_sentence_if_it_asks() {
    let app = TestApp::start();
    let mut party = Party::start(&app, "perudo", 2, json!({})).await;
    party.step().await;
    let player = &party.players[0];
    for (lang, bid) in [("ko", "이상"), ("en", "at least"), ("es", "al menos")] {
        let frames = list(&player.get(&party.path(&format!("/events?text={lang}"))).await.is(200), "items");
        let bids: Vec<_> = frames
            .iter()
            .flat_map(|frame| list(frame, "events").into_iter().zip(list(frame, "texts")))
            .filter(|(event, _)| event["type"] == "bid")
            .collect();
        let text = bids[0].1.as_str().unwrap_or_default();
        assert!(text.contains(bid) && ["하늘", "Lucía"].iter().any(|name| text.contains(name)), "{lang}: {text}");
        let mut stream = player.listen(&party.path(&format!("/stream?text={lang}")), None).await;
        let heard = stream.next_of("frame").await.data;
        assert_eq!(heard["texts"], frames[0]["texts"], "{lang}");
        let seen = party.players[1].get(&party.path(&format!("/view?text={lang}"))).await.is(200);
        assert_eq!(list(&seen, "move_texts").len(), list(&seen, "legal_moves").len());
        let replay = player.get(&party.path(&format!("/replay?version=1&text={lang}"))).await.is(200);
        assert_eq!(replay["texts"], frames[1]["texts"]);
    }
    // Nobody else pays for it.
    let frames = list(&player.get(&party.path("/events")).await.is(200), "items");
    let seen = party.players[1].get(&party.path("/view")).await.is(200);
    assert!(frames[0].get("texts").is_none() && seen.get("move_texts").is_none());
    let wrong = player.get(&party.path("/events?text=fr")).await.problem(400, "invalid_query");
    assert_eq!(wrong["errors"][0]["pointer"], "text");
}

#[tokio::test]
async fn all_words_of_a_game_are_there_in_the_readers_language() {
    let app = TestApp::start();
    let games = list(&app.anybody().get("/games").await.is(200), "items");
    for game in games {
        let path = format!("/games/{}/words", game["id"].as_str().expect("a game has an id"));
        let spanish = app.anybody().get(&format!("{path}?lang=es")).await.is(200);
        let request = app.anybody().api(Method::GET, &path).header("accept-language", "es-MX,en;q=0.5");
        assert_eq!(harness::Answer::of(request).await.is(200), spanish);
        let korean = app.anybody().get(&format!("{path}?lang=ko")).await.is(200);
        assert_ne!(korean["moves"], spanish["moves"], "{path}");
        for part in ["moves", "events", "phases", "refusals", "ends", "view"] {
            assert!(korean[part].as_object().is_some_and(|it| !it.is_empty()), "{path}: {part}");
        }
    }
    app.anybody().get("/games/nothing/words").await.problem(404, "unknown_game");
}
