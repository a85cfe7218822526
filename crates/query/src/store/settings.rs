//! The settings of a dataset, and the types of its columns.

use std::fs;
use std::io;
use std::path::Path;

use futures::{StreamExt, TryStreamExt, stream};
use serde_json::{Map, Value, json};

use super::{CONCURRENT_REQUESTS, Store};
use crate::error::{Error, ErrorKind};
use crate::layout::{SETTINGS, VERSION};

pub(super) const COLUMNS: &str = "_columns";

/// The folder with the types of columns as they are in the store, beside a local copy.
const FETCHED: &str = "_fetched";

/// Copies the settings and the types of columns of the dataset at `url` to `folder`. If the dataset
/// does not exist, it is created, with unsigned integers stored as signed ones if `is_signed`.
///
/// # Errors
/// The store cannot be reached, or `url` contains something else.
pub async fn fetch(url: &str, folder: &Path, is_signed: bool) -> Result<(), Error> {
    let store = Store::connect(url)?;
    let settings = match store.read(SETTINGS).await? {
        Some(found) => found.bytes,
        None => create(&store, is_signed).await?,
    };
    let parsed = parse(&store, SETTINGS, &settings)?;
    check_version(&store, &parsed)?;
    if is_signed && parsed.get("signed").and_then(Value::as_bool) != Some(true) {
        let message = format!("--signed: the dataset {} was created without it", store.name);
        return Err(Error::usage(message).help("create another dataset"));
    }
    save(&folder.join(SETTINGS), &settings)?;
    let names = store.list(COLUMNS).await?;
    stream::iter(names)
        .map(|(name, _)| {
            let store = &store;
            async move {
                let Some(found) = store.read(&name).await? else { return Ok(()) };
                parse(store, &name, &found.bytes)?;
                save(&folder.join(&name), &found.bytes)?;
                save(&folder.join(FETCHED).join(&name), &found.bytes)
            }
        })
        .buffer_unordered(CONCURRENT_REQUESTS)
        .try_collect::<()>()
        .await
}

/// Creates a dataset. Returns its settings.
async fn create(store: &Store, is_signed: bool) -> Result<Vec<u8>, Error> {
    if let Some((other, _)) = store.list("").await?.first() {
        let message = format!("{} is not a dataset: it contains `{other}`, and no {SETTINGS}", store.name);
        return Err(Error::new(ErrorKind::Input, message));
    }
    let bytes = json!({ "signed": is_signed, "version": VERSION }).to_string().into_bytes();
    let created = store.replace(SETTINGS, bytes.clone(), None).await?;
    // A server that ignores the condition would let two processes overwrite each other's work.
    if created.is_some() && store.replace(SETTINGS, bytes, None).await?.is_some() {
        let message = format!(
            "{}: the store ignores the conditions of writes (If-None-Match), which datasets need",
            store.name
        );
        return Err(Error::new(ErrorKind::System, message));
    }
    match store.read(SETTINGS).await? {
        Some(found) => Ok(found.bytes),
        None => Err(Error::new(ErrorKind::System, format!("{}/{SETTINGS} was deleted", store.name))),
    }
}

pub(super) fn check_version(store: &Store, settings: &Map<String, Value>) -> Result<(), Error> {
    match settings.get("version") {
        Some(version) if version.as_u64() == Some(VERSION) => Ok(()),
        found => {
            let found = found.map_or("no version".to_owned(), |found| format!("version {found}"));
            let message = format!("{}: expected a dataset of version {VERSION}, found {found}", store.name);
            Err(Error::new(ErrorKind::Input, message))
        }
    }
}

pub(super) fn parse(store: &Store, name: &str, bytes: &[u8]) -> Result<Map<String, Value>, Error> {
    serde_json::from_slice(bytes).map_err(|error| {
        Error::new(ErrorKind::Input, format!("{}/{name}: not a JSON object: {error}", store.name))
    })
}

pub(super) fn save(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let saved = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(path, bytes));
    saved.map_err(|error| Error::system(path.display(), &error))
}

/// Registers the types of columns that were added in `folder`. Returns whether the store has the
/// same types. Otherwise another process has registered other types for the same names: `folder`
/// then contains these, and the trace must be read again.
pub(super) async fn register(store: &Store, folder: &Path) -> Result<bool, Error> {
    let mut is_same = true;
    for name in local_columns(folder).map_err(|error| Error::system(folder.display(), &error))? {
        let (path, fetched) = (folder.join(&name), folder.join(FETCHED).join(&name));
        let bytes = fs::read(&path).map_err(|error| Error::system(path.display(), &error))?;
        if fs::read(&fetched).is_ok_and(|fetched| fetched == bytes) {
            continue;
        }
        let local = parse(store, &name, &bytes)?;
        loop {
            let found = store.read(&name).await?;
            let mut known = match &found {
                Some(found) => parse(store, &name, &found.bytes)?,
                None => Map::new(),
            };
            let before = known.len();
            let is_compatible = merge(&mut known, &local);
            is_same &= is_compatible;
            let merged = Value::Object(known.clone()).to_string().into_bytes();
            let version = found.as_ref().map(|found| &found.version);
            let is_new = is_compatible && known.len() > before;
            if is_new && store.replace(&name, merged.clone(), version).await?.is_none() {
                continue;
            }
            save(&path, &merged)?;
            save(&fetched, &merged)?;
            break;
        }
    }
    Ok(is_same)
}

/// Adds the columns of `local` to `known`. If a name has another type, nothing is added.
fn merge(known: &mut Map<String, Value>, local: &Map<String, Value>) -> bool {
    let fits = |(name, kind): (&String, &Value)| {
        let same = known.iter().find(|(other, _)| other.eq_ignore_ascii_case(name));
        same.is_none_or(|(other, known)| other == name && known == kind)
    };
    let is_compatible = local.iter().all(fits);
    if is_compatible {
        known.extend(local.iter().map(|(name, kind)| (name.clone(), kind.clone())));
    }
    is_compatible
}

/// Returns the names of the files with types, relative to the dataset.
fn local_columns(folder: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for below in [COLUMNS.to_owned(), format!("{COLUMNS}/events")] {
        let entries = match fs::read_dir(folder.join(&below)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            entries => entries?,
        };
        for entry in entries {
            let name = entry?.file_name().to_string_lossy().into_owned();
            if name.ends_with(".json") {
                names.push(format!("{below}/{name}"));
            }
        }
    }
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_that_two_processes_registered_are_merged() {
        let map = |value: Value| value.as_object().unwrap().clone();
        let local = map(json!({ "size": "int64", "size__utf8": "utf8" }));
        let mut known = map(json!({ "size": "int64", "sector": "uint64" }));
        assert!(merge(&mut known, &local));
        assert_eq!(known, map(json!({ "size": "int64", "sector": "uint64", "size__utf8": "utf8" })));
        for other in [json!({ "size": "utf8" }), json!({ "Size": "int64" })] {
            let mut known = map(other.clone());
            assert!(!merge(&mut known, &local));
            assert_eq!(known, map(other));
        }
    }
}
