//! Names and addresses that a server is reached by.

use anyhow::{Context, bail};
use base::network::private_addresses;
use nix::unistd::gethostname;
use rustls::pki_types::ServerName;

use super::authority::LOCAL_NAMES;

/// Those of before, then those of the others that are new.
pub(super) fn join(mut names: Vec<String>, others: impl IntoIterator<Item = String>) -> Vec<String> {
    for other in others {
        let other = other.trim_matches(['[', ']']).to_lowercase();
        if !names.contains(&other) {
            names.push(other);
        }
    }
    names
}

/// Each once, as certificates write them.
pub(super) fn check(names: &[String]) -> anyhow::Result<Vec<String>> {
    for name in names {
        let is_name = ServerName::try_from(name.trim_matches(['[', ']']));
        is_name
            .with_context(|| format!("`{name}` is no name of a server; one looks like cafe.local or 192.168.0.10"))?;
    }
    let names = join(Vec::new(), names.iter().cloned());
    if names.is_empty() {
        bail!("a certificate needs a name");
    }
    Ok(names)
}

/// Its local host name, its addresses in private networks, and itself: any authority may speak for these.
pub(super) fn of_machine() -> Vec<String> {
    let host = gethostname().ok().and_then(|name| name.into_string().ok());
    let own = ["localhost", "127.0.0.1", "::1"].map(str::to_owned);
    let addresses = private_addresses().into_iter().map(|address| address.to_string());
    let names = host.and_then(|host| local(&host)).into_iter().chain(addresses).chain(own);
    join(Vec::new(), names)
}

/// As its network announces the host of this name. One of the internet is given by `--name`, if it is meant.
fn local(host: &str) -> Option<String> {
    let host = host.to_lowercase();
    let name = if host.contains('.') { host } else { format!("{host}.local") };
    let is_local = LOCAL_NAMES.iter().any(|local| name.ends_with(&format!(".{local}")));
    (is_local && ServerName::try_from(name.as_str()).is_ok()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_has_a_local_name_unless_it_is_one_of_the_internet() {
        for (host, expected) in [
            ("counter", Some("counter.local")),
            ("Counter.LAN", Some("counter.lan")),
            ("play.example.org", None),
            ("", None),
            ("the counter", None),
        ] {
            assert_eq!(local(host).as_deref(), expected, "{host}");
        }
    }
}
