//! Guests play on their phones: from the code on the table to the rematch, by plain forms and nothing else.

use engine::{Source, catalogue, playout};
use harness::{Answer, Party, TestApp, Visitor, eventually};
use serde_json::{Value, json};

/// No game takes more moves than that at random.
const MOST_MOVES: usize = 4000;

/// Fewer than that show too little of a game.
const FEW_MOVES: usize = 40;

/// A form of a page, as a browser without scripts sends it.
#[derive(Debug)]
pub(crate) struct PageForm {
    pub(crate) action: String,
    pub(crate) fields: Vec<(String, String)>,
    /// By name, of which one each is chosen.
    radios: Vec<(String, Vec<String>)>,
    boxes: Vec<(String, String)>,
    pub(crate) buttons: Vec<Option<(String, String)>>,
}

/// A tag of a page: its name and its attributes.
struct Tag<'a> {
    name: &'a str,
    rest: &'a str,
}

impl<'a> Tag<'a> {
    fn get(&self, name: &str) -> Option<String> {
        let (_, value) = self.rest.split_once(&format!(" {name}=\""))?;
        Some(unescaped(value.split('"').next()?))
    }

    fn has(&self, name: &str) -> bool {
        self.rest.split(&[' ', '\n'][..]).any(|it| it == name || it.starts_with(&format!("{name}=")))
    }

    fn all(html: &'a str) -> impl Iterator<Item = (Tag<'a>, &'a str)> {
        html.split('<').skip(1).filter_map(|piece| {
            let (tag, after) = piece.split_once('>')?;
            let name = tag.split(&[' ', '\n'][..]).next()?;
            Some((Tag { name, rest: &tag[name.len()..] }, after))
        })
    }
}

fn unescaped(text: &str) -> String {
    let signs = [("&#34;", "\""), ("&#39;", "'"), ("&#60;", "<"), ("&#62;", ">"), ("&#38;", "&")];
    signs.iter().fold(text.to_owned(), |text, (escaped, sign)| text.replace(escaped, sign))
}

/// The forms of this class on a page.
pub(crate) fn forms(page: &str, class: &str) -> Vec<PageForm> {
    let open = |tag: &Tag<'_>| tag.get("class").is_some_and(|it| it.split(' ').any(|it| it == class));
    let pieces = page.split("<form").skip(1).filter_map(|piece| piece.split("</form>").next());
    let forms = pieces.map(|piece| format!("<form{piece}"));
    forms
        .filter_map(|html| PageForm::read(&html).filter(|_| Tag::all(&html).next().is_some_and(|(tag, _)| open(&tag))))
        .collect()
}

impl PageForm {
    fn read(html: &str) -> Option<Self> {
        let mut tags = Tag::all(html);
        let action = tags.next()?.0.get("action")?;
        let mut form =
            PageForm { action, fields: Vec::new(), radios: Vec::new(), boxes: Vec::new(), buttons: Vec::new() };
        let mut select: Option<String> = None;
        for (tag, _) in tags {
            let (kind, value) = (tag.get("type").unwrap_or_default(), tag.get("value").unwrap_or_default());
            let name = tag.get("name");
            match tag.name {
                _ if tag.has("disabled") => {}
                "input" if name.as_deref() == Some("csrf") => {}
                "input" if kind == "radio" => form.offer(&name?, value),
                "input" if kind == "checkbox" => form.boxes.push((name?, value)),
                "input" => form.fields.push((name?, value)),
                "select" => select = name,
                "option" => form.offer(&select.clone()?, value),
                "button" if kind == "button" => {}
                "button" => form.buttons.push(name.map(|name| (name, value))),
                _ => {}
            }
        }
        Some(form)
    }

    fn offer(&mut self, name: &str, value: String) {
        match self.radios.iter_mut().find(|(it, _)| it == name) {
            Some((_, values)) => values.push(value),
            None => self.radios.push((name.to_owned(), vec![value])),
        }
    }

    /// Whether it can be sent at all.
    pub(crate) fn has_buttons(&self) -> bool {
        !self.buttons.is_empty()
    }

    /// What it sends if its controls are set at random.
    pub(crate) fn filled(&self, chance: &mut dyn Source) -> Vec<(String, String)> {
        let mut fields = self.fields.clone();
        for (name, values) in &self.radios {
            fields.push((name.clone(), values[below(chance, values.len())].clone()));
        }
        fields.extend(self.boxes.iter().filter(|_| below(chance, 2) == 1).cloned());
        fields.extend(self.buttons[below(chance, self.buttons.len())].clone());
        fields
    }
}

