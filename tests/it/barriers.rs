//! No page keeps anybody out: axe-core looks at each of them in three languages, by day and by night, on a tablet and on a
//! telephone, with an evening's worth of content.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::Path;

use harness::{Axe, Browser, Evening, Launch, TestApp, eventually, installed, repository};

use crate::staff::{code, unbase32};

const TABLET: (u32, u32) = (1024, 768);
const TELEPHONE: (u32, u32) = (360, 740);

/// A language, how each page looks in it, and which of three pages in a row is looked at closely: all if none is named. The others
/// are looked at once, for what hangs on colours, sizes and words.
type Looks = (&'static str, &'static [(&'static str, (u32, u32))], Option<usize>);
/// Each page in each language, once of these closely, and each screen in both themes.
const LOOKS: [Looks; 3] = [
    ("ko", &[("light", TABLET), ("light", TELEPHONE)], Some(0)),
    ("en", &[("dark", TABLET), ("light", TELEPHONE)], Some(1)),
    // The longest words are on the smallest screen.
    ("es", &[("dark", TELEPHONE), ("light", TELEPHONE)], Some(2)),
];
/// Each language in both themes on every screen, the smallest phone and an upright tablet among them.
const EVERY_LOOK: [Looks; 3] = [("ko", &ALL, None), ("en", &ALL, None), ("es", &ALL, None)];
const ALL: [(&str, (u32, u32)); 8] = [
    ("light", TABLET),
    ("dark", TABLET),
    ("light", (768, 1024)),
    ("dark", (768, 1024)),
    ("light", TELEPHONE),
    ("dark", TELEPHONE),
    ("light", (320, 640)),
    ("dark", (320, 640)),
];

/// What answers a GET and is no page of ours.
const NO_PAGES: &[&str] = &[
    "/m/{code}/qr",
    "/t/{code}/qr",
    "/admin/tables/qr/wifi.svg",
    "/m/{code}/live",
    "/t/{code}/live",
    "/w/{token}/live",
    "/wait/{code}/live",
    "/admin/waiting/door/qr.svg",
    "/admin/waiting/{id}/qr.svg",
    "/static/{name}",
    "/manifest.webmanifest",
    "/service-worker.js",
    "/cafe/logo/{hash}",
    "/admin/calls",
    "/admin/live/floor",
    "/admin/live/matches/{id}",
    "/admin/live/tournaments/{id}",
    "/tournaments/{code}/live",
    "/series/{code}/live",
    "/admin/stats/export",
    "/admin/sittings/export",
    "/admin/audit/export",
    "/api/openapi.json",
    "/api/docs/",
    "/metrics",
    "/.well-known/apple-app-site-association",
    "/.well-known/assetlinks.json",
    "/sign-in/{provider}",
    "/sign-in/{provider}/callback",
];

/// A page to look at: the route that it belongs to, its address, and what is done there first, as the page's own script would.
struct Stop {
    route: &'static str,
    path: String,
    action: &'static str,
}

fn stop(route: &'static str, path: impl Into<String>) -> Stop {
    Stop { route, path: path.into(), action: "" }
}

impl Stop {
    /// The form that this finds and fills in leads to another page, which is looked at.
    fn after(self, action: &'static str) -> Self {
        Stop { action, ..self }
    }

    async fn reach(&self, browser: &Browser, url: &str) {
        browser.go(&format!("{url}{}", self.path)).await;
        if !self.action.is_empty() {
            leave(browser, self.action).await;
        }
    }
}

/// Does this on the page, which leads to another.
async fn leave(browser: &Browser, action: &str) {
    let form = "window.before = true; const form = query => document.querySelector(`main form${query}`);";
    browser.run(&format!("{form} {action}")).await;
    let there = "return !window.before && document.readyState === 'complete'";
    eventually(action, async || browser.client.execute(there, vec![]).await.ok().filter(|it| *it == true)).await;
}

/// What guests and people who are not signed in come to.
fn outside(evening: &Evening) -> Vec<Stop> {
    let variant = &evening.variant;
    let code = |table: usize| evening.tables[table]["code"].as_str().expect("a table has a code").to_owned();
    let mut stops = vec![
        stop("/", "/"),
        stop("/library", "/library"),
        stop("/library", "/library?name=%E3%85%8B%E3%85%8B%E3%85%8B"),
        stop("/leaderboards", "/leaderboards"),
        stop("/offline", "/offline"),
        stop("/api/docs", "/api/docs?q=moves"),
        stop("/api/docs/operations/{id}", "/api/docs/operations/play_move"),
        stop("/api/docs/types", "/api/docs/types"),
        stop("/api/docs/types/{name}", "/api/docs/types/PerudoView"),
        stop("/rules/{game}", format!("/rules/perudo?variant={variant}")),
        stop("/admin/sign-in", "/admin/sign-in"),
        stop("/admin/sign-in", "/admin/sign-in").after(
            "form('').email.value = 'x@example.org'; form('').password.value = 'wrong'; form('').requestSubmit()",
        ),
        stop("/admin/welcome", evening.invitation.clone()),
        stop("/admin/welcome", "/admin/welcome?token=old"),
        stop("/admin", "/admin"),
        stop("", "/no/such/page"),
        stop("/t/{code}", format!("/t/{}", code(0))),
        stop("/t/{code}", format!("/t/{}", code(3))),
        stop("/t/{code}", format!("/t/{}", code(1))),
        stop("/t/{code}/phone", format!("/t/{}/phone", code(1))),
        stop("/t/{code}", format!("/t/{}", code(1)))
            .after("const name = form('')?.display_name; if (name) name.value = 'Lucía'; form('').requestSubmit()"),
    ];
    let own = evening.waiting["url"].as_str().expect("a party that waits has a page");
    stops.push(stop("/w/{token}", &own[own.find("/w/").expect("it leads there")..]));
    let door = format!("/wait/{}", evening.door);
    stops.push(stop("/wait/{code}", door.clone()));
    let nameless = "form('.form').noValidate = true; form('.form').requestSubmit()";
    stops.push(stop("/wait/{code}", door.clone()).after(nameless));
    stops.push(stop("/wait/{code}", format!("{door}?screen=1")));
    // By now the browser is one of the party at that table.
    let at_table = format!("/t/{}/play", code(1));
    stops.push(stop("/t/{code}/play", at_table.clone()));
    stops.push(stop("/t/{code}/play", format!("{at_table}?game=perudo")));
    stops.push(stop("/me", "/me"));
    stops.extend(evening.codes.iter().map(|code| stop("/m/{code}", format!("/m/{code}"))));
    stops.extend(evening.codes.last().map(|code| stop("/m/{code}", format!("/m/{code}?screen=1"))));
    stops.push(stop("/tournaments", "/tournaments"));
    for tournament in &evening.tournaments {
        let path = format!("/tournaments/{}", tournament["code"].as_str().expect("a tournament has a code"));
        stops.push(stop("/tournaments/{code}", format!("{path}?screen=1")));
        stops.push(stop("/tournaments/{code}/embed", format!("{path}/embed")));
        stops.push(stop("/tournaments/{code}", path));
    }
    let season = evening.series["code"].as_str().expect("a series has a code");
    stops.push(stop("/series/{code}", format!("/series/{season}")));
    stops.extend(evening.running.iter().map(|(game, _)| stop("/rules/{game}", format!("/rules/{game}"))));
    stops
}

/// The addresses that staff come to.
pub(crate) fn staff_pages(evening: &Evening) -> Vec<String> {
    inside(evening).into_iter().filter(|stop| stop.action.is_empty()).map(|stop| stop.path).collect()
}

/// What staff come to.
fn inside(evening: &Evening) -> Vec<Stop> {
    let (variant, title, player) = (&evening.variant, &evening.title, &evening.player);
    let table = |number: usize| evening.tables[number]["id"].as_str().expect("a table has an id");
    let mut stops = vec![
        stop("/admin", "/admin"),
        stop("/admin", format!("/admin?table={}", table(1))),
        stop("/admin", format!("/admin?table={}", table(3))),
        stop("/admin", format!("/admin?table={}&sheet=play", table(1))),
        stop("/admin", format!("/admin?table={}&sheet=move", table(1))),
        stop("/admin", format!("/admin?table={}&sheet=leave", table(1))),
        stop("/admin", format!("/admin?table={}&sheet=boxes", table(3))),
        stop("/admin/floor", "/admin/floor?screen=1"),
        stop("/admin/waiting", "/admin/waiting"),
        stop("/admin/waiting/door", "/admin/waiting/door"),
        stop("/admin/waiting/{id}", format!("/admin/waiting/{}", evening.waiting["id"].as_str().expect("it has an id"))),
        stop("/admin/opening", "/admin/opening"),
        stop("/admin/opening", "/admin/opening?step=2"),
        stop("/admin/opening", "/admin/opening?step=3"),
        stop("/admin/opening", "/admin/opening?step=4"),
        stop("/admin/tables", "/admin/tables"),
        stop("/admin/tables/plan", "/admin/tables/plan"),
        stop("/admin/tables/qr", "/admin/tables/qr"),
        stop("/admin/tables/{id}/history", format!("/admin/tables/{}/history", table(1))),
        stop("/admin/variants", "/admin/variants"),
        stop("/admin/variants", "/admin/variants?status=retired"),
        stop("/admin/variants/new", "/admin/variants/new?game=middle-race"),
        stop("/admin/variants/new", "/admin/variants/new?game=middle-race")
            .after("form('.form').noValidate = true; form('.form')['option.track_length'].value = '99'; form('.form').requestSubmit()"),
        stop("/admin/variants/{id}", format!("/admin/variants/{variant}")),
        stop("/admin/variants/{id}/edit", format!("/admin/variants/{variant}/edit")),
        stop("/admin/variants/{id}/versions/{number}/lab", format!("/admin/variants/{variant}/versions/1/lab")),
        stop("/admin/trials/{id}", evening.trial.clone()),
        stop("/admin/library", "/admin/library"),
        stop("/admin/library/import", "/admin/library/import"),
        stop("/admin/library/titles/new", "/admin/library/titles/new"),
        stop("/admin/library/titles/{id}", format!("/admin/library/titles/{title}")),
        stop("/admin/library/titles/{id}/edit", format!("/admin/library/titles/{title}/edit")),
        stop("/admin/matches", "/admin/matches"),
        stop("/admin/matches", "/admin/matches?from=2020-01-01&to=2020-01-02"),
        stop("/admin/players", "/admin/players"),
        stop("/admin/players", "/admin/players?q=zzz"),
        stop("/admin/players/{id}", format!("/admin/players/{player}")),
        stop("/admin/players/{id}/merge", format!("/admin/players/{player}/merge")),
        stop("/admin/leaderboards", "/admin/leaderboards"),
        stop("/admin/stats", "/admin/stats"),
        stop("/admin/stats/games", "/admin/stats/games"),
        stop("/admin/stats/people", "/admin/stats/people"),
        stop("/admin/stats", "/admin/stats?from=2020-01-01&until=2020-01-31"),
        stop("/admin/sittings", "/admin/sittings"),
        stop("/admin/sittings", "/admin/sittings?from=2020-01-01&to=2020-01-02&weekday=1&hour=20"),
        stop("/admin/matches", "/admin/matches?day=ended&seats=2"),
        stop("/admin/staff", "/admin/staff"),
        stop("/admin/staff/sessions", "/admin/staff/sessions"),
        stop("/admin/keys", "/admin/keys"),
        stop("/admin/closing", "/admin/closing"),
        stop("/admin/settings", "/admin/settings"),
        stop("/admin/settings/tariff", "/admin/settings/tariff"),
        stop("/admin/settings", "/admin/settings").after("form('.form').time_zone.value = 'Nowhere'; form('.form').requestSubmit()"),
        stop("/admin/audit", "/admin/audit"),
        stop("/admin/operations", "/admin/operations"),
        stop("/admin/webhooks", "/admin/webhooks"),
        stop("/admin/webhooks/{id}", format!("/admin/webhooks/{}", evening.webhook)),
        stop("/admin/account", "/admin/account"),
        stop("/admin/search", "/admin/search"),
        stop("/admin/search", "/admin/search?q=%E3%85%8D"),
        stop("/admin/search", "/admin/search?q=zzz"),
        stop("/admin/matches/{id}/seats/{seat}", format!("/admin/matches/{}/seats/1?q=%ED%95%98", evening.running[0].1)),
        stop("", "/admin/matches/019f0000-0000-7000-8000-000000000000"),
    ];
    stops.extend(at_tournaments(evening));
    stops.extend(at_series(evening));
    let matches = evening.running.iter().chain(&evening.finished).map(|(_, id)| id).chain(&evening.others);
    stops.extend(matches.map(|id| stop("/admin/matches/{id}", format!("/admin/matches/{id}"))));
    stops
}

fn at_tournaments(evening: &Evening) -> Vec<Stop> {
    let path = |number: usize, rest: &str| {
        let id = evening.tournaments[number]["id"].as_str().expect("a tournament has an id");
        format!("/admin/tournaments/{id}{rest}")
    };
    let round = "/admin/tournaments/{id}/rounds/{stage}/{round}";
    let bout = "/admin/tournaments/{id}/bouts/{stage}/{key}";
    let print = "/admin/tournaments/{id}/print";
    let correct = "form('.quick').reason.value = 'x'; form('.quick').querySelectorAll('button')[1].click()";
    vec![
        stop("/admin/tournaments", "/admin/tournaments"),
        stop("/admin/tournaments", "/admin/tournaments?status=cancelled"),
        stop("/admin/tournaments/new", "/admin/tournaments/new?preset=pods_top"),
        stop("/admin/tournaments/new", "/admin/tournaments/new").after(
            "form('.form').noValidate = true; form('.form')['rounds-1'].value = '99'; form('.form').requestSubmit()",
        ),
        stop("/admin/tournaments/{id}", path(0, "")),
        stop("/admin/tournaments/{id}", path(1, "")),
        stop("/admin/tournaments/{id}", path(2, "")),
        stop("/admin/tournaments/{id}", path(3, "")),
        stop("/admin/tournaments/new", "/admin/tournaments/new?preset=arena"),
        stop("/admin/tournaments/{id}/entrants", path(3, "/entrants")),
        stop("/admin/tournaments/{id}/edit", path(2, "/edit")),
        stop("/admin/tournaments/{id}/entrants", path(0, "/entrants?seeding=1")),
        stop("/admin/tournaments/{id}/entrants", path(2, "/entrants?q=%ED%95%98")),
        stop(round, path(1, "/rounds/1/2")),
        stop(round, path(2, "/rounds/1/1")),
        stop("/admin/tournaments/{id}/rounds/{stage}/{round}/grid", path(2, "/rounds/1/1/grid")),
        stop("/admin/tournaments/{id}/cut", path(2, "/cut")),
        stop("/admin/tournaments/{id}/log", path(2, "/log")),
        stop("/admin/tournaments/{id}/rulings", path(0, "/rulings")),
        stop("/admin/tournaments/{id}/paste", path(0, "/paste")),
        stop(bout, path(2, "/bouts/1/main-1-2")),
        stop(bout, path(1, "/bouts/1/main-1-1")).after(correct),
        stop(print, path(1, "/print?what=tables&round=1")),
        stop(print, path(1, "/print?what=names&round=1")),
        stop(print, path(2, "/print?what=slips")),
        stop(print, path(2, "/print?what=bracket")),
    ]
}

fn at_series(evening: &Evening) -> Vec<Stop> {
    let own = format!("/admin/series/{}", evening.series["id"].as_str().expect("a series has an id"));
    vec![
        stop("/admin/series", "/admin/series"),
        stop("/admin/series/new", "/admin/series/new"),
        stop("/admin/series/{id}", own.clone()),
        stop("/admin/series/{id}/edit", format!("{own}/edit")),
        stop("/admin/series/{id}/next", format!("{own}/next")),
        stop("/admin/series/{id}/people/{player}", format!("{own}/people/{}", evening.ranked)),
    ]
}

/// What staff of a café that has just opened come to: each page says what to do first.
fn empty() -> Vec<Stop> {
    let pages = ["/admin", "/admin/tables", "/admin/tables/qr", "/admin/variants", "/admin/matches", "/admin/players"];
    let more = ["/admin/leaderboards", "/admin/stats", "/admin/audit", "/admin/tournaments", "/tournaments"];
    pages.into_iter().chain(more).map(|path| stop(path, path)).collect()
}

/// A browser that goes from page to page with axe-core aboard.
struct Tour {
    browser: Browser,
    axe: Axe,
    looks: Looks,
    /// Of this language.
    number: usize,
    pages: BTreeSet<String>,
}

impl Tour {
    async fn begin() -> Self {
        let browser = Browser::open(TABLET.0, TABLET.1, "ko").await;
        let axe = Axe::aboard(&browser).await;
        Tour { browser, axe, looks: LOOKS[0], number: 0, pages: BTreeSet::new() }
    }

    /// Begins again in another language.
    async fn speak(&mut self, url: &str, looks: Looks) {
        self.browser.speak(url, looks.0).await;
        (self.looks, self.number) = (looks, 0);
    }

    async fn visit(&mut self, url: &str, stop: &Stop) {
        stop.reach(&self.browser, url).await;
        self.pages.insert(format!("{} {}", stop.path, stop.action));
        self.look(&stop.path).await;
    }

    async fn look(&mut self, name: &str) {
        let (language, looks, turn) = self.looks;
        assert_eq!(self.browser.run("return document.documentElement.lang").await, language, "{name}");
        let is_close = turn.is_none_or(|turn| self.number % LOOKS.len() == turn);
        self.number += 1;
        for (number, &(theme, (width, height))) in looks[..if is_close { looks.len() } else { 1 }].iter().enumerate() {
            self.browser.prefer(theme).await;
            self.browser.resize(width, height).await;
            let name = format!("{name} [{language} {theme} {width}]");
            match number {
                0 if is_close => self.axe.look(&self.browser, &name).await,
                _ => self.axe.look_again(&self.browser, &name).await,
            }
        }
    }

    async fn end(self, what: &str) {
        self.browser.close().await;
        // Past the test's own capture of what it prints: the person who runs the tests reads it.
        let told = format!("axe-core, {what}: {} pages, {}\n", self.pages.len(), self.axe.summary());
        std::io::stderr().write_all(told.as_bytes()).expect("somebody listens");
        let list = installed("axe").join(format!("incomplete-{what}.txt"));
        fs::write(list, self.axe.incomplete()).expect("it can be written there");
        let wrong = self.axe.violations();
        assert!(wrong.is_empty(), "{told}{wrong}");
    }
}

async fn sign_in(browser: &Browser, app: &TestApp) {
    let (email, password) = app.owner_credentials();
    let fill =
        format!("form('').email.value = '{email}'; form('').password.value = '{password}'; form('').requestSubmit()");
    Stop { route: "/admin/sign-in", path: "/admin/sign-in".into(), action: fill.leak() }
        .reach(browser, app.url())
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_page_keeps_guests_or_staff_out() {
    look_at_all(LOOKS, "guests-and-staff").await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long"]
async fn no_page_keeps_guests_or_staff_out_in_any_look() {
    look_at_all(EVERY_LOOK, "guests-and-staff-in-every-look").await;
}

async fn look_at_all(all: [Looks; 3], what: &str) {
    let app = TestApp::start();
    let evening = Evening::begin(&app).await;
    let (outside, inside) = (outside(&evening), inside(&evening));
    // The set-up is a page of a café without an owner only.
    let seen =
        outside.iter().chain(&inside).map(|stop| stop.route).chain(["/admin/setup"]).chain(NO_PAGES.iter().copied());
    let (seen, routes): (BTreeSet<_>, _) = (seen.filter(|it| !it.is_empty()).map(str::to_owned).collect(), routes());
    let differing = seen.symmetric_difference(&routes).collect::<Vec<_>>();
    assert!(differing.is_empty(), "each route is looked at, or said to be no page: {differing:?}");
    let mut tour = Tour::begin().await;
    for looks in all {
        tour.browser.client.delete_all_cookies().await.expect("they can be forgotten");
        tour.speak(app.url(), looks).await;
        for stop in &outside {
            tour.visit(app.url(), stop).await;
        }
        sign_in(&tour.browser, &app).await;
        for stop in &inside {
            tour.visit(app.url(), stop).await;
        }
    }
    tour.end(what).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_owner_meets_no_barrier() {
    let unowned = |launch: Launch| launch.unset("HOUSERULES_OWNER_EMAIL").unset("HOUSERULES_OWNER_PASSWORD");
    let mut app = TestApp::start_with(unowned);
    let said = app.server().said();
    let link = said.split_whitespace().find_map(|word| Some(&word[word.find("/admin/setup?token=")?..]));
    let setup = stop("/admin/setup", link.expect("it is said"));
    let mut tour = Tour::begin().await;
    for looks in LOOKS {
        tour.speak(app.url(), looks).await;
        tour.visit(app.url(), &setup).await;
    }
    let (email, password) = app.owner_credentials();
    let fill = format!(
        "form('').display_name.value = '루시아'; form('').email.value = '{email}'; form('').password.value = '{password}';
         form('').requestSubmit()"
    );
    setup.after(fill.leak()).reach(&tour.browser, app.url()).await;
    for looks in LOOKS {
        tour.speak(app.url(), looks).await;
        for stop in empty() {
            tour.visit(app.url(), &stop).await;
        }
        second_factor(&mut tour, &app).await;
        open_menus(&mut tour).await;
    }
    tour.end("openers").await;
}

/// Set up, asked for, and taken away again.
async fn second_factor(tour: &mut Tour, app: &TestApp) {
    let account = || stop("/admin/account", "/admin/account");
    let begin = account().after("form('[action$=begin]').requestSubmit()");
    tour.visit(app.url(), &begin).await;
    let typed = tour.browser.run("return document.querySelector('main .code').textContent").await;
    let secret = unbase32(&typed.as_str().expect("it is shown").replace(' ', ""));
    let (code, password) = (code(&secret, 0), app.owner_credentials().1);
    let fill =
        format!("form('').code.value = '{code}'; form('').password.value = '{password}'; form('').requestSubmit()");
    leave(&tour.browser, &fill).await;
    tour.look("recovery codes").await;
    let codes =
        tour.browser.run("return [...document.querySelectorAll('main li.code')].map(it => it.textContent)").await;
    tour.visit(app.url(), &account()).await;
    leave(&tour.browser, "document.querySelector(`[action='/admin/sign-out']`).requestSubmit()").await;
    sign_in(&tour.browser, app).await;
    tour.look("a code is asked for").await;
    leave(&tour.browser, "form('').code.value = '000000'; form('').requestSubmit()").await;
    tour.look("a wrong code").await;
    leave(&tour.browser, &format!("form('').code.value = {}; form('').requestSubmit()", codes[0])).await;
    account().reach(&tour.browser, app.url()).await;
    let off = "form('[action$=off]')";
    leave(&tour.browser, &format!("{off}.code.value = {}; {off}.requestSubmit()", codes[1])).await;
}

/// What lies over the page: both menus, and the sheet of keys.
async fn open_menus(tour: &mut Tour) {
    for (what, open) in [
        ("more places", "document.querySelector('.nav .menu').open = true"),
        ("the account's menu", "document.querySelector('.menu.tools').open = true"),
        ("the keys", "document.querySelector('[data-open-keys]').click()"),
    ] {
        tour.browser.run(open).await;
        tour.look(what).await;
    }
}

/// Every GET that a browser may come to, as the sources have it.
fn routes() -> BTreeSet<String> {
    let sources = repository().join("api");
    // The API's document stands above the list of routes that it is made from, and serves itself.
    let listed =
        [("web/src/routes.rs", "pub fn others"), ("web/src/openapi/mod.rs", "pub fn routes")].map(|(file, list)| {
            let source = fs::read_to_string(sources.join(file)).expect("it is there");
            source.split_once(list).expect("what is no JSON is in a list of its own").1.to_owned()
        });
    let services = listed.iter().flat_map(|list| list.split(".service(").skip(1));
    let pages: Vec<Vec<&str>> = services.filter_map(|it| Some(it.split(')').next()?.split("::").collect())).collect();
    let mut routes = BTreeSet::new();
    for (rooms, text) in texts(&sources) {
        for handler in text.split("#[get(\"").skip(1) {
            let (route, rest) = handler.split_once('"').expect("it ends");
            let name =
                rest.split_once("async fn ").and_then(|(_, rest)| rest.split('(').next()).expect("it has a name");
            let is_it = |path: &[&str]| path.iter().all(|part| *part == name || rooms.contains(&(*part).to_owned()));
            if pages.iter().any(|path| path.last() == Some(&name) && is_it(path)) {
                routes.insert(route.to_owned());
            }
        }
    }
    routes
}

/// What each source file says, with the rooms that lead there.
fn texts(folder: &Path) -> Vec<(Vec<String>, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("it can be read") {
        let path = entry.expect("it can be read").path();
        let room = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let inside = match path.is_dir() {
            true => texts(&path),
            false => vec![(Vec::new(), fs::read_to_string(&path).expect("it is text"))],
        };
        found.extend(inside.into_iter().map(|(rooms, text)| ([vec![room.clone()], rooms].concat(), text)));
    }
    found
}
