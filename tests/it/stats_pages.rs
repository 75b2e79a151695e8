//! The page of figures: what is behind each of them, as files, in three languages, and without JavaScript.

use std::process::Command;

use harness::{Answer, Browser, TestApp, Visitor, eventually, run, workplace};
use reqwest::Method;
use serde_json::Value;

use crate::stats::{all_is_summed, cafe, change, history, one, parties};

const ALL: &str = "from=2026-10-10&until=2026-11-20";

/// In each seventh match a bot sits on the second seat.
const SOME_BOTS: &str = "\
    ALTER TABLE match_seats DISABLE TRIGGER match_seats_guard; \
    UPDATE match_seats SET player_id = NULL, bot = 'easy' FROM matches \
        WHERE seat = 1 AND id = match_id AND ('x' || code)::bit(24)::int % 7 = 0; \
    ALTER TABLE match_seats ENABLE TRIGGER match_seats_guard;";

/// A café with a past, whose rules have a name that means mischief.
async fn past() -> TestApp {
    let mut app = cafe();
    app.server().forgive_errors();
    change(&app, &(history(0.4, 160) + &parties(0.4, 60) + SOME_BOTS));
    change(
        &app,
        "INSERT INTO variants (id, game, name, status, created_by, created_at) \
             SELECT gen_random_uuid(), 'perudo', '=1+1', 'published', (SELECT id FROM players LIMIT 1), now(); \
         INSERT INTO variant_versions (variant_id, number, revision, options, variant_hash, created_by, created_at, published_at) \
             SELECT variants.id, 1, 1, '{}', (SELECT variant_hash FROM matches WHERE game = 'perudo' AND status = 'finished' LIMIT 1), \
                    created_by, now(), now() FROM variants",
    );
    all_is_summed(&app).await;
    app
}

/// What rows are about, which is no figure.
const IS_NAME: [&str; 9] = ["Day", "Weekday", "Hour", "Game", "Rules", "Seats", "Seat", "Days played", "Table"];

/// The three pages of figures, one after the other.
async fn figures(staff: &Visitor, query: &str) -> String {
    let mut all = String::new();
    for page in ["", "/games", "/people"] {
        let answer = staff.open(&format!("/admin/stats{page}?{query}")).await;
        assert_eq!(answer.status, 200, "{page}");
        all += &answer.html();
    }
    all
}

fn between<'a>(text: &'a str, from: &str, until: &str) -> Vec<&'a str> {
    text.split(from).skip(1).filter_map(|rest| rest.split_once(until)).map(|(found, _)| found).collect()
}

fn address(href: &str) -> String {
    href.replace("&#38;", "&").replace("&amp;", "&")
}

/// What a list holds in all, page by page: how many, and of parties, how many people.
async fn behind(staff: &Visitor, href: &str) -> (i64, i64) {
    let (mut count, mut people, mut next) = (0, 0, Some(address(href)));
    while let Some(path) = next {
        let page = staff.open(&path).await;
        assert_eq!(page.status, 200, "{path}");
        let text = page.html();
        if path.starts_with("/admin/sittings") {
            let rows = between(&text, "<tr><td><a href=\"/admin/tables/", "</tr>");
            count += rows.len();
            let size = |row: &&str| between(row, "class=\"number\">", "<")[0].parse::<i64>().expect("it is a number");
            people += rows.iter().map(size).sum::<i64>();
        } else {
            let item = if path.starts_with("/admin/players") { "/admin/players/" } else { "/admin/matches/" };
            count += text.matches(&format!("<a href=\"{item}")).count();
        }
        let further = between(&text, "class=\"button spread\" href=\"", "\"");
        next = further.into_iter().find(|href| href.contains("before=")).map(address);
    }
    (i64::try_from(count).expect("few"), people)
}

/// Those that lead anywhere.
fn tiles(page: &str) -> Vec<&str> {
    between(page, "<li><a href=\"", "</li>").into_iter().filter(|it| it.contains("class=\"name\"")).collect()
}

