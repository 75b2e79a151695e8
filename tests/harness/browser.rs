//! A real, headless Chromium, driven through chromedriver: one of each for every test that wants one.

use std::fs::File;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::str::FromStr;
use std::time::Duration;

use fantoccini::elements::Element;
use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use reqwest::{Method, Url};
use serde_json::{Value, json};

use crate::app::TestApp;
use crate::wait::{block_until, eventually};
use crate::workplace::workplace;

/// Chromium with nothing around its pages, where it is installed: it starts three times as fast. It knows no preferences, and no
/// folder of its user's but its driver's.
const SHELL: &str = "/usr/bin/chromium-headless-shell";

/// A browser window.
pub struct Browser {
    /// What drives it.
    pub client: Client,
    driver: Child,
}

/// Chromedriver, and its port. It takes one that is free by IPv6 and ends if another program has it by IPv4: then again.
fn start_driver(profile: &Path) -> (Child, u16) {
    let mut said = String::new();
    for _ in 0..5 {
        let log = workplace().log("chromedriver");
        let file = File::create(&log).expect("the folder of this run can be written to");
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .env("HOME", profile)
            .env("TMPDIR", profile)
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(file)
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver is missing: `scripts/need browser` installs it on Debian");
        workplace().remember(driver.id());
        let port = block_until("chromedriver's port", || {
            let has_ended = driver.try_wait().expect("it is ours").is_some();
            said = std::fs::read_to_string(&log).ok()?;
            let port = said
                .split_once("successfully on port ")
                .and_then(|(_, port)| port.lines().find_map(|line| line.trim_end_matches('.').parse::<u16>().ok()));
            (port.is_some() || has_ended).then_some(port)
        });
        match port {
            Some(port) => return (driver, port),
            None => workplace().forget(driver.id()),
        }
    }
    panic!("chromedriver does not start: {said}");
}

impl Browser {
    /// A window of this size, with nothing in its memory, whose owner prefers this language.
    ///
    /// # Panics
    /// When Chromium or chromedriver is missing.
    pub async fn open(width: u32, height: u32, language: &str) -> Self {
        let profile = workplace().folder("profile");
        let (driver, port) = start_driver(&profile);
        let arguments = [
            "--headless=new".into(),
            "--no-sandbox".into(),
            "--disable-gpu".into(),
            "--disable-quic".into(),
            "--disable-dev-shm-usage".into(),
            "--no-first-run".into(),
            "--disable-background-networking".into(),
            "--disable-component-update".into(),
            "--disable-sync".into(),
            format!("--window-size={width},{height}"),
            format!("--accept-lang={language}"),
        ];
        let mut options = json!({ "args": arguments });
        if Path::new(SHELL).exists() {
            options["binary"] = json!(SHELL);
        } else {
            options["prefs"] = json!({ "intl.accept_languages": language });
            options["args"]
                .as_array_mut()
                .expect("it is one")
                .push(json!(format!("--user-data-dir={}", profile.display())));
        }
        let wanted = json!({
            "browserName": "chrome",
            "goog:chromeOptions": options,
            "goog:loggingPrefs": { "browser": "ALL" },
        });
        let wanted = wanted.as_object().expect("it is one").clone();
        let client = ClientBuilder::new(HttpConnector::new())
            .capabilities(wanted)
            .connect(&format!("http://127.0.0.1:{port}"))
            .await;
        let client = client.unwrap_or_else(|err| panic!("Chromium does not start: {err}"));
        Browser { client, driver }
    }

    /// The same with JavaScript turned off: that of pages, not what a test runs in them.
    pub async fn open_without_javascript(width: u32, height: u32, language: &str) -> Self {
        let browser = Self::open(width, height, language).await;
        browser.command("Emulation.setScriptExecutionDisabled", json!({ "value": true })).await;
        browser
    }

    /// Goes to this page.
    pub async fn go(&self, url: &str) {
        self.client.goto(url).await.unwrap_or_else(|err| panic!("{url}: {err}"));
    }

    /// Signs the owner in: the floor comes.
    pub async fn sign_in(&self, app: &TestApp) {
        let (email, password) = app.owner_credentials();
        self.go(&format!("{}/admin", app.url())).await;
        self.fill("#email", email).await;
        self.fill("#password", password).await;
        self.press("main form button").await;
        self.find("#floor").await;
    }

    /// Waits for it, since a page may be on its way.
    pub async fn find(&self, css: &str) -> Element {
        eventually(css, async || self.client.find(Locator::Css(css)).await.ok()).await
    }

    /// Waits for it, and gives what it says.
    pub async fn says(&self, css: &str) -> String {
        eventually(css, async || self.client.find(Locator::Css(css)).await.ok()?.text().await.ok()).await
    }

    /// Types this into the field, in place of what is there, though the page may be drawn again at that moment.
    pub async fn fill(&self, css: &str, text: &str) {
        eventually(&format!("{css} that can be typed into"), async || {
            self.has_loaded().await?;
            let field = self.client.find(Locator::Css(css)).await.ok()?;
            field.clear().await.ok()?;
            field.send_keys(text).await.ok()
        })
        .await;
    }

    /// Before its scripts are there, a page does not hear keys and fingers.
    async fn has_loaded(&self) -> Option<()> {
        let loaded = "return document.readyState === 'complete'";
        self.client.execute(loaded, vec![]).await.ok()?.as_bool()?.then_some(())
    }

