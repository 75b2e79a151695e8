//! TLS without a proxy: which certificate a server shows, and the house's own authority for those who have no other.

mod authority;
mod names;

use std::path::{Path, PathBuf};
use std::time::Duration;

use base::certificates::Certificate;
use base::stop::Stop;
use base::world::World;
use jiff::{SignedDuration, Timestamp};
use web::tls::Served;
use web_base::config::{Config, Tls};

use crate::cluster::create_data_dir;
use authority::Authority;

/// How long before its end a certificate is renewed.
const RENEWED_BEFORE: SignedDuration = SignedDuration::from_hours(30 * 24);
const HOUR: Duration = Duration::from_secs(60 * 60);

/// The certificate that the settings ask for; the one of the local authority is made and renewed as needed.
pub(crate) fn prepare(config: &Config, world: &World) -> anyhow::Result<Option<Served>> {
    if config.tls == Some(Tls::Local) {
        renew_if_due(config, world)?;
    }
    Served::load(config)
}

/// Renews the certificate of the local authority before it ends. Each server that shows it watches the file, and takes the new one.
pub(crate) async fn keep_renewing(config: Config, world: World, stop: Stop) {
    while stop.sleep(HOUR).await {
        let config = config.clone();
        let renewed = actix_web::web::block(move || renew_if_due(&config, &world)).await;
        if let Err(err) = renewed.map_err(anyhow::Error::from).flatten() {
            tracing::warn!(error = format!("{err:#}"), "renewing the certificate failed");
        }
    }
}

/// `houserules tls`: a certificate for these names, or without any for those of before and those of this machine.
pub(crate) fn make(config: &Config, world: &World, given: &[String]) -> anyhow::Result<()> {
    let folder = folder(config)?;
    let names = if given.is_empty() { known_names(config, &folder)? } else { names::check(given)? };
    let authority = Authority::find_or_make(&folder, world, &names)?;
    let certificate = authority.issue(&folder, world, &names)?;
    explain(&authority, &folder, &certificate);
    Ok(())
}

fn renew_if_due(config: &Config, world: &World) -> anyhow::Result<()> {
    let folder = folder(config)?;
    let kept = kept(&folder).ok();
    let authority = Authority::find(&folder)?;
    if let (Some(authority), Some(kept)) = (&authority, &kept)
        && is_good(kept, authority, config, world.now())
    {
        return Ok(());
    }
    let names = match kept {
        Some(kept) => names::join(kept.names, config.public_host()),
        None => known_names(config, &folder)?,
    };
    let certificate = Authority::find_or_make(&folder, world, &names)?.issue(&folder, world, &names)?;
    tracing::info!(names = certificate.names.join(" "), until = %certificate.ends_at, "renewed the certificate");
    Ok(())
}

fn is_good(kept: &Certificate, authority: &Authority, config: &Config, now: Timestamp) -> bool {
    let is_for_public_host = config.public_host().is_none_or(|host| kept.is_for(&host));
    kept.left(now) >= RENEWED_BEFORE.min(authority.certificate.left(now))
        && is_for_public_host
        && authority.has_issued(kept, now)
}

/// Those that the certificate was for so far, this machine's, and that of the public address.
fn known_names(config: &Config, folder: &Path) -> anyhow::Result<Vec<String>> {
    let kept = kept(folder).map(|kept| kept.names).unwrap_or_default();
    let names = names::join(names::join(kept, names::of_machine()), config.public_host());
    names::check(&names)
}

fn kept(folder: &Path) -> anyhow::Result<Certificate> {
    Certificate::read(&folder.join(authority::SERVER))
}

/// Made if it is not there, for its user alone.
fn folder(config: &Config) -> anyhow::Result<PathBuf> {
    create_data_dir(&config.data)?;
    authority::make_folder(&config.authority())
}

