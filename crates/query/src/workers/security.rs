//! Certificates and tokens. There are no connections without them.

use std::fmt;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;
use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error as TlsError, ServerConfig, SignatureScheme,
    version,
};
use subtle::ConstantTimeEq;

use crate::error::{Error, ErrorKind};

/// The shortest accepted token, in bytes.
const MIN_TOKEN_BYTES: usize = 16;
/// The largest file with a token or certificates, in bytes.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// The secret that clients and workers share.
#[derive(Clone)]
pub struct Token(String);

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(..)")
    }
}

impl Token {
    /// Reads the token from a file, which only its owner may be able to read.
    ///
    /// # Errors
    /// The file cannot be read, others can read it, or the token is too short.
    pub fn read(path: &Path) -> Result<Token, Error> {
        let found = path.metadata().map_err(|error| Error::system(path.display(), &error))?;
        if found.mode() & 0o077 != 0 {
            let mode = found.mode() & 0o777;
            let message = format!("{}: other users can access this token (mode {mode:03o})", path.display());
            return Err(Error::usage(message).help(format!("chmod 600 {}", path.display())));
        }
        let text = contents(path)?;
        Token::new(&String::from_utf8_lossy(&text))
            .map_err(|error| Error { message: format!("{}: {}", path.display(), error.message), ..error })
    }

    /// Creates a token. White space around it is ignored.
    ///
    /// # Errors
    /// The token is too short.
    pub fn new(text: &str) -> Result<Token, Error> {
        let text = text.trim();
        if text.len() < MIN_TOKEN_BYTES {
            let message =
                format!("the token has {} bytes; at least {MIN_TOKEN_BYTES} are needed", text.len());
            return Err(Error::usage(message).help("`ringtrace-worker --new-certificate DIR` creates one"));
        }
        Ok(Token(text.to_owned()))
    }

    pub(super) fn text(&self) -> &str {
        &self.0
    }

    /// Compares the tokens in a time that does not depend on their contents.
    pub(super) fn is(&self, other: &str) -> bool {
        self.0.as_bytes().ct_eq(other.as_bytes()).into()
    }
}

/// The certificate of a worker, and its private key.
#[derive(Debug)]
pub struct Certificate {
    chain: Vec<CertificateDer<'static>>,
    key: PrivateKeyDer<'static>,
}

impl Certificate {
    /// Reads the certificate and the key from PEM files.
    ///
    /// # Errors
    /// A file cannot be read, or contains no certificate or key.
    pub fn read(certificate: &Path, key: &Path) -> Result<Certificate, Error> {
        let chain = certificates(certificate)?;
        let parsed = PrivateKeyDer::from_pem_slice(&contents(key)?);
        let key = parsed.map_err(|error| {
            Error::new(ErrorKind::Input, format!("{}: no private key: {error}", key.display()))
        })?;
        Ok(Certificate { chain, key })
    }

    pub(super) fn config(self) -> Result<Arc<ServerConfig>, Error> {
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_protocol_versions(&[&version::TLS13])
            .and_then(|config| config.with_no_client_auth().with_single_cert(self.chain, self.key));
        let config = config.map_err(|error| Error::usage(format!("the certificate and the key: {error}")))?;
        Ok(Arc::new(config))
    }
}

/// Reads the certificates in a PEM file.
fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, Error> {
    let text = contents(path)?;
    let found: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&text).collect();
    match found {
        Ok(found) if !found.is_empty() => Ok(found),
        Ok(_) => Err(Error::new(ErrorKind::Input, format!("{}: contains no certificate", path.display()))
            .help("expected PEM, which begins with `-----BEGIN CERTIFICATE-----`")),
        Err(error) => {
            Err(Error::new(ErrorKind::Input, format!("{}: not a certificate: {error}", path.display())))
        }
    }
}

fn contents(path: &Path) -> Result<Vec<u8>, Error> {
    let failed = |error: &io::Error| Error::system(path.display(), error);
    let found = path.metadata().map_err(|error| failed(&error))?;
    if !found.is_file() || found.len() > MAX_FILE_BYTES {
        return Err(Error::usage(format!("{}: expected a file of at most 1 MiB", path.display())));
    }
    fs::read(path).map_err(|error| failed(&error))
}

/// Creates a certificate, its key and a token in the folder `path`: `certificate.pem`, `key.pem` and
/// `token`.
///
/// # Errors
/// A file exists already, or cannot be created.
pub fn new_certificate(path: &Path) -> Result<(), Error> {
    let failed = |error: rcgen::Error| Error::new(ErrorKind::System, format!("cannot create a key: {error}"));
    let created = rcgen::generate_simple_self_signed(vec!["ringtrace-worker".to_owned()]).map_err(failed)?;
    let mut secret = [0; 32];
    let random = ring::default_provider().secure_random;
    random.fill(&mut secret).map_err(|_| Error::new(ErrorKind::System, "no random numbers are available"))?;
    let token: String = secret.iter().map(|byte| format!("{byte:02x}")).collect();
    fs::create_dir_all(path).map_err(|error| Error::system(path.display(), &error))?;
    create(&path.join("key.pem"), &created.signing_key.serialize_pem(), 0o600)?;
    create(&path.join("token"), &format!("{token}\n"), 0o600)?;
    create(&path.join("certificate.pem"), &created.cert.pem(), 0o644)
}

fn create(path: &Path, text: &str, mode: u32) -> Result<(), Error> {
    let file = OpenOptions::new().write(true).create_new(true).mode(mode).open(path);
    file.and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(|error| Error::system(path.display(), &error))
}

/// Creates the settings of a client that trusts exactly the certificates in the file `path`.
pub(super) fn client_config(path: &Path) -> Result<Arc<ClientConfig>, Error> {
    let verifier = Pinned { trusted: certificates(path)?, provider: Arc::new(ring::default_provider()) };
    let config = ClientConfig::builder_with_provider(Arc::clone(&verifier.provider))
        .with_protocol_versions(&[&version::TLS13])
        .map_err(|error| Error::new(ErrorKind::System, error.to_string()))?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier))
        .with_no_client_auth();
    Ok(Arc::new(config))
}

/// Accepts workers whose certificate is one of `trusted`, whatever their names. The handshake proves
/// that the worker has the private key.
#[derive(Debug)]
struct Pinned {
    trusted: Vec<CertificateDer<'static>>,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Pinned {
    fn verify_server_cert(
        &self,
        found: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, TlsError> {
        match self.trusted.iter().any(|trusted| trusted == found) {
            true => Ok(ServerCertVerified::assertion()),
            false => Err(TlsError::InvalidCertificate(CertificateError::UnknownIssuer)),
        }
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, TlsError> {
        Err(TlsError::General("TLS 1.2 is not used".to_owned()))
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, TlsError> {
        verify_tls13_signature(message, certificate, signed, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