fn below(chance: &mut dyn Source, count: usize) -> usize {
    chance.below(u32::try_from(count).expect("it is small")) as usize
}

/// What a page says of how many moves were made.
fn version(page: &str) -> u64 {
    let (_, rest) = page.split_once("data-version=\"").expect("the page says its version");
    rest.split('"').next().expect("it ends").parse().expect("it is a number")
}

pub(crate) async fn submit(who: &Visitor, page: &Answer, action: &str, fields: &[(String, String)]) -> Answer {
    let fields: Vec<_> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    who.submit(page, action, &fields).await
}

/// A table with a code, and people who know nothing but that.
pub(crate) struct Table {
    pub(crate) app: TestApp,
    pub(crate) path: String,
}

/// People at a match of the table, who look at its page with their own phones.
pub(crate) struct Phones {
    pub(crate) people: Vec<Visitor>,
    pub(crate) path: String,
    pub(crate) chance: Box<dyn Source + Send>,
}

impl Table {
    pub(crate) async fn open() -> Self {
        Self::open_in(TestApp::start()).await
    }

    pub(crate) async fn open_in(app: TestApp) -> Self {
        let table = app.owner().await.post("/tables", json!({ "name": "Anchor", "seats": 4 })).await.is(201);
        let path = format!("/t/{}", table["code"].as_str().expect("a table has a code"));
        Table { app, path }
    }

    /// Somebody scans the code and sits down under this name.
    pub(crate) async fn scan(&self, name: &str) -> Visitor {
        let who = self.app.anybody();
        let page = who.open(&self.path).await;
        let fields = [("display_name", name), ("party_size", "2")];
        let sat = who.submit(&page, &format!("{}/members", self.path), &fields).await;
        assert_eq!(sat.status, 303, "{}", sat.text());
        who
    }

    /// So many scan the code; the first opens a match for all of them, whose page is given.
    pub(crate) async fn gather(&self, game: &str, seats: usize, fields: &[(&str, &str)]) -> Phones {
        self.gather_for(game, (seats, seats), fields).await
    }

    /// The same for a match of so many seats.
    pub(crate) async fn gather_for(
        &self,
        game: &str,
        (people, seats): (usize, usize),
        fields: &[(&str, &str)],
    ) -> Phones {
        let count = people;
        let mut people = Vec::new();
        for number in 0..count {
            people.push(self.scan(&format!("Guest {number}")).await);
        }
        let page = people[0].open(&format!("{}/play?game={game}", self.path)).await;
        assert_eq!(page.status, 200, "{}", page.text());
        let count = seats.to_string();
        let fields: Vec<_> = [("game", game), ("seats", &count)].into_iter().chain(fields.iter().copied()).collect();
        let made = people[0].submit(&page, &format!("{}/matches", self.path), &fields).await;
        assert_eq!(made.status, 303, "{}", made.text());
        let path = made.header("location").to_owned();
        assert!(path.starts_with("/m/"), "{path}");
        Phones { people, path, chance: Box::new(playout::random(seats as u64)) }
    }

    /// House rules that a party can choose: their id.
    pub(crate) async fn house_rules(&self, game: &str, options: Value) -> String {
        let owner = self.app.owner().await;
        let new = json!({ "game": game, "name": "Short", "options": options });
        let id = owner.post("/variants", new).await.is(201)["id"].as_str().expect("it has an id").to_owned();
        owner.post(&format!("/variants/{id}/publish"), json!({})).await.is(200);
        id
    }

    /// So many more scan the code and sit down to this match.
    pub(crate) async fn join(&self, path: &str, more: usize) -> Phones {
        let mut phones = Phones { people: Vec::new(), path: path.to_owned(), chance: Box::new(playout::random(0)) };
        for number in 0..more {
            phones.people.push(self.scan(&format!("Other {number}")).await);
            assert_eq!(phones.press(number, "sit").await.status, 303);
        }
        phones
    }

    pub(crate) async fn start(&self, game: &str, seats: usize, fields: &[(&str, &str)]) -> Phones {
        let phones = self.gather(game, seats, fields).await;
        for seat in 1..seats {
            let sat = phones.press(seat, "sit").await;
            assert_eq!(sat.status, 303, "{}", sat.text());
        }
        let started = phones.press(0, "start").await;
        assert_eq!((started.status, started.header("location")), (303, phones.path.as_str()), "{}", started.text());
        phones
    }
}