async fn is_behind(staff: &Visitor, name: &str, told: &str, href: &str) {
    let (count, people) = behind(staff, href).await;
    match name {
        "Guests" => assert_eq!(told, people.to_string(), "{name}: {href}"),
        // Parts of what is listed.
        "Seats taken" | "Table-hours" | "Occupancy (%)" => assert!(count > 0, "{name}: {href}"),
        _ => assert_eq!(told, count.to_string(), "{name}: {href}"),
    }
}

/// What is counted by the list behind a figure: the figure itself, or that from which it is reckoned.
fn counted_by(name: &str) -> &str {
    match name {
        "Median (min)" | "Nine of ten (min)" | "A move (s)" | "From (%)" | "To (%)" => "Matches finished",
        "Share (%)" => "Wins",
        _ => name,
    }
}

#[tokio::test]
async fn behind_each_figure_is_a_list_of_as_many() {
    let app = past().await;
    let staff = app.owner_at_pages().await;
    let page = figures(&staff, ALL).await;
    let mut seen = 0;
    for tile in tiles(&page) {
        let href = tile.split('"').next().expect("it has one");
        let (name, told) = (between(tile, "class=\"name\">", "<")[0], between(tile, "<strong>", "<")[0]);
        is_behind(&staff, name, told, href).await;
        seen += 1;
    }
    // All but those who had played before the first day that there was.
    assert_eq!(seen, 11, "not all tiles lead anywhere");
    let second_half = figures(&staff, "from=2026-11-01&until=2026-11-20").await;
    let back = tiles(&second_half).into_iter().find(|it| it.contains("Had played before")).expect("some came back");
    is_behind(&staff, "", between(back, "<strong>", "<")[0], back.split('"').next().expect("it has one")).await;
    for section in between(&page, "<section class=\"card figure\" id=\"", "</section>") {
        let heads = between(section, "<th scope=\"col\"", "</th>");
        let names: Vec<_> = heads.iter().map(|it| it.rsplit('>').next().expect("it has a name")).collect();
        let rows = between(section.split_once("<tbody>").expect("it has a table").1, "<tr>", "</tr>");
        // Of long tables some rows will do.
        let step = rows.len() / 12 + 1;
        for row in rows.iter().step_by(step) {
            let cells: Vec<_> = names.iter().zip(between(row, "<td", "</td>")).collect();
            let told = |name: &str| {
                let (_, cell) = cells.iter().find(|(it, _)| **it == name).expect("it is in this table");
                cell.trim_end_matches("</a>").rsplit('>').next().expect("it says something")
            };
            for (name, cell) in &cells {
                let Some(href) = between(cell, "href=\"", "\"").first().copied() else {
                    let nothing = ["0", "0.0", ""].contains(&told(name));
                    assert!(nothing || IS_NAME.contains(name), "{name} of {row} leads nowhere");
                    continue;
                };
                is_behind(&staff, name, told(counted_by(name)), href).await;
                seen += 1;
            }
        }
    }
    assert!(seen > 150, "only {seen} figures lead anywhere");
    // Also by a filter, and of the period before.
    let filtered = staff.open(&format!("/admin/stats?{ALL}&game=perudo")).await.html();
    let tile = tiles(&filtered)[0];
    is_behind(&staff, "Matches finished", between(tile, "<strong>", "<")[0], tile.split('"').next().expect("one"))
        .await;
    let later = staff.open("/admin/stats?from=2026-11-21&until=2027-01-01").await.html();
    let before = between(&later, "before: <a href=\"", "</a>");
    let tile = before.iter().find(|it| it.contains("status=finished")).expect("there were some");
    let (href, told) = tile.split_once("\">").expect("it says how many");
    is_behind(&staff, "Matches finished", told, href).await;
}

