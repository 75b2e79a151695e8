//! What printed codes say besides their table: the address that phones reach the server by, and the guests' Wi-Fi.

use std::net::IpAddr;

use diesel_async::{AsyncConnection, AsyncPgConnection};
use serde_json::json;

use super::{Cafe, store};
use crate::audit::{self, Entry};
use crate::auth::{Actor, StaffContext, can};
use crate::error::{FieldError, Result, invalid_fields};
use crate::inputs::tidy_text;

const URL_MAX: usize = 200;
/// IEEE 802.11 counts bytes.
const NETWORK_MAX: usize = 32;
/// WPA takes no others.
const PASSWORD: std::ops::RangeInclusive<usize> = 8..=63;

/// As they are kept and sent. Without an address the server's own setting holds, or the one that a request came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sheets {
    pub public_url: Option<String>,
    pub wifi_name: Option<String>,
    /// None for a network that is open to everybody.
    pub wifi_password: Option<String>,
}

/// Puts what this makes of those that are in their place. The password is in no log.
pub async fn edit(
    cx: &mut StaffContext<'_, can::ChangeSettings>,
    cafe: &Cafe,
    edit: &(dyn Fn(&Sheets) -> Result<Sheets> + Sync),
) -> Result<Sheets> {
    let (conn, Actor { world, staff, .. }) = cx.parts().await?;
    let written = conn.transaction(async |conn: &mut AsyncPgConnection| -> Result<Sheets> {
        store::lock(conn).await?;
        let before = store::find_sheets(conn).await?;
        let sheets = edit(&before)?.checked()?;
        if before == sheets {
            return Ok(sheets);
        }
        store::put_sheets(conn, &sheets).await?;
        let details = json!({
            "before": { "public_url": before.public_url, "wifi_name": before.wifi_name },
            "after": { "public_url": sheets.public_url, "wifi_name": sheets.wifi_name },
            "password_changed": before.wifi_password != sheets.wifi_password,
        });
        let entry = Entry { actor: Some(staff.id), action: "cafe.sheets", subject: "house", subject_id: None, details };
        audit::record(conn, world, entry).await?;
        Ok(sheets)
    });
    let sheets = written.await?;
    cafe.read(conn).await?;
    Ok(sheets)
}

/// Whether this host is the machine itself, so that no phone gets there.
pub fn is_loopback(host: &str) -> bool {
    let host = host.trim_matches(['[', ']']);
    host == "localhost" || host.ends_with(".localhost") || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

impl Sheets {
    /// What cameras read as a way into the network.
    pub fn wifi_code(&self) -> Option<String> {
        let name = escaped(self.wifi_name.as_ref()?);
        Some(match &self.wifi_password {
            Some(password) => format!("WIFI:T:WPA;S:{name};P:{};;", escaped(password)),
            None => format!("WIFI:T:nopass;S:{name};;"),
        })
    }

    /// In good form, or what is wrong with each field.
    fn checked(mut self) -> Result<Self> {
        let mut wrong = Vec::new();
        if let Some(url) = &mut self.public_url {
            *url = url.trim_end_matches('/').to_owned();
            if !is_bare_address(url) {
                wrong.push(FieldError::new("/public_url", "no_public_url"));
            }
        }
        if let Some(name) = &mut self.wifi_name {
            match tidy_text(name, NETWORK_MAX) {
                Ok(tidy) if tidy.len() > NETWORK_MAX => {
                    wrong.push(FieldError::new("/wifi_name", "too_long").with_limit(NETWORK_MAX));
                }
                Ok(tidy) => *name = tidy,
                Err(err) => wrong.push(err.at("/wifi_name")),
            }
        }
        if let Some(password) = &self.wifi_password {
            if self.wifi_name.is_none() {
                wrong.push(FieldError::new("/wifi_name", "empty"));
            }
            match password.chars().count() {
                length if length < *PASSWORD.start() => {
                    wrong.push(FieldError::new("/wifi_password", "too_short").with_limit(*PASSWORD.start()));
                }
                length if length > *PASSWORD.end() => {
                    wrong.push(FieldError::new("/wifi_password", "too_long").with_limit(*PASSWORD.end()));
                }
                _ if password.chars().any(char::is_control) => {
                    wrong.push(FieldError::new("/wifi_password", "invisible_characters"));
                }
                _ => {}
            }
        }
        if wrong.is_empty() { Ok(self) } else { Err(invalid_fields(wrong)) }
    }
}

/// Scheme and host, perhaps a port, and nothing after them.
fn is_bare_address(url: &str) -> bool {
    let host = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    let is_sign = |it: char| it.is_ascii_alphanumeric() || ".-:[]".contains(it);
    url.len() <= URL_MAX && host.is_some_and(|host| !host.is_empty() && host.chars().all(is_sign))
}

/// These signs part the fields of the code.
fn escaped(text: &str) -> String {
    let sign = |it: char| if "\\;,:\"".contains(it) { vec!['\\', it] } else { vec![it] };
    text.chars().flat_map(sign).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wifi(name: &str, password: Option<&str>) -> Sheets {
        Sheets { public_url: None, wifi_name: Some(name.to_owned()), wifi_password: password.map(str::to_owned) }
    }

    #[test]
    fn signs_that_part_fields_are_escaped() {
        assert_eq!(wifi("Cafe; 1", Some("a:b,c\\d")).wifi_code().unwrap(), r"WIFI:T:WPA;S:Cafe\; 1;P:a\:b\,c\\d;;");
        assert_eq!(wifi("하늘", None).wifi_code().unwrap(), "WIFI:T:nopass;S:하늘;;");
        assert_eq!(Sheets::default().wifi_code(), None);
    }

    #[test]
    fn an_address_is_a_host_and_nothing_more() {
        let checked = |url: &str| Sheets { public_url: Some(url.to_owned()), ..Sheets::default() }.checked();
        for url in
            ["http://192.168.0.5:8080", "https://play.example.org/", "http://[fd00::1]:8080", "http://cafe.local"]
        {
            assert_eq!(checked(url).unwrap().public_url.unwrap(), url.trim_end_matches('/'));
        }
        for url in ["192.168.0.5", "ftp://a", "http://", "http://a/b", "http://a?b", "http://a b", "http://me@a"] {
            assert!(checked(url).is_err(), "{url}");
        }
    }

    #[test]
    fn a_password_is_one_that_wpa_takes_and_has_a_network() {
        assert!(wifi("하늘", Some("12345678")).checked().is_ok());
        assert!(wifi("하늘", Some("1234567")).checked().is_err());
        assert!(wifi(&"하".repeat(11), None).checked().is_err());
        assert!(Sheets { wifi_name: None, ..wifi("", Some("12345678")) }.checked().is_err());
    }

    #[test]
    fn the_machine_itself_is_no_address_for_phones() {
        assert!(["localhost", "127.0.0.1", "127.1.2.3", "[::1]"].into_iter().all(is_loopback));
        assert!(!["192.168.0.5", "cafe.local", "localhost.example.org"].into_iter().any(is_loopback));
    }
}