impl Phones {
    /// Each of them makes a choice, if there is one. They answer last: an answer may end a match before everybody had a turn.
    pub(crate) async fn move_all(&mut self) {
        for seat in 0..self.people.len() {
            let page = self.look(seat).await;
            let mut moves = forms(&page.text(), "move");
            moves.retain(PageForm::has_buttons);
            let is_answer =
                |it: &Option<(String, String)>| it.as_ref().is_some_and(|(_, value)| value.contains("\"answer\""));
            for form in &mut moves {
                if !form.buttons.iter().all(is_answer) {
                    form.buttons.retain(|it| !is_answer(it));
                }
            }
            if !moves.is_empty() {
                self.choose(seat, &page, &moves).await;
            }
        }
    }

    /// Sends one of these forms of their page at random.
    pub(crate) async fn choose(&mut self, seat: usize, page: &Answer, forms: &[PageForm]) -> Answer {
        let form = &forms[below(&mut *self.chance, forms.len())];
        let fields = form.filled(&mut *self.chance);
        submit(&self.people[seat], page, &form.action, &fields).await
    }

    /// How many moves the first of them sees made.
    pub(crate) async fn version(&self) -> u64 {
        version(&self.look(0).await.text())
    }

    pub(crate) async fn look(&self, seat: usize) -> Answer {
        let page = self.people[seat].open(&self.path).await;
        assert_eq!(page.status, 200, "{}", page.text());
        page
    }

    /// Sends the only form of this class as it stands there.
    pub(crate) async fn press(&self, seat: usize, class: &str) -> Answer {
        let page = self.look(seat).await;
        let forms = forms(&page.text(), class);
        let [form] = forms.as_slice() else { panic!("{} forms {class}: {}", forms.len(), page.text()) };
        submit(&self.people[seat], &page, &form.action, &form.fields).await
    }

    /// Somebody who may move, with their page and its forms; the seats are asked in this order.
    pub(crate) async fn mover(&self, first: usize) -> Option<(usize, Answer, Vec<PageForm>)> {
        for seat in (0..self.people.len()).map(|seat| (seat + first) % self.people.len()) {
            let page = self.look(seat).await;
            if page.text().contains("data-status=\"finished\"") {
                return None;
            }
            let mut moves = forms(&page.text(), "move");
            moves.retain(PageForm::has_buttons);
            if !moves.is_empty() {
                return Some((seat, page, moves));
            }
        }
        panic!("nobody can move: {}", self.look(0).await.text());
    }

    /// All turn to the next match, which one of them asks for and starts.
    async fn play_again(&mut self) {
        let mut next = String::new();
        for seat in std::iter::once(1).chain(0..self.people.len()) {
            let again = self.press(seat, "rematch").await;
            assert_eq!(again.status, 303, "{}", again.text());
            again.header("location").clone_into(&mut next);
        }
        self.path = next;
        let started = self.press(1, "start").await;
        assert_eq!(started.status, 303, "{}", started.text());
    }

    /// Random choices to the end: how many moves there were, and how many choices were refused.
    pub(crate) async fn play_to_the_end(&mut self) -> (usize, usize) {
        let (mut moves, mut refused) = (0, 0);
        let mut first = 0;
        while let Some((seat, page, forms)) = self.mover(first).await {
            let form = &forms[below(&mut *self.chance, forms.len())];
            let fields = form.filled(&mut *self.chance);
            let answer = submit(&self.people[seat], &page, &form.action, &fields).await;
            match answer.status {
                303 => moves += 1,
                // The page is kept, says why, and offers the choice again.
                409 | 422 => {
                    assert!(answer.text().contains("role=\"alert\""), "{fields:?}: {}", answer.text());
                    assert!(!self::forms(&answer.text(), "move").is_empty(), "{fields:?}: {}", answer.text());
                    refused += 1;
                }
                _ => panic!("{fields:?}: {} {}", answer.status, answer.text()),
            }
            first = below(&mut *self.chance, self.people.len());
            assert!(moves < MOST_MOVES && refused < MOST_MOVES, "it does not end");
        }
        (moves, refused)
    }
}

/// At the smallest number of seats and at one more.
async fn is_played_by_forms(game: &str) {
    let seats = catalogue::find(game).expect("there is such a game").info().seats.clone();
    for count in seats.clone().take(2) {
        let table = Table::open().await;
        let mut phones = table.start(game, usize::from(count), &[]).await;
        let (mut moves, mut refused) = phones.play_to_the_end().await;
        // Where somebody may win at once, a few matches say more than one.
        while moves < FEW_MOVES {
            phones.play_again().await;
            let more = phones.play_to_the_end().await;
            (moves, refused) = (moves + more.0, refused + more.1);
        }
        println!("{game} with {count}: {moves} moves, {refused} refused");
        for seat in 0..phones.people.len() {
            let end = phones.look(seat).await.text();
            assert!(end.contains("class=\"places\"") && forms(&end, "move").is_empty(), "{end}");
            assert_eq!(forms(&end, "rematch").len(), 1);
        }
    }
}

