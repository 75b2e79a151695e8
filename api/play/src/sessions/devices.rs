//! What a client calls itself, and what of that people recognise.

use serde::{Deserialize, Deserializer};
use utoipa::ToSchema;

use base::inputs::{refuse_field, tidy_text};
use base::text::Lang;

/// What is kept of a client: its `User-Agent`, and what it is called.
#[derive(Clone, Debug)]
pub struct Device {
    user_agent: Option<String>,
    name: Option<DeviceName>,
}

/// What an app or its player calls a device: one line of text in any script.
#[derive(Clone, Debug, ToSchema)]
#[schema(value_type = String, min_length = 1, max_length = 60, example = "하늘의 휴대폰")]
pub struct DeviceName(String);

impl<'de> Deserialize<'de> for DeviceName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        const MAX: usize = 60;
        let tidy = tidy_text(&String::deserialize(deserializer)?, MAX);
        tidy.map(Self).map_err(|refusal| refuse_field(&refusal))
    }
}

/// More special names first: most browsers claim to be most others.
const BROWSERS: [(&str, &str); 10] = [
    ("EdgA/", "Edge"),
    ("EdgiOS/", "Edge"),
    ("Edg/", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Whale/", "Whale"),
    ("FxiOS/", "Firefox"),
    ("Firefox/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
];
const SYSTEMS: [(&str, &str); 7] = [
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Macintosh", "macOS"),
    ("Linux", "Linux"),
];

impl Device {
    const MAX: usize = 200;

    /// As its `User-Agent` says.
    pub fn of(said: &str) -> Self {
        let kept: String = said.trim().chars().take(Self::MAX).collect();
        Self::called(Some(kept).filter(|kept| !kept.is_empty()))
    }

    /// As it called itself.
    pub fn called(user_agent: Option<String>) -> Self {
        Self { user_agent, name: None }
    }

    /// The same device by this name, if it has one.
    pub fn named(self, name: Option<DeviceName>) -> Self {
        Self { name, ..self }
    }

    pub fn user_agent(&self) -> Option<&str> {
        self.user_agent.as_deref()
    }

    pub fn name(&self) -> Option<&str> {
        self.name.as_ref().map(|name| name.0.as_str())
    }
}

/// A sentence that names the device, or else the client's own name for itself up to its first version number.
pub fn describe(user_agent: Option<&str>, lang: Lang) -> String {
    let Some(said) = user_agent else { return lang.text("device-unknown") };
    let named = |names: &[(&str, &'static str)]| names.iter().find(|(mark, _)| said.contains(mark)).map(|it| it.1);
    // What is no other browser and calls itself Safari is it.
    let browser = named(&BROWSERS).or_else(|| said.contains("Safari/").then_some("Safari"));
    match (browser, named(&SYSTEMS)) {
        (Some(browser), Some(system)) => {
            lang.text_with("device-browser", &[("browser", browser.into()), ("system", system.into())])
        }
        (Some(name), None) | (None, Some(name)) => name.to_owned(),
        (None, None) => said.split(['/', ' ']).next().unwrap_or(said).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_is_named_as_people_know_it() {
        let named = |said: &str| describe(Some(said), Lang::En);
        let phone =
            "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Mobile Safari/537.36";
        assert_eq!(named(phone), "Chrome on Android");
        let iphone =
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Safari/604.1";
        assert_eq!(named(iphone), "Safari on iPhone");
        assert_eq!(named("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"), "Firefox on Linux");
        assert_eq!(named("HouseRules/1.2 okhttp"), "HouseRules");
        assert_eq!(named("Dart/3.9 (dart:io) Android"), "Android");
        assert_eq!(describe(None, Lang::En), "Unknown device");
    }
}
