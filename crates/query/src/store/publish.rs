//! Publishes a trace of a local dataset in an object store.
//!
//! All decisions are made by replacing one object, that of the trace in `traces`, on the condition
//! that nobody else has replaced it. `docs/formats/dataset.md` describes the protocol.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use futures::{StreamExt, TryStreamExt, stream};
use object_store::{ObjectStore, ObjectStoreExt, PutPayload, UpdateVersion, WriteMultipart};
use ringtrace_tracefile::hash::Hash;

use super::commit::Commit;
use super::{Store, settings};
use crate::error::{Error, ErrorKind};

/// The number of files that are uploaded at the same time. Each is in memory, up to [`PIECE_BYTES`].
const CONCURRENT_UPLOADS: usize = 4;

/// Larger files are uploaded in pieces of this size.
const PIECE_BYTES: usize = 8 << 20;

/// How often an upload checks that no other process has replaced the trace.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// How often a process tries again after another one was faster.
const MAX_ATTEMPTS: usize = 20;

/// The result of publishing a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Published {
    /// The trace is in the dataset now.
    Changed,
    /// The dataset already contained the same rows.
    Unchanged,
    /// Another process has registered other types of columns. The folder contains these now: the
    /// trace must be read again.
    OtherColumns,
}

/// A trace of a local dataset.
struct Local {
    folder: PathBuf,
    row: Commit,
    /// The paths of the files in the local dataset, with their sizes.
    files: Vec<(String, u64)>,
}

impl Local {
    fn read(folder: &Path, trace: &str) -> Result<Local, Error> {
        let path = folder.join(format!("traces/{trace}.parquet"));
        let bytes = fs::read(&path).map_err(|error| Error::system(path.display(), &error))?;
        let mut hash = Hash::default();
        hash.add(&bytes);
        let mut row = parsed(&path.display(), bytes)?;
        let mut files = Vec::new();
        for (part, _) in &row.parts {
            let path = folder.join(part);
            let failed = |error| Error::system(path.display(), &error);
            let mut file = File::open(&path).map_err(failed)?;
            let (mut buffer, mut size) = (vec![0; 1 << 16], 0);
            loop {
                let count = file.read(&mut buffer).map_err(failed)?;
                if count == 0 {
                    break;
                }
                hash.add(&buffer[..count]);
                size += count as u64;
            }
            files.push((part.clone(), size));
        }
        row.content = hash.hex();
        Ok(Local { folder: folder.to_owned(), row, files })
    }

    /// Returns the object of the trace, after the one that is in the store.
    fn after(&self, before: Option<&Commit>) -> Commit {
        let generation = before.map_or(0, |before| before.generation) + 1;
        let mut next = Commit { generation, is_committed: false, ..self.row.clone() };
        let stored = |(part, size): &(String, u64)| (stored(part, generation), Some(*size));
        next.parts = self.files.iter().map(stored).collect();
        if let Some(before) = before {
            let parts = before.parts.iter().map(|(part, _)| part.clone());
            next.superseded = before.superseded.clone();
            next.remove = before.remove.clone();
            match before.is_committed {
                true => next.remove.extend(parts),
                // Its process may still be running.
                false => next.superseded.extend(parts),
            }
            let parts = &next.parts;
            let is_own = |name: &String| parts.iter().any(|(part, _)| part == name);
            next.remove.retain(|name| !is_own(name));
            next.superseded.retain(|name| !is_own(name));
        }
        next
    }
}

/// Returns the name of a file in the store. Names of other generations differ, so that a process
/// that deletes or writes files of an earlier one does no harm.
fn stored(part: &str, generation: u64) -> String {
    format!("{}.{generation}.parquet", part.strip_suffix(".parquet").unwrap_or(part))
}

fn parsed(name: &dyn std::fmt::Display, bytes: Vec<u8>) -> Result<Commit, Error> {
    Commit::read(bytes).map_err(|error| Error::new(ErrorKind::Input, format!("{name}: {error}")))
}