#[tokio::test]
async fn perudo_is_played_by_forms() {
    is_played_by_forms("perudo").await;
}

#[tokio::test]
async fn perudo_with_pirates_is_played_by_forms() {
    is_played_by_forms("perudo-pirates").await;
}

#[tokio::test]
async fn liars_dice_is_played_by_forms() {
    is_played_by_forms("liars-dice").await;
}

#[tokio::test]
async fn dead_mans_draw_is_played_by_forms() {
    is_played_by_forms("dead-mans-draw").await;
}

#[tokio::test]
async fn animal_kingdom_is_played_by_forms() {
    is_played_by_forms("animal-kingdom").await;
}

#[tokio::test]
async fn hogu_clue_is_played_by_forms() {
    is_played_by_forms("hogu-clue").await;
}

#[tokio::test]
async fn middle_race_is_played_by_forms() {
    is_played_by_forms("middle-race").await;
}

#[tokio::test]
async fn people_sit_down_leave_and_start_and_each_is_told_what_is_missing() {
    let table = Table::open().await;
    let phones = table.gather("perudo", 3, &[("seconds", "60")]).await;
    let lobby = phones.look(0).await.text();
    assert!(lobby.contains("2 more players") && lobby.contains("disabled"), "{lobby}");
    // A start before all are there is refused, and says why.
    let page = phones.look(0).await;
    let early = phones.people[0].submit(&page, &format!("{}/start", phones.path), &[]).await;
    assert_eq!(early.status, 409);
    assert!(early.text().contains("role=\"alert\""), "{}", early.text());
    assert_eq!(phones.press(1, "sit").await.status, 303);
    assert_eq!(phones.press(1, "leave").await.status, 303);
    let page = phones.look(1).await;
    let action = format!("{}/seats", phones.path);
    let chosen = phones.people[1].submit(&page, &action, &[("seat", "2"), ("nonce", "buena suerte")]).await;
    assert_eq!(chosen.status, 303, "{}", chosen.text());
    assert_eq!(phones.press(2, "sit").await.status, 303);
    // Only the one who made it starts it.
    assert!(forms(&phones.look(1).await.text(), "start").is_empty());
    let page = phones.look(1).await;
    assert_eq!(phones.people[1].submit(&page, &format!("{}/start", phones.path), &[]).await.status, 403);
    assert_eq!(phones.press(0, "start").await.status, 303);
    let running = phones.look(2).await.text();
    assert!(running.contains("data-status=\"running\"") && running.contains("data-until"), "{running}");
    // The page of the table leads into one's own match.
    let at_table = phones.people[1].open(&table.path).await.text();
    assert!(
        at_table.contains(&format!("class=\"mine-now\" href=\"{}\"", phones.path)) || at_table.contains("my-turn"),
        "{at_table}"
    );
}

#[tokio::test]
async fn a_stranger_takes_a_seat_with_a_name_where_no_table_is_meant() {
    let app = TestApp::start();
    let maker = app.guest("하늘").await;
    let made = maker.post("/matches", json!({ "game": "perudo", "seats": 2 })).await.is(201);
    let path = format!("/m/{}", made["code"].as_str().expect("a match has a code"));
    let other = app.anybody();
    let page = other.open(&path.to_lowercase()).await;
    assert_eq!(page.status, 200);
    let action = format!("{path}/seats");
    let blank = other.submit(&page, &action, &[("display_name", " "), ("nonce", "suerte")]).await;
    assert_eq!(blank.status, 422);
    assert!(
        blank.text().contains("value=\"suerte\"") && blank.text().contains("display_name-wrong"),
        "{}",
        blank.text()
    );
    let sat = other.submit(&page, &action, &[("display_name", "<b>Lucía"), ("nonce", "")]).await;
    assert_eq!((sat.status, sat.header("location")), (303, path.as_str()), "{}", sat.text());
    let page = other.open(&path).await.text();
    assert!(page.contains("Lucía") && !page.contains("<b>Lucía") && forms(&page, "leave").len() == 1, "{page}");
    // At a table only its party sits down.
    let table = Table::open().await;
    let phones = table.gather("perudo", 2, &[]).await;
    let stranger = table.app.anybody();
    let page = stranger.open(&phones.path).await;
    assert!(forms(&page.text(), "sit").is_empty(), "{}", page.text());
    let refused = stranger.submit(&page, &format!("{}/seats", phones.path), &[("display_name", "Zoe")]).await;
    assert_eq!(refused.status, 403);
    // And no account was made of it.
    assert!(!refused.header("set-cookie").contains("houserules="), "{:?}", refused.headers);
}

