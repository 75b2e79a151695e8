//! An authority of the house's own: its key and its certificate, and the certificates that it issues to this server.

use std::fs::{self, File};
use std::io::Write;
use std::net::IpAddr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, ensure};
use base::certificates::{Certificate, Files};
use base::ids::hex;
use base::world::World;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use rcgen::{
    BasicConstraints, CertificateParams, CidrSubnet, DistinguishedName, DnType, ExtendedKeyUsagePurpose,
    GeneralSubtree, IsCa, Issuer, KeyPair, KeyUsagePurpose, NameConstraints,
};
use rustls::RootCertStore;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::ServerCertVerifier;
use rustls::crypto::ring;
use rustls::pki_types::{ServerName, UnixTime};

use crate::files::{Draft, create_private_dir, give_like};

/// Key and certificate of the authority. They never leave this directory.
const KEPT: &str = "authority.pem";
/// The certificate alone, for everybody.
pub(super) const PUBLISHED: &str = "ca.crt";
/// Key and certificate of the server, in one file: no other can be between the two.
pub(super) const SERVER: &str = "server.pem";

const DAY: SignedDuration = SignedDuration::from_hours(24);
/// Clocks of phones are slow at times.
const BEFORE: SignedDuration = DAY;
const LIFE_OF_AUTHORITY: SignedDuration = SignedDuration::from_hours(10 * 365 * 24);
/// Browsers accept no more than 398 days; it starts a day or two before it is made.
const LIFE: SignedDuration = SignedDuration::from_hours(395 * 24);

/// Names that nobody owns, and `localhost`.
pub(super) const LOCAL_NAMES: [&str; 5] = ["localhost", "local", "lan", "home.arpa", "internal"];
/// Networks that nobody owns, and this machine.
const LOCAL_NETWORKS: [(&str, u8); 8] = [
    ("10.0.0.0", 8),
    ("172.16.0.0", 12),
    ("192.168.0.0", 16),
    ("169.254.0.0", 16),
    ("127.0.0.0", 8),
    ("fc00::", 7),
    ("fe80::", 10),
    ("::1", 128),
];

pub(super) struct Authority {
    pub(super) certificate: Certificate,
    /// The same in PEM.
    text: String,
    issuer: Issuer<'static, KeyPair>,
}

impl Authority {
    /// The one that is kept here.
    pub(super) fn find(folder: &Path) -> anyhow::Result<Option<Self>> {
        let kept = folder.join(KEPT);
        if !kept.exists() {
            return Ok(None);
        }
        let (certificate, _) = Files { certificate: kept.clone(), key: kept.clone() }.load()?;
        let text = fs::read_to_string(&kept).with_context(|| format!("{} cannot be read", kept.display()))?;
        let key = KeyPair::from_pem(&text).with_context(|| format!("{} begins with no key", kept.display()))?;
        let name = certificate.common_name.clone().with_context(|| format!("{} has no name", kept.display()))?;
        let text = text.split_at(text.find("-----BEGIN CERTIFICATE").unwrap_or_default()).1.to_owned();
        Ok(Some(Self { certificate, text, issuer: Issuer::new(params_of_authority(&name), key) }))
    }

    /// The same; if there is none, one that may issue certificates for these names and for local ones.
    pub(super) fn find_or_make(folder: &Path, world: &World, names: &[String]) -> anyhow::Result<Self> {
        let kept = folder.join(KEPT);
        if !kept.exists() {
            let (key, certificate) = new_authority(world, names)?;
            let draft = Draft::create(world, &kept)?;
            give_like(&draft.file, &fs::metadata(folder)?)?;
            write!(&draft.file, "{key}{certificate}")?;
            draft.finish_first()?;
        }
        let authority = Self::find(folder)?.with_context(|| format!("{} is gone", kept.display()))?;
        authority.publish(folder, world)?;
        Ok(authority)
    }

    fn publish(&self, folder: &Path, world: &World) -> anyhow::Result<()> {
        let path = folder.join(PUBLISHED);
        if Certificate::read(&path).is_ok_and(|published| published.der() == self.certificate.der()) {
            return Ok(());
        }
        let draft = Draft::create(world, &path)?;
        give_like(&draft.file, &fs::metadata(folder)?)?;
        draft.file.set_permissions(fs::Permissions::from_mode(0o644))?;
        (&draft.file).write_all(self.text.as_bytes())?;
        draft.finish()
    }

