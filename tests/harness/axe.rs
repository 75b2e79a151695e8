//! axe-core in the browser: what keeps people with a screen reader, a keyboard, poor sight or a thumb from using a page.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use serde_json::{Value, json};

use crate::browser::Browser;
use crate::programs::{installed, repository};

/// WCAG 2.2 AA, and what axe-core holds to be good practice besides.
const TAGS: [&str; 6] = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/// Of these rules, those that hang on colours and sizes.
const LOOKS: [&str; 4] = ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size"];

/// What stands folded or further down in a box is looked at, too. Ornaments are taken away first: none lies under a text, but
/// axe-core cannot tell. What is wider than the screen is a barrier like others, and so is the name of a text in its place.
const LOOK: &str = "
    const [runOnly, names, done] = arguments, keys = new Set(names);
    document.querySelectorAll('main details').forEach(it => { it.open = true; });
    const plain = new CSSStyleSheet();
    plain.replaceSync(`*::before, *::after { content: none !important } .ghost { display: none }
        .log, .legal, .rail { max-height: none !important } .table-card { background-image: none !important }`);
    document.adoptedStyleSheets = [plain];
    const page = document.documentElement, beyond = it => it.getBoundingClientRect().right > page.clientWidth;
    const wide = () => [...document.querySelectorAll('main *')].filter(beyond).map(it => `${it.tagName}.${it.className} ${it.textContent.trim().slice(0, 40)}`);
    const over = page.scrollWidth > page.clientWidth ? [page.scrollWidth - page.clientWidth, ...wide().slice(0, 9)] : [];
    const said = [...document.querySelectorAll('*')].flatMap(it => [...it.childNodes].filter(it => it.nodeType === 3).map(it => it.data)
        .concat(['aria-label', 'title', 'alt', 'placeholder', 'value'].map(name => it.getAttribute(name) ?? '')));
    const bare = said.map(it => it.trim()).filter(it => keys.has(it));
    const few = found => found.map(({ id, help, nodes }) => ({ id, help, at: nodes.map(it => it.target.join(' ')), why: nodes[0].failureSummary }));
    axe.run(document, { runOnly, resultTypes: ['violations', 'incomplete'], preload: false, iframes: false }).then(
        it => done({ over, bare, passes: it.passes.length, violations: few(it.violations), incomplete: few(it.incomplete) }),
        err => done({ failed: String(err) }));";

/// axe-core, and all that it has found.
#[derive(Default)]
pub struct Axe {
    keys: Vec<String>,
    looks: usize,
    passes: u64,
    violations: BTreeMap<String, Vec<String>>,
    incomplete: BTreeMap<String, Vec<String>>,
}

impl Axe {
    /// Comes along to every page that this browser opens from now on, whatever its policy allows.
    pub async fn aboard(browser: &Browser) -> Self {
        let file = installed("axe").join("node_modules/axe-core/axe.min.js");
        let source = fs::read_to_string(file).expect("axe-core is one script");
        browser.command("Page.addScriptToEvaluateOnNewDocument", json!({ "source": source })).await;
        Axe { keys: keys(), ..Axe::default() }
    }

    /// Looks at the page that is open, which goes by this name.
    pub async fn look(&mut self, browser: &Browser, name: &str) {
        self.look_for(json!({ "type": "tag", "values": TAGS }), browser, name).await;
    }

    /// Looks at the same page again, in other colours or on another screen.
    pub async fn look_again(&mut self, browser: &Browser, name: &str) {
        self.look_for(json!({ "type": "rule", "values": LOOKS }), browser, name).await;
    }

    async fn look_for(&mut self, rules: Value, browser: &Browser, name: &str) {
        let found = browser.client.execute_async(LOOK, vec![rules, json!(self.keys)]).await;
        let found = found.unwrap_or_else(|err| panic!("{name}: {err}"));
        assert_eq!(found["failed"], Value::Null, "{name}");
        self.looks += 1;
        self.passes += found["passes"].as_u64().unwrap_or_default();
        let mut ours = |what: &str, found: &Value| {
            if *found != json!([]) {
                self.violations.entry(what.into()).or_default().push(format!("{name}: {found}"));
            }
        };
        ours("wider than the screen", &found["over"]);
        ours("the name of a text instead of it", &found["bare"]);
        note(&mut self.violations, &found["violations"], name);
        note(&mut self.incomplete, &found["incomplete"], name);
    }

    /// What it found, in a few words.
    pub fn summary(&self) -> String {
        let count = |found: &BTreeMap<String, Vec<String>>| found.values().map(Vec::len).sum::<usize>();
        let (wrong, unsure) = (count(&self.violations), count(&self.incomplete));
        let unsure_of = self.incomplete.keys().map(|key| key.split(':').next().unwrap_or_default()).collect::<Vec<_>>();
        format!(
            "{} looks, {} checks passed, {wrong} violations, {unsure} that it leaves to people {unsure_of:?}",
            self.looks, self.passes
        )
    }

    /// What is wrong, and where.
    pub fn violations(&self) -> String {
        tell(&self.violations)
    }

    /// What axe-core could not tell, and where.
    pub fn incomplete(&self) -> String {
        tell(&self.incomplete)
    }
}

/// What texts are called in the catalogues, where that is no word.
fn keys() -> Vec<String> {
    let folder = fs::read_dir(repository().join("templates/text/ko")).expect("there are texts");
    let texts = folder.map(|file| fs::read_to_string(file.expect("it can be read").path()).expect("it is text"));
    let keys = texts
        .flat_map(|text| text.lines().filter_map(|line| Some(line.split_once(" =")?.0.to_owned())).collect::<Vec<_>>());
    keys.filter(|key| key.contains('-') && !key.contains(' ')).collect()
}

fn note(found: &mut BTreeMap<String, Vec<String>>, rules: &Value, name: &str) {
    for rule in rules.as_array().into_iter().flatten() {
        let what =
            format!("{}: {}", rule["id"].as_str().unwrap_or_default(), rule["help"].as_str().unwrap_or_default());
        let line = format!("{name}: {} {}", rule["at"], rule["why"].as_str().unwrap_or_default().replace('\n', " "));
        found.entry(what).or_default().push(line);
    }
}

fn tell(found: &BTreeMap<String, Vec<String>>) -> String {
    let mut text = String::new();
    for (rule, places) in found {
        writeln!(text, "{rule}").expect("a text grows");
        places.iter().for_each(|place| writeln!(text, "    {place}").expect("a text grows"));
    }
    text
}