#[tokio::test]
async fn a_tap_counts_once_and_an_old_page_moves_nothing() {
    let table = Table::open().await;
    let phones = table.start("middle-race", 4, &[]).await;
    let (seat, page, forms_before) = phones.mover(0).await.expect("it runs");
    let form = &forms_before[0];
    let mut fields = form.filled(&mut *playout_chance());
    let before = version(&page.text());
    for _ in 0..3 {
        let sent = submit(&phones.people[seat], &page, &form.action, &fields).await;
        assert_eq!(sent.status, 303, "{}", sent.text());
    }
    assert_eq!(version(&phones.look(seat).await.text()), before + 1);
    // What somebody chooses for a position that is gone is told, and nothing moves.
    fields.iter_mut().filter(|(name, _)| name == "key").for_each(|(_, key)| "other".clone_into(key));
    let (next, _, _) = phones.mover(0).await.expect("it runs");
    let now = version(&phones.look(next).await.text());
    let stale = submit(&phones.people[next], &page, &form.action, &fields).await;
    let page_of_next = phones.look(next).await;
    assert!(stale.status == 409 || stale.status == 403, "{}", stale.status);
    let stale = submit(&phones.people[next], &page_of_next, &form.action, &fields).await;
    assert_eq!(stale.status, 409, "{}", stale.text());
    assert!(stale.text().contains("role=\"alert\""), "{}", stale.text());
    assert_eq!(version(&phones.look(next).await.text()), now);
    // A script gets what has changed of the page, and no redirect.
    let (seat, page, moves) = phones.mover(0).await.expect("it runs");
    let fields = moves[0].filled(&mut *playout_chance());
    let token = page.token();
    let all: Vec<_> = std::iter::once(("csrf", token.as_str()))
        .chain(fields.iter().map(|(name, value)| (name.as_str(), value.as_str())))
        .collect();
    let request = phones.people[seat].page(reqwest::Method::POST, &moves[0].action).header("hx-request", "true");
    let answer = Answer::of(request.header("sec-fetch-site", "same-origin").form(&all)).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert!(answer.text().contains("id=\"play\"") && !answer.text().contains("<html"), "{}", answer.text());
}

fn playout_chance() -> Box<dyn Source + Send> {
    Box::new(playout::random(7))
}

#[tokio::test]
async fn others_see_the_board_and_no_form_and_cannot_move() {
    let table = Table::open().await;
    let phones = table.start("perudo", 2, &[]).await;
    let (seat, page, moves) = phones.mover(0).await.expect("it runs");
    let fields = moves[0].filled(&mut *playout_chance());
    for stranger in [table.app.anybody(), table.scan("Watcher").await] {
        let seen = stranger.open(&phones.path).await;
        assert_eq!(seen.status, 200);
        let text = seen.text();
        assert!(
            text.contains("class=\"board") && forms(&text, "move").is_empty() && forms(&text, "resign").is_empty(),
            "{text}"
        );
        assert!(!text.contains("data-secret"), "{text}");
        let refused = submit(&stranger, &seen, &moves[0].action, &fields).await;
        assert_eq!(refused.status, 403, "{}", refused.text());
    }
    // On the player's own phone, what only they may know lies under a cover.
    let own = phones.people[seat].open(&phones.path).await.text();
    let mut uncovered = own.split("<details");
    let first = uncovered.next().unwrap_or_default().to_owned();
    let rest = uncovered.map(|it| match it.split_once('>') {
        Some((tag, _)) if tag.contains("data-secret") => it.split_once("</details>").map_or("", |(_, after)| after),
        _ => it,
    });
    let uncovered = first + &rest.collect::<String>();
    assert!(own.contains("Your dice") && !uncovered.contains("Your dice"), "{uncovered}");
    // What a screen on the wall shows has nothing of anybody's, even of a player signed in there.
    let wall = phones.people[seat].open(&format!("{}?screen=1", phones.path)).await.text();
    assert!(wall.contains("class=\"board") && !wall.contains("<form") && !wall.contains("data-secret"), "{wall}");
    // Without the page's own token nothing is taken.
    let bare = phones.people[seat].page(reqwest::Method::POST, &moves[0].action);
    assert_eq!(Answer::of(bare.form(&fields)).await.status, 403);
    // Nor with a key that no page gives.
    let with_key =
        |(name, value): &(String, String)| (name.clone(), if name == "key" { "a".repeat(256) } else { value.clone() });
    let long: Vec<_> = fields.iter().map(with_key).collect();
    let refused = submit(&phones.people[seat], &page, &moves[0].action, &long).await;
    assert_eq!(refused.status, 400, "{}", refused.text());
    assert_eq!(submit(&phones.people[seat], &page, &moves[0].action, &fields).await.status, 303);
}