    /// A certificate for a server of these names, with a key of its own, in the place of the one before.
    pub(super) fn issue(&self, folder: &Path, world: &World, names: &[String]) -> anyhow::Result<Certificate> {
        let now = world.now();
        ensure!(
            self.certificate.left(now) > DAY,
            "the authority's certificate has ended, or is about to: remove {} to make another authority. Every device has to \
             trust that one again",
            folder.display()
        );
        let key = KeyPair::generate()?;
        let issued = params_of_server(names, now, self.certificate.ends_at)?.signed_by(&key, &self.issuer)?;
        let certificate = Certificate::of(issued.der())?;
        ensure!(
            self.has_issued(&certificate, now),
            "the authority may not issue a certificate for {}: it is for local names and for those that it was made with. Remove \
             {} to make another authority. Every device has to trust that one again",
            names.join(", "),
            folder.display()
        );
        let path = folder.join(SERVER);
        let draft = Draft::create(world, &path)?;
        give_like(&draft.file, &fs::metadata(folder)?)?;
        write!(&draft.file, "{}{}", key.serialize_pem(), issued.pem())?;
        draft.finish()?;
        Ok(certificate)
    }

    /// Whether browsers that trust this authority trust that certificate.
    pub(super) fn has_issued(&self, certificate: &Certificate, now: Timestamp) -> bool {
        let mut roots = RootCertStore::empty();
        let verifier = roots.add(self.certificate.der().clone()).ok().and_then(|()| {
            let provider = Arc::new(ring::default_provider());
            WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider).build().ok()
        });
        let (Some(verifier), Ok(seconds)) = (verifier, u64::try_from(now.as_second())) else { return false };
        let now = UnixTime::since_unix_epoch(Duration::from_secs(seconds));
        let names = certificate.names.iter().map(|name| ServerName::try_from(name.as_str()));
        let mut verdicts = names.map(|name| {
            name.is_ok_and(|name| verifier.verify_server_cert(certificate.der(), &[], &name, &[], now).is_ok())
        });
        verdicts.all(|is_trusted| is_trusted)
    }
}

/// For the user of the data directory alone.
pub(super) fn make_folder(folder: &Path) -> anyhow::Result<PathBuf> {
    if !folder.exists() {
        create_private_dir(folder)?;
        give_like(&File::open(folder)?, &fs::metadata(folder.parent().unwrap_or(folder))?)?;
    }
    fs::canonicalize(folder).with_context(|| format!("{} cannot be reached", folder.display()))
}

/// Its key and its certificate, in PEM.
fn new_authority(world: &World, names: &[String]) -> anyhow::Result<(String, String)> {
    let name = format!("House Rules local authority {}", hex(&world.bytes::<4>()));
    let (key, now) = (KeyPair::generate()?, world.now());
    let mut params = params_of_authority(&name);
    limit(&mut params, now, now + LIFE_OF_AUTHORITY);
    params.name_constraints = Some(NameConstraints { permitted_subtrees: permitted(names), excluded_subtrees: vec![] });
    let certificate = params.self_signed(&key)?.pem();
    Ok((key.serialize_pem(), certificate))
}

/// What the certificates that it issues depend on as well.
fn params_of_authority(name: &str) -> CertificateParams {
    let mut params = CertificateParams::default();
    params.distinguished_name = named(name);
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    params
}

fn params_of_server(names: &[String], now: Timestamp, at_most: Timestamp) -> anyhow::Result<CertificateParams> {
    let mut params = CertificateParams::new(names)?;
    params.distinguished_name = named("House Rules");
    params.is_ca = IsCa::ExplicitNoCa;
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    params.use_authority_key_identifier_extension = true;
    limit(&mut params, now, (now + LIFE).min(at_most));
    Ok(params)
}

fn named(name: &str) -> DistinguishedName {
    let mut named = DistinguishedName::new();
    named.push(DnType::CommonName, name);
    named
}

/// Names that it may speak for, so that somebody who steals its key cannot pose as a bank.
fn permitted(names: &[String]) -> Vec<GeneralSubtree> {
    let network = |(network, prefix): &(&str, u8)| {
        let address = network.parse::<IpAddr>().ok()?;
        Some(GeneralSubtree::IpAddress(CidrSubnet::from_addr_prefix(address, *prefix)))
    };
    let given = names.iter().map(|name| match name.parse::<IpAddr>() {
        Ok(address @ IpAddr::V4(_)) => GeneralSubtree::IpAddress(CidrSubnet::from_addr_prefix(address, 32)),
        Ok(address @ IpAddr::V6(_)) => GeneralSubtree::IpAddress(CidrSubnet::from_addr_prefix(address, 128)),
        Err(_) => GeneralSubtree::DnsName(name.clone()),
    });
    let local = LOCAL_NAMES.iter().map(|&name| GeneralSubtree::DnsName(name.to_owned()));
    local.chain(LOCAL_NETWORKS.iter().filter_map(network)).chain(given).collect()
}

/// From midnight to midnight.
fn limit(params: &mut CertificateParams, from: Timestamp, until: Timestamp) {
    let midnight = |at: Timestamp| {
        let date = at.to_zoned(TimeZone::UTC).date();
        rcgen::date_time_ymd(date.year().into(), date.month().unsigned_abs(), date.day().unsigned_abs())
    };
    params.not_before = midnight(from - BEFORE);
    params.not_after = midnight(until);
}