#[tokio::test]
async fn behind_each_mark_of_a_chart_is_what_it_stands_for() {
    let app = past().await;
    let staff = app.owner_at_pages().await;
    let page = figures(&staff, ALL).await;
    for (section, least) in [("days", 30), ("tables", 30), ("hours", 30), ("returning", 2)] {
        let section = between(&page, &format!("id=\"{section}\""), "</section>")[0];
        let marks = between(section, "class=\"mark-link\" href=\"", "\">");
        assert!(marks.len() >= least, "only {} marks: {section}", marks.len());
        // What is too much for the keyboard is left to the table.
        assert_eq!(section.contains("tabindex=\"-1\""), least > 2, "{section}");
        for mark in marks.iter().step_by(marks.len() / 6 + 1) {
            let (href, label) = mark.split_once("\" aria-label=\"").expect("it has a name");
            let label = label.trim_end_matches("\" tabindex=\"-1");
            let told = label.rsplit(['·', ':']).next().expect("it says something").trim();
            let told = told.trim_end_matches(" people").trim_end_matches(" person");
            let name = if told.contains("table-hours") { "Table-hours" } else { "Matches finished" };
            is_behind(&staff, name, told, href).await;
        }
    }
    for (section, name) in [("games", ""), ("length", "min"), ("seats", "%")] {
        let section = between(&page, &format!("id=\"{section}\""), "</section>")[0];
        let lines = between(between(section, "<ul class=\"bars\">", "</ul>")[0], "<li><a href=\"", "</li>");
        assert!(lines.len() > 1 && lines.iter().all(|line| line.contains("<svg")), "{section}");
        for line in lines.iter().step_by(lines.len() / 4 + 1) {
            let told = between(line, "<strong>", "<")[0];
            assert!(told.contains(name), "{told}");
            let (count, _) = behind(&staff, line.split('"').next().expect("it leads somewhere")).await;
            assert!(if name.is_empty() { told == count.to_string() } else { count > 0 }, "{told}: {count}");
        }
    }
}

/// How many minutes the matches of a list took, page by page.
async fn lasted(staff: &Visitor, href: &str) -> Vec<f64> {
    let (mut lasted, mut next) = (Vec::new(), Some(address(href)));
    while let Some(path) = next {
        let list = staff.open(&path).await.html();
        assert!(list.contains("longest first"), "{path}");
        for item in between(&list, "<a href=\"/admin/matches/", "</li>") {
            let minutes = between(item, "</time> · ", " min")[0];
            lasted.push(minutes.replace(',', "").parse().expect("it is a number"));
        }
        let further = between(&list, "class=\"button spread\" href=\"", "\"");
        next = further.into_iter().find(|href| href.contains("before=")).map(address);
    }
    assert!(lasted.is_sorted_by(|one, other| one >= other), "{lasted:?}");
    lasted
}

#[tokio::test]
async fn behind_a_median_are_its_matches_the_longest_first() {
    let app = past().await;
    let staff = app.owner_at_pages().await;
    let page = staff.open(&format!("/admin/stats/games?{ALL}")).await.html();
    let lengths = between(&page, "id=\"length\"", "</section>")[0];
    let line = between(lengths, "<li><a href=\"", "</li>")[0];
    let of_line = lasted(&staff, line.split('"').next().expect("it leads somewhere")).await;
    // What is told is the median of the list, as exact as is promised.
    let told = between(line, "<strong>usually ", ",")[0].parse::<f64>().expect("it is a number");
    let median = of_line[of_line.len() / 2];
    assert!((told - median).abs() <= median * 0.045 + 0.1, "{told} for {median}");
    let all = lasted(&staff, &format!("/admin/matches?{}&day=ended&order=longest", ALL.replace("until", "to"))).await;
    assert_eq!(all.len(), one::<i64>(&app, "SELECT count(*) FROM matches WHERE status = 'finished'") as usize);
    let nobody = "0191d5a0-0000-7000-8000-000000000000";
    for before in ["x", "5", &format!("-1.{nobody}"), &format!("{}.{nobody}", i64::MAX)] {
        let path = format!("/admin/matches?day=ended&order=longest&before={before}");
        assert_eq!(staff.open(&path).await.status, 400, "{path}");
    }
}