#[tokio::test]
async fn a_match_nobody_may_watch_shows_nothing_before_its_end() {
    let app = TestApp::start();
    let maker = app.guest("하늘").await;
    let new = json!({ "game": "perudo", "seats": 2, "spectators": false });
    let made = maker.post("/matches", new).await.is(201);
    let (id, code) = (made["id"].as_str().expect("it has an id"), made["code"].as_str().expect("it has a code"));
    let other = app.guest("Ana").await;
    for player in [&maker, &other] {
        player.post(&format!("/matches/{id}/seats"), json!({})).await.is(201);
    }
    maker.post(&format!("/matches/{id}/start"), json!({})).await.is(200);
    let seen = app.anybody().open(&format!("/m/{code}")).await.text();
    assert!(!seen.contains("cup-seat") && !seen.contains("/live"), "{seen}");
    // Nor what its players wrote down.
    let new = json!({ "game": "perudo", "seats": 2, "spectators": false, "mode": "scored" });
    let party = Party::gather_for(&app, new).await;
    for seat in 0..2 {
        party.sit(seat).await.is(201);
    }
    party.players[0].post(&party.path("/start"), json!({})).await.is(200);
    let path = format!("/m/{}", party.look().await["code"].as_str().expect("it has a code"));
    party.players[0].post(&party.path("/result"), json!({ "out": [1] })).await.is(200);
    for (viewer, is_shown) in [(&party.players[1], true), (&app.anybody(), false), (&other, false)] {
        let seen = viewer.open(&path).await.text();
        assert_eq!(seen.contains("id=\"result\""), is_shown, "{seen}");
    }
    // A private one is not even there.
    let new = json!({ "game": "perudo", "seats": 2, "visibility": "private" });
    let code = maker.post("/matches", new).await.is(201)["code"].as_str().expect("it has a code").to_owned();
    assert_eq!(app.anybody().open(&format!("/m/{code}")).await.status, 404);
    assert_eq!(other.open(&format!("/m/{code}")).await.status, 404);
    assert_eq!(maker.open(&format!("/m/{code}")).await.status, 200);
    assert_eq!(app.anybody().open("/m/NOSUCH").await.status, 404);
}

