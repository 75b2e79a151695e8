//! Certificates of servers: read from files, and what they say. Who issues and who shows them is decided elsewhere.

use std::fs;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::path::{Path, PathBuf};

use anyhow::Context;
use jiff::{SignedDuration, Timestamp};
use rustls::RootCertStore;
use rustls::client::verify_server_name;
use rustls::crypto::ring::sign::any_supported_type;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::server::ParsedCertificate;
use rustls::sign::CertifiedKey;
use sha2::{Digest, Sha256};
use x509_cert::der::Decode;
use x509_cert::der::asn1::Utf8StringRef;
use x509_cert::der::oid::db::rfc4519::COMMON_NAME;
use x509_cert::ext::pkix::SubjectAltName;
use x509_cert::ext::pkix::name::GeneralName;
use x509_cert::time::Time;

/// Where a certificate and its key are, in PEM. It may be one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Files {
    /// The server's own comes first, then those of the authorities between it and one that browsers know.
    pub certificate: PathBuf,
    pub key: PathBuf,
}

/// The authorities that this machine trusts.
pub fn roots_of_machine() -> RootCertStore {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    roots
}

/// What a certificate says.
#[derive(Clone, Debug)]
pub struct Certificate {
    pub starts_at: Timestamp,
    pub ends_at: Timestamp,
    /// Host names and addresses that it is for.
    pub names: Vec<String>,
    /// Whose it is.
    pub common_name: Option<String>,
    own: CertificateDer<'static>,
}

impl Files {
    /// The certificate, and what shows it together with its key.
    ///
    /// # Errors
    /// When a file cannot be read, holds something else, or the two do not belong together.
    pub fn load(&self) -> anyhow::Result<(Certificate, CertifiedKey)> {
        let (certificate, chain) = read_chain(&self.certificate)?;
        let key = read(&self.key)?;
        let refused = || format!("{} holds no private key in PEM that is not encrypted", self.key.display());
        let key = PrivateKeyDer::from_pem_slice(&key).with_context(refused)?;
        let refused = || format!("the private key in {} is of a kind that is not supported", self.key.display());
        let shown = CertifiedKey::new(chain, any_supported_type(&key).with_context(refused)?);
        shown.keys_match().with_context(|| {
            let (key, certificate) = (self.key.display(), self.certificate.display());
            format!("the private key in {key} does not belong to the certificate in {certificate}")
        })?;
        Ok((certificate, shown))
    }
}

impl Certificate {
    /// The first one in this file.
    ///
    /// # Errors
    /// When the file cannot be read or holds something else.
    pub fn read(file: &Path) -> anyhow::Result<Self> {
        read_chain(file).map(|(certificate, _)| certificate)
    }

    /// What these bytes say.
    ///
    /// # Errors
    /// When they are no certificate of a server.
    pub fn of(own: &CertificateDer<'static>) -> anyhow::Result<Self> {
        ParsedCertificate::try_from(own)?;
        let parsed = x509_cert::Certificate::from_der(own)?.tbs_certificate;
        let alternatives = parsed.get::<SubjectAltName>()?.map(|(_, SubjectAltName(names))| names);
        let mut subject = parsed.subject.0.iter().flat_map(|part| part.0.iter());
        let common_name = subject.find(|it| it.oid == COMMON_NAME);
        let common_name = common_name.and_then(|it| it.value.decode_as::<Utf8StringRef<'_>>().ok());
        Ok(Self {
            starts_at: timestamp(parsed.validity.not_before),
            ends_at: timestamp(parsed.validity.not_after),
            names: alternatives.iter().flatten().filter_map(name).collect(),
            common_name: common_name.map(|name| name.as_str().to_owned()),
            own: own.clone(),
        })
    }

    /// Whether a browser takes it for a server of this name or address, as it stands in a URL.
    pub fn is_for(&self, host: &str) -> bool {
        let host = host.trim_matches(['[', ']']);
        let (Ok(name), Ok(own)) = (ServerName::try_from(host), ParsedCertificate::try_from(&self.own)) else {
            return false;
        };
        verify_server_name(&own, &name).is_ok()
    }

    /// How long it is still good; nothing once it has ended or as long as it has not begun.
    pub fn left(&self, now: Timestamp) -> SignedDuration {
        if now < self.starts_at {
            SignedDuration::ZERO
        } else {
            self.ends_at.duration_since(now).max(SignedDuration::ZERO)
        }
    }

    pub fn der(&self) -> &CertificateDer<'static> {
        &self.own
    }

    /// Its SHA-256, as browsers and phones write it.
    pub fn fingerprint(&self) -> String {
        Sha256::digest(&self.own).iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(":")
    }
}

fn read_chain(file: &Path) -> anyhow::Result<(Certificate, Vec<CertificateDer<'static>>)> {
    let refused = || format!("{} holds no certificate in PEM", file.display());
    let text = read(file)?;
    let chain: Vec<_> = CertificateDer::pem_slice_iter(&text).collect::<Result<_, _>>().with_context(refused)?;
    let own = chain.first().with_context(refused)?;
    let certificate = Certificate::of(own);
    let certificate =
        certificate.with_context(|| format!("the certificate in {} is not understood", file.display()))?;
    Ok((certificate, chain))
}

fn read(file: &Path) -> anyhow::Result<Vec<u8>> {
    fs::read(file).with_context(|| format!("{} cannot be read", file.display()))
}

