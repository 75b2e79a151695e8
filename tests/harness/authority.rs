//! Somebody who says whose a server is, for those who trust them.

use std::fs;
use std::path::PathBuf;

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, KeyUsagePurpose};

use crate::workplace::workplace;

/// One that nobody trusts unless they are told to.
pub struct Authority {
    issuer: Issuer<'static, KeyPair>,
    /// The file of its own certificate.
    pub file: PathBuf,
}

/// What a server shows, in PEM.
pub struct Issued {
    /// Its certificate.
    pub certificate: String,
    /// The private key of that.
    pub key: String,
}

impl Authority {
    /// Another one each time.
    pub fn new() -> Self {
        let mut itself = CertificateParams::default();
        itself.distinguished_name.push(DnType::CommonName, workplace().unique("authority "));
        itself.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        itself.key_usages = vec![KeyUsagePurpose::KeyCertSign];
        let key = KeyPair::generate().expect("there are random numbers");
        let file = workplace().folder("authority").join("root.pem");
        fs::write(&file, itself.self_signed(&key).expect("it signs").pem()).expect("it can be written");
        Self { issuer: Issuer::new(itself, key), file }
    }

    /// For a server of these names and addresses.
    pub fn issue(&self, names: &[&str]) -> Issued {
        let owned: Vec<_> = names.iter().map(|&name| name.to_owned()).collect();
        let mut its = CertificateParams::new(owned).expect("they are names");
        its.distinguished_name.push(DnType::CommonName, names[0]);
        let key = KeyPair::generate().expect("there are random numbers");
        let certificate = its.signed_by(&key, &self.issuer).expect("it signs");
        Issued { certificate: certificate.pem(), key: key.serialize_pem() }
    }
}

impl Default for Authority {
    fn default() -> Self {
        Authority::new()
    }
}