#[tokio::test]
async fn who_gives_up_is_told_so_and_all_play_again() {
    let table = Table::open().await;
    let mut phones = table.start("middle-race", 4, &[]).await;
    assert_eq!(phones.press(3, "resign").await.status, 303);
    let gone = phones.look(3).await.text();
    assert!(gone.contains("played automatically") && forms(&gone, "move").is_empty(), "{gone}");
    let left = phones.people.pop().expect("there are four");
    // The others play on; now and then the server moves for the one who left.
    let mut tries = 0;
    while !phones.look(0).await.text().contains("data-status=\"finished\"") {
        for seat in 0..3 {
            let page = phones.look(seat).await;
            let moves: Vec<_> = forms(&page.text(), "move").into_iter().filter(|it| !it.buttons.is_empty()).collect();
            if let Some(form) = moves.first() {
                let fields = form.filled(&mut *phones.chance);
                submit(&phones.people[seat], &page, &form.action, &fields).await;
            }
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        tries += 1;
        assert!(tries < 600, "it does not end");
    }
    let again = phones.press(1, "rematch").await;
    assert_eq!(again.status, 303);
    let next = again.header("location").to_owned();
    assert_ne!(next, phones.path);
    // Asking again leads to the same match, and nobody sits there who did not ask.
    let page = left.open(&next).await.text();
    assert!(page.contains("data-status=\"waiting\"") && forms(&page, "leave").is_empty(), "{page}");
    let joined = phones.press(0, "rematch").await;
    assert_eq!((joined.status, joined.header("location")), (303, &*next));
    let page = phones.people[0].open(&next).await.text();
    assert_eq!(forms(&page, "leave").len(), 1, "{page}");
}

#[tokio::test]
async fn a_match_with_real_dice_is_written_down_and_confirmed_by_its_players() {
    let table = Table::open().await;
    let phones = table.start("perudo", 2, &[("mode", "scored")]).await;
    let action = format!("{}/results", phones.path);
    let page = phones.look(0).await;
    let wrong = phones.people[0].submit(&page, &action, &[("place-0", "1"), ("place-1", "")]).await;
    assert_eq!(wrong.status, 422);
    assert!(wrong.text().contains("id=\"result-wrong\""), "{}", wrong.text());
    let sent = [("place-0", "2"), ("place-1", "1"), ("points-0", ""), ("points-1", "")];
    assert_eq!(phones.people[0].submit(&page, &action, &sent).await.status, 303);
    assert!(forms(&phones.look(0).await.text(), "confirm").is_empty());
    // Who watches neither writes nor confirms.
    let watcher = table.scan("Watcher").await;
    let seen = watcher.open(&phones.path).await;
    assert!(forms(&seen.text(), "confirm").is_empty() && forms(&seen.text(), "result").is_empty(), "{}", seen.text());
    assert_eq!(watcher.submit(&seen, &action, &sent).await.status, 403);
    assert_eq!(phones.press(1, "confirm").await.status, 303);
    let end = phones.look(1).await.text();
    assert!(end.contains("data-status=\"finished\"") && end.contains("You won!"), "{end}");
}

#[tokio::test]
async fn a_match_whose_maker_cannot_sit_down_is_not_made() {
    let mut table = Table::open().await;
    let guest = table.scan("Lucía").await;
    let page = guest.open(&format!("{}/play?game=perudo", table.path)).await;
    let no_room = "CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN RAISE EXCEPTION 'No space left on device' USING ERRCODE = 'disk_full'; END $$;
        CREATE TRIGGER no_room BEFORE INSERT ON match_seats FOR EACH ROW EXECUTE FUNCTION no_room()";
    table.app.database().with(|client| client.batch_execute(no_room)).expect("it is sound SQL");
    table.app.server().forgive_errors();
    let choice = [("game", "perudo"), ("seats", "2")];
    let action = format!("{}/matches", table.path);
    assert_eq!(guest.submit(&page, &action, &choice).await.status, 503);
    let count = |app: &TestApp| -> i64 {
        app.database().with(|client| client.query_one("SELECT count(*) FROM matches", &[])).expect("it counts").get(0)
    };
    assert_eq!(count(&table.app), 0);
    table
        .app
        .database()
        .with(|client| client.batch_execute("DROP TRIGGER no_room ON match_seats"))
        .expect("it is there");
    let made = guest.submit(&page, &action, &choice).await;
    assert_eq!(made.status, 303, "{}", made.text());
    assert_eq!(count(&table.app), 1);
    assert!(guest.open(made.header("location")).await.text().contains("data-seated"));
}

#[tokio::test]
async fn what_fits_the_party_stands_first_and_house_rules_say_what_they_change() {
    let table = Table::open().await;
    let owner = table.app.owner().await;
    let rules = json!({ "game": "perudo", "name": "Sailors", "options": { "calza": true } });
    let variant: Value = owner.post("/variants", rules).await.is(201);
    let variant = variant["id"].as_str().expect("it has an id").to_owned();
    owner.post(&format!("/variants/{variant}/publish"), json!({})).await.is(200);
    // Who is not of the party is led to the table.
    let nobody = table.app.anybody().open(&format!("{}/play", table.path)).await;
    assert_eq!((nobody.status, nobody.header("location")), (303, table.path.as_str()));
    let guest = table.scan("Lucía").await;
    let games = guest.open(&format!("{}/play", table.path)).await.text();
    let place = |game: &str| games.find(&format!("game={game}\"")).expect("the game is offered");
    assert!(place("perudo") < place("animal-kingdom") && place("animal-kingdom") < place("other"), "{games}");
    let page = guest.open(&format!("{}/play?game=perudo", table.path)).await;
    assert!(page.text().contains("Sailors") && page.text().contains("Calza"), "{}", page.text());
    let action = format!("{}/matches", table.path);
    let wrong = guest.submit(&page, &action, &[("game", "perudo"), ("seats", "99"), ("seconds", "60")]).await;
    assert_eq!(wrong.status, 422);
    assert!(wrong.text().contains("role=\"alert\""), "{}", wrong.text());
    let made = guest.submit(&page, &action, &[("game", "perudo"), ("seats", "2"), ("variant", &variant)]).await;
    assert_eq!(made.status, 303, "{}", made.text());
    let code = made.header("location").trim_start_matches("/m/").to_owned();
    let found = owner.get(&format!("/matches/by-code/{code}")).await.is(200);
    assert_eq!(
        (&found["variant_id"], &found["seats"][0]["player"]["display_name"]),
        (&json!(variant), &json!("Lucía"))
    );
    // Any other game at all is written down.
    let fields = [("game", "other"), ("title", "Rummikub"), ("seats", "3")];
    assert_eq!(guest.submit(&page, &action, &fields).await.status, 303);
    assert_eq!(guest.submit(&page, &action, &[("game", "other"), ("title", " "), ("seats", "3")]).await.status, 422);
}

#[tokio::test]
async fn phones_at_a_table_hear_of_it_at_once() {
    let table = Table::open().await;
    let guest = table.scan("Lucía").await;
    let mut news = guest.listen_to(&format!("{}/live", table.path), None).await;
    // The first only says that the page may be old.
    news.next_of("changed").await;
    let other = table.scan("하늘").await;
    news.next_of("changed").await;
    let page = guest.open(&table.path).await.text();
    assert!(page.contains("하늘"), "{page}");
    let page = other.open(&format!("{}/play?game=perudo", table.path)).await;
    let made = other.submit(&page, &format!("{}/matches", table.path), &[("game", "perudo"), ("seats", "2")]).await;
    news.next_of("changed").await;
    let path = made.header("location").to_owned();
    assert!(guest.open(&table.path).await.text().contains(&format!("href=\"{path}\"")));
    let mut match_news = guest.listen_to(&format!("{path}/live"), None).await;
    match_news.next_of("changed").await;
    let page = guest.open(&path).await;
    assert_eq!(guest.submit(&page, &format!("{path}/seats"), &[]).await.status, 303);
    match_news.next_of("changed").await;
}

#[tokio::test]
async fn a_guest_registers_at_their_page_and_keeps_what_they_played() {
    let table = Table::open().await;
    let mut phones = table.start("liars-dice", 2, &[]).await;
    phones.play_to_the_end().await;
    let guest = &phones.people[0];
    let nobody = table.app.anybody().open("/me").await;
    assert!(nobody.status == 200 && forms(&nobody.text(), "sign-in").len() == 1, "{}", nobody.text());
    let page = guest.open("/me").await;
    assert!(page.text().contains("Guest 0") && forms(&page.text(), "register").len() == 1, "{}", page.text());
    let blank = guest.submit(&page, "/me/name", &[("display_name", " ")]).await;
    assert!(blank.status == 422 && blank.text().contains("display_name-wrong"), "{}", blank.text());
    assert_eq!(guest.submit(&page, "/me/name", &[("display_name", "Lucía")]).await.status, 303);
    let email = ("email", "lucia@example.org");
    let short = guest.submit(&page, "/me/register", &[email, ("password", "short")]).await;
    assert!(short.status == 422 && short.text().contains("lucia@example.org"), "{}", short.text());
    let password = ("password", "a long enough password");
    assert_eq!(guest.submit(&page, "/me/register", &[email, password]).await.status, 303);
    let page = guest.open("/me").await;
    assert!(page.text().contains("Lucía") && forms(&page.text(), "register").is_empty(), "{}", page.text());
    // On another phone they are the same; a wrong password lets nobody in.
    let phone = table.app.anybody();
    let page = phone.open("/me").await;
    let wrong = phone.submit(&page, "/me/sign-in", &[email, ("password", "another long password")]).await;
    assert_eq!(wrong.status, 401);
    assert!(wrong.text().contains("role=\"alert\""), "{}", wrong.text());
    assert_eq!(phone.submit(&page, "/me/sign-in", &[email, password]).await.status, 303);
    let page = phone.open("/me").await;
    assert!(page.text().contains("Lucía") && page.text().matches("/me/sessions/").count() == 1, "{}", page.text());
    eventually("the match is in the history", async || {
        phone.open("/me").await.text().contains(&format!("href=\"{}\"", phones.path)).then_some(())
    })
    .await;
    assert_eq!(phone.submit(&page, "/me/delete", &[("password", "")]).await.status, 403);
    let deleted = phone.submit(&page, "/me/delete", &[password]).await;
    assert_eq!((deleted.status, deleted.header("clear-site-data")), (303, "\"cache\""));
    assert!(forms(&phone.open("/me").await.text(), "sign-in").len() == 1);
    assert!(!phones.people[1].open(&phones.path).await.text().contains("Lucía"));
}