fn timestamp(time: Time) -> Timestamp {
    let seconds = i64::try_from(time.to_unix_duration().as_secs()).ok();
    // A certificate without an end says that it is good until the last second of the year 9999.
    seconds.and_then(|seconds| Timestamp::from_second(seconds).ok()).unwrap_or(Timestamp::MAX)
}

fn name(name: &GeneralName) -> Option<String> {
    match name {
        GeneralName::DnsName(name) => Some(name.to_string()),
        GeneralName::IpAddress(octets) => match octets.as_bytes() {
            octets if octets.len() == 4 => <[u8; 4]>::try_from(octets).ok().map(|it| Ipv4Addr::from(it).to_string()),
            octets => <[u8; 16]>::try_from(octets).ok().map(|it| Ipv6Addr::from(it).to_string()),
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use rcgen::{CertificateParams, KeyPair};

    use super::*;
    use crate::world::World;

    /// For these names, from this date until that one.
    fn params(names: &[&str], from: (i32, u8, u8), until: (i32, u8, u8)) -> CertificateParams {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        let mut params = CertificateParams::new(names).unwrap();
        params.not_before = rcgen::date_time_ymd(from.0, from.1, from.2);
        params.not_after = rcgen::date_time_ymd(until.0, until.1, until.2);
        params
    }

    fn certificate(names: &[&str], from: (i32, u8, u8), until: (i32, u8, u8)) -> Certificate {
        let key = KeyPair::generate().unwrap();
        Certificate::of(params(names, from, until).self_signed(&key).unwrap().der()).unwrap()
    }

    struct Folder(PathBuf);

    impl Folder {
        fn new() -> Self {
            let name = format!("house-rules-certificates-{}", World::real().uuid());
            let folder = std::env::temp_dir().join(name);
            fs::create_dir(&folder).unwrap();
            Self(folder)
        }

        fn file(&self, name: &str, text: &str) -> PathBuf {
            let file = self.0.join(name);
            fs::write(&file, text).unwrap();
            file
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn pair() -> (String, String) {
        let key = KeyPair::generate().unwrap();
        let params = params(&["cafe.local", "*.play.example.org", "192.168.0.7", "fd00::7"], FROM, UNTIL);
        (params.self_signed(&key).unwrap().pem(), key.serialize_pem())
    }

    const FROM: (i32, u8, u8) = (2026, 1, 1);
    const UNTIL: (i32, u8, u8) = (2026, 12, 31);

    #[test]
    fn a_certificate_says_for_whom_it_is_and_until_when() {
        let (certificate, key) = pair();
        let folder = Folder::new();
        // One file may hold both.
        let both = folder.file("both.pem", &format!("{key}{certificate}"));
        let (read, _) = Files { certificate: both.clone(), key: both }.load().unwrap();
        assert_eq!(read.names, ["cafe.local", "*.play.example.org", "192.168.0.7", "fd00::7"]);
        assert_eq!(read.common_name.as_deref(), Some("rcgen self signed cert"));
        assert_eq!(read.ends_at.to_string(), "2026-12-31T00:00:00Z");
        assert_eq!(read.fingerprint().len(), 32 * 3 - 1);
        for host in ["cafe.local", "CAFE.local", "a.play.example.org", "192.168.0.7", "[fd00::7]", "fd00::7"] {
            assert!(read.is_for(host), "{host}");
        }
        for host in
            ["evil.local", "play.example.org", "a.b.play.example.org", "192.168.0.8", "", "a b", "cafe.local:80"]
        {
            assert!(!read.is_for(host), "{host}");
        }
        let left = |at: &str| read.left(at.parse().unwrap()).as_hours();
        assert_eq!(left("2026-12-30T00:00:00Z"), 24);
        assert_eq!((left("2027-01-01T00:00:00Z"), left("2025-12-31T00:00:00Z")), (0, 0));
    }

    #[test]
    fn a_certificate_without_an_end_has_one_far_away() {
        assert_eq!(certificate(&["cafe.local"], FROM, (9999, 12, 31)).ends_at, Timestamp::MAX);
    }

    #[test]
    fn files_that_do_not_go_together_are_refused_by_name() {
        let ((certificate, key), (_, other_key)) = (pair(), pair());
        let folder = Folder::new();
        let certificate = folder.file("cert.pem", &certificate);
        let refusal = |certificate: &Path, key: &Path| {
            let files = Files { certificate: certificate.to_owned(), key: key.to_owned() };
            format!("{:#}", files.load().unwrap_err())
        };
        for (file, text, said) in [
            ("other.pem", other_key.as_str(), "does not belong to the certificate in"),
            ("junk.pem", "junk", "junk.pem holds no private key"),
            ("encrypted.pem", &key.replace("PRIVATE", "ENCRYPTED PRIVATE"), "encrypted.pem holds no private key"),
        ] {
            let refused = refusal(&certificate, &folder.file(file, text));
            assert!(refused.contains(said) && refused.contains(file), "{refused}");
        }
        let key = folder.file("key.pem", &key);
        assert!(refusal(&key, &key).contains("key.pem holds no certificate"));
        assert!(refusal(&folder.0.join("nowhere.pem"), &key).contains("nowhere.pem cannot be read"));
        let junk = folder.file("junk.pem", "-----BEGIN CERTIFICATE-----\nanVuaw==\n-----END CERTIFICATE-----\n");
        assert!(refusal(&junk, &key).contains("junk.pem is not understood"));
    }
}