#[tokio::test]
async fn numbers_are_written_as_their_reader_writes_them() {
    let app = past().await;
    let staff = app.owner_at_pages().await;
    change(&app, "UPDATE play_stats SET finished = finished + 12345 WHERE day = (SELECT max(day) FROM play_stats)");
    let finished: i64 =
        one(&app, "SELECT sum(finished) FROM play_stats WHERE day BETWEEN '2026-10-10' AND '2026-11-20'");
    let parted = |mark: &str| format!("<strong>{}{mark}{:03}<small>", finished / 1000, finished % 1000);
    for (language, thousands, decimals, percent) in
        [("ko", ",", '.', "%"), ("en", ",", '.', "%"), ("es", ".", ',', "\u{a0}%")]
    {
        let ask = async |page: &str| {
            let request = staff.page(Method::GET, &format!("/admin/stats{page}?{ALL}")).header("accept", "text/html");
            Answer::of(request.header("accept-language", language)).await.html()
        };
        let page = ask("").await;
        assert!(page.contains(&parted(thousands)), "{language}: {finished}");
        let people = ask("/people").await;
        let shares = between(&people, "id=\"seats\"", "</section>")[0];
        let shares = between(between(shares, "<ul class=\"bars\">", "</ul>")[0], "<strong>", "<");
        assert!(shares.len() > 1, "{language}");
        for share in shares {
            let number = share.split(percent).next().expect("it begins with a number");
            let digits = number.replace(decimals, "");
            assert!(digits.len() + 1 == number.len() && digits.bytes().all(|it| it.is_ascii_digit()), "{share}");
        }
    }
    let csv = staff.open(&format!("/admin/stats/export?{ALL}&table=length")).await.text();
    let median = csv.lines().nth(1).and_then(|line| line.rsplit(',').nth(1)).expect("it is told");
    assert!(median.parse::<f64>().is_ok(), "{median}");
}

#[tokio::test]
async fn rules_are_a_filter_and_lead_to_their_matches() {
    let app = past().await;
    let staff = app.owner_at_pages().await;
    let page = staff.open(&format!("/admin/stats?{ALL}")).await.html();
    let rules = between(&page, "<option value=\"", "</option>").into_iter().find(|it| it.ends_with("=1+1"));
    let (hash, _) = rules.expect("they can be chosen").split_once('"').expect("they have a hash");
    let narrow = staff.open(&format!("/admin/stats?{ALL}&variant={hash}")).await.html();
    assert!(narrow.contains(&format!("<option value=\"{hash}\" selected>")) && !narrow.contains("id=\"tables\""));
    let count: i64 = one(
        &app,
        &format!("SELECT count(*) FROM matches WHERE status = 'finished' AND encode(variant_hash, 'hex') = '{hash}'"),
    );
    let tile = tiles(&narrow)[0];
    assert_eq!(between(tile, "<strong>", "<")[0], count.to_string());
    let list = staff.open(&address(tile.split('"').next().expect("one"))).await.html();
    assert!(list.contains("· =1+1") && list.contains(&format!("name=\"rules\" value=\"{hash}\"")));
    for query in ["variant=abc", "game=chess", "from=never", "table=nothing", "since=1"] {
        assert_eq!(staff.open(&format!("/admin/stats/export?{query}")).await.status, 400, "{query}");
    }
    for path in
        ["matches?rules=abc", "matches?day=night", "matches?day=ended&before=x", "sittings?before=x", "sittings?hour=x"]
    {
        assert_eq!(staff.open(&format!("/admin/{path}")).await.status, 400, "{path}");
    }
    for path in [
        "matches?day=ended&weekday=99&hour=99&seats=-5&won=-32768",
        "sittings?weekday=-9&hour=77",
        "players?from=2026-11-01&to=2026-11-02&visits=-9",
    ] {
        assert_eq!(staff.open(&format!("/admin/{path}")).await.status, 200, "{path}");
    }
    for path in ["matches?day=ended&from=2000-01-01&to=2026-01-01", "sittings?from=2000-01-01", "players?to=1999-01-01"]
    {
        assert_eq!(staff.open(&format!("/admin/{path}")).await.status, 422, "{path}");
    }
}