/// Adds the trace with the id `trace`, which is in the local dataset `folder`, to the dataset at
/// `url`. [`fetch`](super::fetch) has prepared `folder`.
///
/// # Errors
/// The store cannot be reached, or another process has added the same trace with other contents at
/// the same time.
pub async fn publish(url: &str, folder: &Path, trace: &str) -> Result<Published, Error> {
    let store = Store::connect(url)?;
    if !settings::register(&store, folder).await? {
        return Ok(Published::OtherColumns);
    }
    let local = Local::read(folder, trace)?;
    let name = format!("traces/{trace}.parquet");
    let object = format!("{}/{name}", store.name);
    let row = |commit: &Commit| {
        commit.write().map_err(|error| Error::new(ErrorKind::Input, format!("{object}: {error}")))
    };
    let mut is_first = true;
    for _ in 0..MAX_ATTEMPTS {
        let found = store.read(&name).await?;
        let before = found.as_ref().map(|found| parsed(&object, found.bytes.clone())).transpose()?;
        let same = before.as_ref().filter(|before| before.content == local.row.content);
        if let Some(same) = same.filter(|same| same.is_committed) {
            delete(&store, &same.superseded).await?;
            return Ok(if is_first { Published::Unchanged } else { Published::Changed });
        }
        // Publishing the same contents at the same time is the same work, which anyone can complete.
        let (pending, version) = match (same, found.as_ref().map(|found| &found.version)) {
            (Some(same), Some(version)) => (same.clone(), Some(version.clone())),
            (_, version) => {
                let pending = local.after(before.as_ref());
                let version = store.replace(&name, row(&pending)?, version).await?;
                (pending, version)
            }
        };
        is_first = false;
        let Some(version) = version else { continue };
        let upload =
            Upload { store: &store, name: &name, version: &version, checked: Mutex::new(Instant::now()) };
        let is_uploaded = upload.run(&local, &pending, same.is_some()).await?;
        if is_uploaded {
            delete(&store, &pending.remove).await?;
            delete(&store, &pending.superseded).await?;
            let committed = Commit {
                is_committed: true,
                row: local.row.row.clone(),
                remove: Vec::new(),
                ..pending.clone()
            };
            if store.replace(&name, row(&committed)?, Some(&version)).await?.is_some() {
                return Ok(Published::Changed);
            }
        }
        // Another process has replaced the object.
        let now = store.read(&name).await?;
        let now = now.map(|now| parsed(&object, now.bytes)).transpose()?;
        let is_ours = now.as_ref().is_some_and(|now| now.generation == pending.generation);
        if !is_ours {
            let parts: Vec<String> = pending.parts.iter().map(|(part, _)| part.clone()).collect();
            delete(&store, &parts).await?;
        }
        if now.is_some_and(|now| now.content != local.row.content) {
            break;
        }
    }
    let message = format!("{}: another process has added trace {trace} with other contents", store.name);
    Err(Error::new(ErrorKind::System, message)
        .help("repeat this command if its trace is the newer one, or its options are the right ones"))
}

/// The upload of the files of a trace.
struct Upload<'u> {
    store: &'u Store,
    /// The object of the trace, and its version.
    name: &'u str,
    version: &'u UpdateVersion,
    /// When the version was last checked.
    checked: Mutex<Instant>,
}

impl Upload<'_> {
    /// Uploads all files. Returns false if another process has replaced the object of the trace.
    async fn run(&self, local: &Local, pending: &Commit, is_repeated: bool) -> Result<bool, Error> {
        let files = local.files.iter().zip(&pending.parts);
        let uploads = files.map(|((part, size), (stored, _))| async move {
            if is_repeated && self.has(stored, *size).await? {
                return Ok(true);
            }
            let is_current = self.is_current().await?;
            if is_current {
                self.put(&local.folder.join(part), stored, *size).await?;
            }
            Ok::<_, Error>(is_current)
        });
        let mut uploads = stream::iter(uploads).buffer_unordered(CONCURRENT_UPLOADS);
        while let Some(is_uploaded) = uploads.try_next().await? {
            if !is_uploaded {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns whether a killed process has already uploaded the file.
    async fn has(&self, name: &str, size: u64) -> Result<bool, Error> {
        match self.store.objects.head(&self.store.key(name)?).await {
            Ok(found) => Ok(found.size == size),
            Err(object_store::Error::NotFound { .. }) => Ok(false),
            Err(error) => Err(self.store.failed(name, &error)),
        }
    }

    async fn is_current(&self) -> Result<bool, Error> {
        {
            let mut checked = self.checked.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            if checked.elapsed() < CHECK_INTERVAL {
                return Ok(true);
            }
            *checked = Instant::now();
        }
        match self.store.objects.head(&self.store.key(self.name)?).await {
            Ok(found) => Ok(found.e_tag == self.version.e_tag),
            Err(object_store::Error::NotFound { .. }) => Ok(false),
            Err(error) => Err(self.store.failed(self.name, &error)),
        }
    }

    async fn put(&self, path: &Path, name: &str, size: u64) -> Result<(), Error> {
        let key = self.store.key(name)?;
        let failed = |error: object_store::Error| self.store.failed(name, &error);
        let unread = |error| Error::system(path.display(), &error);
        if size <= PIECE_BYTES as u64 {
            let bytes = fs::read(path).map_err(unread)?;
            return self.store.objects.put(&key, PutPayload::from(bytes)).await.map(|_| ()).map_err(failed);
        }
        let upload = self.store.objects.put_multipart(&key).await.map_err(failed)?;
        let mut writer = WriteMultipart::new_with_chunk_size(upload, PIECE_BYTES);
        let mut file = File::open(path).map_err(unread)?;
        let mut buffer = vec![0; 1 << 20];
        loop {
            let count = file.read(&mut buffer).map_err(unread)?;
            if count == 0 {
                break;
            }
            writer.wait_for_capacity(CONCURRENT_UPLOADS).await.map_err(failed)?;
            writer.write(&buffer[..count]);
        }
        writer.finish().await.map(|_| ()).map_err(failed)
    }
}

/// Deletes files, which may be missing.
async fn delete(store: &Store, names: &[String]) -> Result<(), Error> {
    let keys = names.iter().map(|name| store.key(name)).collect::<Result<Vec<_>, _>>()?;
    let mut deleted = store.objects.delete_stream(stream::iter(keys.into_iter().map(Ok)).boxed());
    loop {
        match deleted.try_next().await {
            Ok(None) => return Ok(()),
            Ok(Some(_)) | Err(object_store::Error::NotFound { .. }) => {}
            Err(error) => return Err(store.failed("", &error)),
        }
    }
}
