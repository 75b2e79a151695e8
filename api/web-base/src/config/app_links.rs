//! The apps that open links to this server.

/// By the system that they are for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AppLinks {
    /// Team and bundle.
    pub apple: Vec<String>,
    /// Package, and the SHA-256 of the certificate that signs it.
    pub android: Vec<(String, String)>,
}

impl AppLinks {
    pub(super) fn parse(apple: Option<Vec<String>>, android: Option<Vec<String>>) -> anyhow::Result<Self> {
        let set = |list: Option<Vec<String>>| list.unwrap_or_default().into_iter().filter(|app| !app.is_empty());
        let is_name = |text: &str| {
            text.contains('.') && text.bytes().all(|it| it.is_ascii_alphanumeric() || b".-_".contains(&it))
        };
        let apple: Vec<String> = set(apple).collect();
        for app in &apple {
            let is_app = app.split_once('.').is_some_and(|(team, bundle)| team.len() == 10 && is_name(bundle));
            anyhow::ensure!(is_app, "apple_apps: {app} is no app; one looks like ABCDE12345.org.example.play");
        }
        let is_print = |text: &str| {
            let bytes = text.split(':').filter(|it| it.len() == 2 && it.bytes().all(|it| it.is_ascii_hexdigit()));
            text.len() == 95 && bytes.count() == 32
        };
        let read = |app: String| match app.split_once('=') {
            Some((package, print)) if is_name(package) && is_print(print) => {
                Ok((package.to_owned(), print.to_ascii_uppercase()))
            }
            _ => anyhow::bail!("android_apps: {app} is no app; one looks like org.example.play=14:6D:E9:…"),
        };
        Ok(Self { apple, android: set(android).map(read).collect::<anyhow::Result<_>>()? })
    }
}
