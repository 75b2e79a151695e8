//! An origin as browsers write it: scheme, host, and the port unless it is the usual one.

use std::str::FromStr;

use actix_web::http::Uri;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin(String);

impl Origin {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Origin {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let uri: Uri = text.parse()?;
        let origin = match (uri.scheme_str(), uri.authority()) {
            (Some(scheme), Some(authority)) => format!("{scheme}://{authority}").to_ascii_lowercase(),
            _ => String::new(),
        };
        let usual_port = if text.starts_with("https:") { ":443" } else { ":80" };
        let is_whole = text == origin && !origin.ends_with(usual_port) && !origin.contains('@');
        anyhow::ensure!(is_whole, "{text} is no origin: write it as https://app.example.org");
        Ok(Self(origin))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_has_no_path_no_usual_port_and_no_capitals() {
        for right in ["https://app.example.org", "http://localhost:5173", "capacitor://localhost", "http://[::1]:3000"]
        {
            assert_eq!(right.parse::<Origin>().unwrap().as_str(), right);
        }
        for wrong in ["*", "", "null", "a.b", "https://a.b/", "https://a.b/c", "https://a.b:443", "https://A.b"] {
            assert!(wrong.parse::<Origin>().is_err(), "{wrong}");
        }
    }
}