fn explain(authority: &Authority, folder: &Path, certificate: &Certificate) {
    let name = certificate.names.first().map_or("cafe.local", String::as_str);
    let until = |certificate: &Certificate| certificate.ends_at.strftime("%Y-%m-%d").to_string();
    println!("Certificate of the authority: {}", folder.join(authority::PUBLISHED).display());
    println!("  good until {}", until(&authority.certificate));
    println!("  SHA-256 fingerprint {}", authority.certificate.fingerprint());
    println!("Certificate of the server: for {}", certificate.names.join(", "));
    println!("  good until {}; a server with --tls local renews it", until(certificate));
    println!();
    println!(
        "Serve with --tls local. Every device has to trust the authority once. Copy its certificate there, or open"
    );
    println!("https://{name}/tls/ca.crt (with the port, if it is not 443) and compare the fingerprint:");
    println!("  Android: Settings, search for \"CA certificate\", install the downloaded file.");
    println!(
        "  iPhone, iPad: install the profile in Settings, then switch it on in General, About, Certificate Trust Settings."
    );
    println!(
        "  Windows: open the file, install it for the local machine under \"Trusted Root Certification Authorities\"."
    );
    println!("  macOS: open the file in Keychain Access, and trust it always.");
    println!("  Firefox on a computer: Settings, Certificates, Authorities, Import.");
    println!("The key of the authority stays in {}: never give that directory away.", folder.display());
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use base::ids::hex;
    use web_base::config::Settings;

    use super::*;

    fn at(now: fn() -> Timestamp) -> World {
        World::of(now, |bytes| bytes.fill(7))
    }

    fn day(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    struct House(Config);

    impl House {
        fn new(public_url: Option<&str>) -> Self {
            let name = format!("house-rules-tls-{}", hex(&World::real().bytes::<8>()));
            let public_url = public_url.map(str::to_owned);
            let data = Some(std::env::temp_dir().join(name));
            let settings = Settings { data, public_url, tls: Some("local".to_owned()), ..Settings::default() };
            Self(settings.resolve().unwrap())
        }

        fn make(&self, world: World, names: &[&str]) -> anyhow::Result<()> {
            make(&self.0, &world, &names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>())
        }

        fn renew(&self, world: World) -> Certificate {
            renew_if_due(&self.0, &world).unwrap();
            self.kept()
        }

        fn kept(&self) -> Certificate {
            kept(&self.0.authority()).unwrap()
        }

        fn authority(&self) -> String {
            fs::read_to_string(self.0.authority().join(authority::PUBLISHED)).unwrap()
        }
    }

    impl Drop for House {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0.data);
        }
    }

    #[test]
    fn a_certificate_is_renewed_a_month_before_it_ends_and_the_authority_stays() {
        let house = House::new(None);
        let first = at(|| day("2026-11-24T12:00:00Z"));
        house.make(first, &["cafe.local", "192.168.0.10"]).unwrap();
        let (made, authority) = (house.kept(), house.authority());
        assert!(made.ends_at.duration_since(made.starts_at) <= SignedDuration::from_hours(397 * 24));
        assert_eq!(made.names, ["cafe.local", "192.168.0.10"]);
        let later = house.renew(at(|| day("2027-11-20T12:00:00Z")));
        assert_eq!(later.fingerprint(), made.fingerprint());
        let renewed = house.renew(at(|| day("2027-12-01T12:00:00Z")));
        assert!(renewed.fingerprint() != made.fingerprint() && renewed.ends_at > made.ends_at);
        assert_eq!((renewed.names, house.authority()), (made.names, authority));
        // Also long after it has ended.
        assert!(house.renew(at(|| day("2030-12-01T12:00:00Z"))).ends_at > day("2031-12-01T00:00:00Z"));
        // It never outlives the authority, and is not made again all the time as that one nears its end.
        let last = house.renew(at(|| day("2036-11-10T12:00:00Z")));
        assert!(last.ends_at < day("2036-12-01T00:00:00Z"), "{last:?}");
        assert_eq!(house.renew(at(|| day("2036-11-10T13:00:00Z"))).fingerprint(), last.fingerprint());
        let ended = renew_if_due(&house.0, &at(|| day("2037-01-01T12:00:00Z"))).unwrap_err().to_string();
        assert!(ended.contains("has ended"), "{ended}");
    }

    #[test]
    fn the_public_address_is_always_among_the_names() {
        let house = House::new(Some("https://cafe.local:8443"));
        let world = at(|| day("2026-11-24T12:00:00Z"));
        let made = house.renew(world);
        assert!(made.is_for("cafe.local") && made.is_for("localhost") && made.is_for("127.0.0.1"), "{made:?}");
        house.make(world, &["192.168.0.10"]).unwrap();
        assert_eq!(house.kept().names, ["192.168.0.10"]);
        assert_eq!(house.renew(world).names, ["192.168.0.10", "cafe.local"]);
        // Without names, those of before are kept.
        house.make(world, &[]).unwrap();
        assert!(house.kept().names.starts_with(&["192.168.0.10".to_owned(), "cafe.local".to_owned()]));
    }

    #[test]
    fn the_authority_is_for_this_house_only() {
        let house = House::new(None);
        let world = at(|| day("2026-11-24T12:00:00Z"));
        house.make(world, &["play.example.org", "203.0.113.5"]).unwrap();
        house.make(world, &["www.play.example.org", "tablet.lan", "fd00::7", "10.1.2.3", "localhost"]).unwrap();
        let before = house.kept().fingerprint();
        for elsewhere in ["bank.example.org", "203.0.113.6", "2001:db8::1"] {
            let refused = house.make(world, &["cafe.local", elsewhere]).unwrap_err().to_string();
            assert!(refused.contains("may not issue a certificate for"), "{elsewhere}: {refused}");
        }
        for wrong in ["", "café.local", "a b", "https://cafe.local", "cafe.local:443", "*.cafe.local", "10.0.0.0/8"] {
            assert!(house.make(world, &[wrong]).is_err(), "{wrong}");
        }
        assert_eq!(house.kept().fingerprint(), before);
    }

    #[test]
    fn keys_are_for_their_user_alone() {
        let house = House::new(None);
        house.make(at(|| day("2026-11-24T12:00:00Z")), &["cafe.local"]).unwrap();
        let mode = |path: PathBuf| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let folder = house.0.authority();
        assert_eq!(mode(folder.clone()), 0o700);
        for file in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
            let holds_key = fs::read_to_string(&file).unwrap().contains("PRIVATE KEY");
            assert_eq!(holds_key, !file.ends_with(authority::PUBLISHED), "{}", file.display());
            assert!(!holds_key || mode(file.clone()) == 0o600, "{}", file.display());
        }
    }

    #[test]
    fn what_is_not_of_the_authority_is_replaced() {
        let house = House::new(None);
        let world = at(|| day("2026-11-24T12:00:00Z"));
        house.make(world, &["cafe.local"]).unwrap();
        let stranger = House::new(None);
        stranger.make(world, &["cafe.local"]).unwrap();
        let theirs = stranger.kept().fingerprint();
        let server = house.0.authority().join(authority::SERVER);
        fs::copy(stranger.0.authority().join(authority::SERVER), &server).unwrap();
        assert_ne!(house.renew(world).fingerprint(), theirs);
        fs::write(&server, "junk").unwrap();
        assert!(house.renew(world).is_for("localhost"));
    }
}