const READ_WORKBOOK: &str = "
import json, sys, zipfile, xml.etree.ElementTree as E
ns = {'m': 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'}
book = zipfile.ZipFile(sys.argv[1])
assert book.testzip() is None
read = lambda name: E.fromstring(book.read('xl/' + name))
strings = [''.join(t.text or '' for t in s.iter('{%s}t' % ns['m'])) for s in read('sharedStrings.xml')]
value = lambda c: strings[int(c.find('m:v', ns).text)] if c.get('t') == 's' else float(c.find('m:v', ns).text)
sheets = []
for n, sheet in enumerate(read('workbook.xml').find('m:sheets', ns), 1):
    root = read('worksheets/sheet%d.xml' % n)
    pane = root.find('.//m:pane', ns)
    sheets.append({
        'name': sheet.get('name'), 'frozen': pane.get('state') == 'frozen' and pane.get('ySplit') == '1',
        'formulas': len(root.findall('.//m:f', ns)),
        'rows': [[value(c) for c in row] for row in root.find('m:sheetData', ns)],
    })
print(json.dumps(sheets))
";

#[tokio::test]
async fn each_chart_says_in_a_sentence_what_to_act_on_and_no_page_is_long() {
    let app = past().await;
    let browser = Browser::open(1440, 900, "en").await;
    browser.sign_in(&app).await;
    for (page, figures) in [("", 2), ("/games", 3), ("/people", 2)] {
        browser.go(&format!("{}/admin/stats{page}?{ALL}", app.url())).await;
        let said =
            "return [...document.querySelectorAll('.figure')].map(it => it.querySelector('.headline')?.textContent)";
        let lines = browser.run(said).await;
        let lines = lines.as_array().expect("a list").clone();
        assert_eq!(lines.len(), figures, "{page}");
        assert!(lines.iter().all(|line| line.as_str().is_some_and(|line| line.ends_with('.'))), "{page}: {lines:?}");
        let height = browser.run("return document.documentElement.scrollHeight").await.as_i64().expect("a number");
        assert!(height <= 2_000, "{page} is {height} pixels tall");
    }
    // Of a month, each bar says its value and its weekday, without a pointer.
    browser.go(&format!("{}/admin/stats?from=2026-11-01&until=2026-11-20", app.url())).await;
    let said = "return [...document.querySelectorAll('#days .mark-at')].map(it => it.textContent)";
    assert_eq!(browser.run(said).await[0], "Sun");
    let values = "return document.querySelectorAll('#days .value').length";
    assert!(browser.run(values).await.as_i64() > Some(5));
    browser.close().await;
}

#[tokio::test]
async fn the_workbook_says_what_the_page_says() {
    let app = past().await;
    let staff = app.owner_at_pages().await;
    let answer = staff.open(&format!("/admin/stats/export?{ALL}")).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-disposition"), "attachment; filename=\"house-rules-2026-10-10-2026-11-20.xlsx\"");
    let file = workplace().folder("workbook").join("stats.xlsx");
    std::fs::write(&file, &answer.body).expect("the folder of this run can be written to");
    let sheets: Value =
        serde_json::from_str(&run(Command::new("python3").arg("-c").arg(READ_WORKBOOK).arg(&file)).well())
            .expect("JSON");
    let sheets = sheets.as_array().expect("it is a list");
    let names: Vec<_> = sheets.iter().map(|sheet| sheet["name"].as_str().expect("it has a name")).collect();
    assert_eq!(
        names,
        [
            "Day by day",
            "Tables taken",
            "Weekdays and hours",
            "Games and variants",
            "How long it takes",
            "Wins by seat",
            "Wins by order of play",
            "Wins by role",
            "Who comes back"
        ]
    );
    for sheet in sheets {
        assert_eq!((&sheet["frozen"], &sheet["formulas"]), (&Value::Bool(true), &Value::from(0)), "{}", sheet["name"]);
        // The matches of this history were never played, so that nobody knows who began them.
        let least = if ["Wins by order of play", "Wins by role"].iter().any(|it| sheet["name"] == *it) { 1 } else { 2 };
        assert!(sheet["rows"].as_array().is_some_and(|rows| rows.len() >= least), "{}", sheet["name"]);
    }
    // Days are dates (this one is the 46305th since 1900), and counts are numbers.
    let days = sheets[0]["rows"].as_array().expect("rows");
    assert_eq!((days.len(), &days[0][0], &days[1][0]), (43, &Value::from("Day"), &Value::from(46305.0)));
    let finished: f64 = days[1..].iter().map(|row| row[1].as_f64().expect("it is a number")).sum();
    assert_eq!(
        finished,
        one::<i64>(&app, "SELECT sum(finished) FROM play_stats WHERE day BETWEEN '2026-10-10' AND '2026-11-20'") as f64
    );
    // A name stays a name, in a spreadsheet's own file and in one for all.
    let games = sheets[3]["rows"].as_array().expect("rows");
    assert!(games.iter().any(|row| row[1] == "=1+1"), "{games:?}");
    let csv = staff.open(&format!("/admin/stats/export?{ALL}&table=games")).await.text();
    assert!(csv.contains("\"'=1+1\"") && csv.starts_with('\u{feff}'));
    let audit = app.owner().await.get("/audit?action=stats.export").await.is(200);
    assert_eq!(audit["items"].as_array().map(Vec::len), Some(2));
}

