//! Datasets in object stores: Amazon S3 and servers that speak its protocol, Google Cloud Storage,
//! and Azure. `docs/formats/dataset.md` describes how traces are committed there.

mod commit;
mod failure;
mod publish;
mod remote;
mod settings;

pub use publish::{Published, publish};
pub use settings::fetch;

pub(crate) use failure::find;
pub(crate) use remote::{Part, Remote};

use std::sync::Arc;
use std::time::Duration;

use futures::TryStreamExt;
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::azure::{AzureConfigKey, MicrosoftAzureBuilder};
use object_store::gcp::{GoogleCloudStorageBuilder, GoogleConfigKey};
use object_store::path::Path;
use object_store::{
    BackoffConfig, ObjectStore, ObjectStoreExt, ObjectStoreScheme, PutMode, PutPayload, RetryConfig,
    UpdateVersion,
};
use url::Url;

use crate::error::Error;

/// The time until a server must have accepted a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

/// The time until a server must have answered a request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(120);

/// Failed requests are repeated up to this time.
const RETRY_TIMEOUT: Duration = Duration::from_secs(8);

/// The number of requests at the same time.
const CONCURRENT_REQUESTS: usize = 16;

/// Returns whether `name` is a URL, not a path.
pub fn is_url(name: &str) -> bool {
    let Some((scheme, _)) = name.split_once("://") else { return false };
    !scheme.is_empty() && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// A folder in an object store.
#[derive(Debug, Clone)]
pub(crate) struct Store {
    objects: Arc<dyn ObjectStore>,
    /// The URL of the bucket.
    bucket: Url,
    prefix: Path,
    /// The URL of the folder, for messages.
    name: String,
}

/// An object, with its version.
#[derive(Debug)]
pub(crate) struct Object {
    bytes: Vec<u8>,
    version: UpdateVersion,
}

impl Store {
    /// Connects to the folder with the URL `name`. Credentials and other settings are in the
    /// environment. No request is sent.
    fn connect(name: &str) -> Result<Store, Error> {
        let supported = "expected s3://BUCKET/FOLDER, gs://BUCKET/FOLDER or az://CONTAINER/FOLDER";
        let invalid = |reason: &dyn std::fmt::Display| Error::usage(format!("{name}: {reason}; {supported}"));
        let url = Url::parse(name).map_err(|error| invalid(&error))?;
        let (scheme, prefix) = ObjectStoreScheme::parse(&url).map_err(|_| invalid(&"unknown kind of URL"))?;
        let retry = RetryConfig {
            backoff: BackoffConfig {
                init_backoff: Duration::from_millis(100),
                max_backoff: Duration::from_secs(2),
                base: 2.,
            },
            max_retries: 5,
            retry_timeout: RETRY_TIMEOUT,
        };
        let objects: Result<Arc<dyn ObjectStore>, _> = match scheme {
            ObjectStoreScheme::AmazonS3 => {
                let mut builder = AmazonS3Builder::from_env().with_url(name).with_retry(retry);
                // Settings of the environment, such as AWS_ALLOW_HTTP, are kept.
                for (key, value) in limits() {
                    builder = builder.with_config(AmazonS3ConfigKey::Client(key), value);
                }
                builder.build().map(|built| Arc::new(built) as _)
            }
            ObjectStoreScheme::GoogleCloudStorage => {
                let mut builder = GoogleCloudStorageBuilder::from_env().with_url(name).with_retry(retry);
                for (key, value) in limits() {
                    builder = builder.with_config(GoogleConfigKey::Client(key), value);
                }
                builder.build().map(|built| Arc::new(built) as _)
            }
            ObjectStoreScheme::MicrosoftAzure => {
                let mut builder = MicrosoftAzureBuilder::from_env().with_url(name).with_retry(retry);
                for (key, value) in limits() {
                    builder = builder.with_config(AzureConfigKey::Client(key), value);
                }
                builder.build().map(|built| Arc::new(built) as _)
            }
            _ => return Err(invalid(&"unknown kind of URL")),
        };
        let objects = objects.map_err(|error| failure::describe(name, &error))?;
        let mut bucket = url;
        bucket.set_path("");
        Ok(Store { objects, bucket, prefix, name: name.trim_end_matches('/').to_owned() })
    }

    /// Returns the key of the object `name` in the folder.
    fn key(&self, name: &str) -> Result<Path, Error> {
        let key =
            if self.prefix.as_ref().is_empty() { name.to_owned() } else { format!("{}/{name}", self.prefix) };
        Path::parse(&key).map_err(|error| Error::usage(format!("{}: {error}", self.name)))
    }

    fn failed(&self, name: &str, error: &object_store::Error) -> Error {
        let object = if name.is_empty() { self.name.clone() } else { format!("{}/{name}", self.name) };
        failure::describe(&object, error)
    }

    /// Reads an object. Returns `None` if it does not exist.
    async fn read(&self, name: &str) -> Result<Option<Object>, Error> {
        let found = match self.objects.get(&self.key(name)?).await {
            Err(error) if failure::is_missing(&error) => return Ok(None),
            found => found.map_err(|error| self.failed(name, &error))?,
        };
        let version = UpdateVersion { e_tag: found.meta.e_tag.clone(), version: found.meta.version.clone() };
        let bytes = found.bytes().await.map_err(|error| self.failed(name, &error))?;
        Ok(Some(Object { bytes: bytes.into(), version }))
    }

    /// Replaces an object, if its version is still `before`, or creates it, if `before` is `None`.
    /// Returns the new version, or `None` if another process was faster.
    async fn replace(
        &self,
        name: &str,
        bytes: Vec<u8>,
        before: Option<&UpdateVersion>,
    ) -> Result<Option<UpdateVersion>, Error> {
        let mode = before.map_or(PutMode::Create, |version| PutMode::Update(version.clone()));
        match self.objects.put_opts(&self.key(name)?, PutPayload::from(bytes), mode.into()).await {
            Ok(put) => Ok(Some(UpdateVersion { e_tag: put.e_tag, version: put.version })),
            Err(
                object_store::Error::AlreadyExists { .. }
                | object_store::Error::Precondition { .. }
                | object_store::Error::NotModified { .. },
            ) => Ok(None),
            Err(error) => Err(self.failed(name, &error)),
        }
    }

    /// Returns the names of the objects below `folder`, relative to the dataset, with their sizes.
    async fn list(&self, folder: &str) -> Result<Vec<(String, u64)>, Error> {
        let key = self.key(folder)?;
        let found: Vec<_> =
            self.objects.list(Some(&key)).try_collect().await.map_err(|error| self.failed(folder, &error))?;
        let start = if self.prefix.as_ref().is_empty() { 0 } else { self.prefix.as_ref().len() + 1 };
        let name = |key: &Path| key.as_ref().get(start..).unwrap_or_default().to_owned();
        let mut names: Vec<(String, u64)> =
            found.into_iter().map(|object| (name(&object.location), object.size)).collect();
        names.sort();
        Ok(names)
    }
}

fn limits() -> [(object_store::ClientConfigKey, String); 2] {
    use object_store::ClientConfigKey::{ConnectTimeout, Timeout};
    let seconds = |duration: Duration| format!("{} seconds", duration.as_secs());
    [(ConnectTimeout, seconds(CONNECT_TIMEOUT)), (Timeout, seconds(REQUEST_TIMEOUT))]
}