    /// Presses keys, wherever the focus is.
    pub async fn keys(&self, keys: &str) {
        eventually("keys that can be pressed", async || {
            self.has_loaded().await?;
            self.client.active_element().await.ok()?.send_keys(keys).await.ok()
        })
        .await;
    }

    /// Taps it, though the page may be drawn again at that moment.
    pub async fn press(&self, css: &str) {
        self.press_saying(css, "").await;
    }

    /// Taps the first of these that says this.
    pub async fn press_saying(&self, css: &str, words: &str) {
        // The bar at the top stays where it is: what is under it cannot be tapped.
        let script = "if (document.readyState !== 'complete') return null;
            const it = [...document.querySelectorAll(arguments[0])].find(it => it.textContent.includes(arguments[1]));
            if (it) it.scrollIntoView({ block: 'center', behavior: 'instant' });
            return it || null";
        eventually(&format!("{css} that says {words:?} and can be tapped"), async || {
            let found = self.client.execute(script, vec![json!(css), json!(words)]).await.ok()?;
            let id = found.as_object()?.values().next()?.as_str()?.to_owned();
            Element::from_element_id(self.client.clone(), id.into()).click().await.ok()
        })
        .await;
    }

    /// Waits until the page at this address, without its query, is there.
    pub async fn arrives(&self, path: &str) {
        eventually(path, async || (self.client.current_url().await.ok()?.path() == path).then_some(())).await;
    }

    /// All that can be read on the page.
    pub async fn text(&self) -> String {
        let text = self.run("return document.body ? document.body.innerText : ''").await;
        text.as_str().unwrap_or_default().to_owned()
    }

    /// Waits until the page says this.
    pub async fn sees(&self, words: &str) {
        eventually(&format!("{words:?} on the page"), async || self.text().await.contains(words).then_some(())).await;
    }

    /// Runs this in the page, or in the next when one is on its way.
    pub async fn run(&self, script: &str) -> Value {
        eventually(script, async || self.client.execute(script, vec![]).await.ok()).await
    }

    /// Asks Chromium by its own protocol, for what WebDriver has no word for.
    pub async fn command(&self, name: &str, parameters: Value) -> Value {
        let command = ChromeCommand(json!({ "cmd": name, "params": parameters }));
        self.client.issue_cmd(command).await.unwrap_or_else(|err| panic!("{name}: {err}"))
    }

    /// Shows pages as a screen of this size does.
    pub async fn resize(&self, width: u32, height: u32) {
        let screen = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.command("Emulation.setDeviceMetricsOverride", screen).await;
    }

    /// A phone of this language's owner: it is narrow, and fingers touch it.
    pub async fn open_phone(language: &str) -> Self {
        let phone = Self::open(360, 740, language).await;
        let screen = json!({ "width": 360, "height": 740, "deviceScaleFactor": 2, "mobile": true });
        phone.command("Emulation.setDeviceMetricsOverride", screen).await;
        phone.command("Emulation.setTouchEmulationEnabled", json!({ "enabled": true })).await;
        phone.command("Network.enable", json!({})).await;
        phone
    }

    /// A finger lies on this point of the screen for so long.
    pub async fn touch(&self, (x, y): (f64, f64), time: Duration) {
        eventually("a page that feels fingers", async || self.has_loaded().await).await;
        let at = json!([{ "x": x, "y": y }]);
        self.command("Input.dispatchTouchEvent", json!({ "type": "touchStart", "touchPoints": at })).await;
        tokio::time::sleep(time).await;
        self.command("Input.dispatchTouchEvent", json!({ "type": "touchEnd", "touchPoints": [] })).await;
    }

    /// Its network is gone, or there again.
    pub async fn offline(&self, is_gone: bool) {
        let network = json!({ "offline": is_gone, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1 });
        self.command("Network.emulateNetworkConditions", network).await;
    }

    /// Its machine is set to bright or dark windows, and to little motion.
    pub async fn prefer(&self, theme: &str) {
        let features = json!([
            { "name": "prefers-color-scheme", "value": theme },
            { "name": "prefers-reduced-motion", "value": "reduce" },
        ]);
        self.command("Emulation.setEmulatedMedia", json!({ "features": features })).await;
    }

    /// Reads pages of this site in this language from now on.
    pub async fn speak(&self, url: &str, lang: &str) {
        self.command("Network.setCookie", json!({ "name": "lang", "value": lang, "url": url })).await;
    }

    /// Closes the window.
    pub async fn close(mut self) {
        // On a busy machine it may be gone before it has said so.
        self.client.clone().close().await.ok();
        self.end_driver();
    }

    fn end_driver(&mut self) {
        // Its browser goes with it, also when a test has failed and the window was not closed.
        Command::new("sh").args(["-c", &format!("kill -KILL -{}", self.driver.id())]).status().ok();
        self.driver.wait().ok();
        workplace().forget(self.driver.id());
    }
}

#[derive(Debug)]
struct ChromeCommand(Value);

impl WebDriverCompatibleCommand for ChromeCommand {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, <Url as FromStr>::Err> {
        base.join(&format!("session/{}/goog/cdp/execute", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        (Method::POST, Some(self.0.to_string()))
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        self.end_driver();
    }
}