/// Charts without a name, or without a table of as many rows as the chart has marks behind them.
const SILENT: &str = "return [...document.querySelectorAll('.figure svg.chart')]
    .filter(it => !it.getAttribute('aria-label') || !it.closest('.figure').querySelector('details table tbody tr')).length";

/// What the pages ask each other for.
const CHOSEN: &str = "from=2026-10-10&until=2026-11-20&game=&variant=";

#[tokio::test]
async fn the_page_works_in_every_language_without_javascript() {
    let app = past().await;
    for (language, title, games) in [
        ("ko", "통계", "게임과 하우스 룰"),
        ("es", "Estadísticas", "Juegos"),
        ("en", "Statistics", "Games and variants"),
    ] {
        let browser = if language == "en" {
            Browser::open(1280, 900, language).await
        } else {
            Browser::open_without_javascript(1024, 768, language).await
        };
        browser.sign_in(&app).await;
        browser.go(&format!("{}/admin/stats?{ALL}", app.url())).await;
        browser.sees(title).await;
        let (mut charts, mut fields, mut names) = (0, Vec::new(), String::new());
        for page in ["stats/games", "stats/people", "stats"] {
            // The pages lead to each other, with what was chosen.
            browser.press(&format!(".stats-tabs a[href^='/admin/{page}?']")).await;
            browser.arrives(&format!("/admin/{page}")).await;
            browser.sees(title).await;
            assert_eq!(browser.client.current_url().await.expect("an address").query(), Some(CHOSEN), "{page}");
            assert_eq!(browser.run(SILENT).await, 0, "{language}");
            let count = browser.run("return document.querySelectorAll('.figure svg.chart').length").await;
            charts += count.as_i64().expect("a number");
            // Each hour of the week says what it stands for.
            let titles =
                "return [...document.querySelectorAll('.week')].map(it => it.querySelectorAll('.heat title').length)";
            fields.extend(browser.run(titles).await.as_array().expect("a list").clone());
            let wide = "return document.documentElement.scrollWidth <= document.documentElement.clientWidth";
            assert_eq!(browser.run(wide).await, true, "{language}: {page} is wider than the window");
            names += &browser.text().await;
        }
        assert!(names.contains(games), "{language}");
        assert_eq!((charts, fields), (4, vec![Value::from(168); 2]), "{language}");
        // The form: one game only.
        browser.press(".filters summary").await;
        browser.press("#game option[value=perudo]").await;
        browser.press(".filters button").await;
        eventually("the game's figures", async || {
            browser.client.current_url().await.ok()?.query()?.contains("game=perudo").then_some(())
        })
        .await;
        assert_eq!(browser.run("return !!document.querySelector('#tables')").await, false, "{language}");
        // To what is behind a figure.
        browser.press(".tiles a").await;
        browser.arrives("/admin/matches").await;
        assert!(browser.run("return document.querySelectorAll('.match-list li').length").await.as_i64() > Some(0));
        browser.close().await;
    }
}
