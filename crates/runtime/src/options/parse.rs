//! QEMU's syntax of an option string.
//!
//! ```text
//! [[enable=]PATTERN][,KEY[=VALUE]]...
//! ```
//!
//! In a value, `,,` stands for a comma.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use super::OptionItem;
use super::error::OptionsErrorKind;
use super::keys::{KEYS, Key};

/// Parses an option string. Returns its items in the order in which they take effect: `events`
/// comes last, regardless of its position.
pub(super) fn parse(text: &OsStr) -> Result<Vec<OptionItem>, OptionsErrorKind> {
    let mut parts = Vec::new();
    let mut rest = text.as_bytes();
    let mut is_first = true;
    while !rest.is_empty() {
        parts.push(take_part(&mut rest, is_first)?);
        is_first = false;
    }
    parts.sort_by_key(|(key, _)| key.name == "events");
    let mut items = Vec::new();
    for (key, value) in parts {
        items.extend((key.take)(&value)?);
    }
    give_patterns(&mut items)?;
    Ok(items)
}

/// Gives the patterns that an option enables to its other items that apply to them.
fn give_patterns(items: &mut [OptionItem]) -> Result<(), OptionsErrorKind> {
    let enabled = items.iter().filter_map(|item| match item {
        OptionItem::Switch(event) if event.switch.enable => Some(event.switch.pattern.clone()),
        _ => None,
    });
    let enabled: Vec<_> = enabled.collect();
    for item in items {
        match item {
            OptionItem::Context(part, _) if enabled.is_empty() => {
                return Err(OptionsErrorKind::WithoutPattern { key: part.name() });
            }
            OptionItem::Context(_, patterns) => patterns.clone_from(&enabled),
            _ => {}
        }
    }
    Ok(())
}

/// Removes a part and the following comma from the start of `rest`.
fn take_part(rest: &mut &[u8], is_first: bool) -> Result<(&'static Key, OsString), OptionsErrorKind> {
    let end = rest.iter().position(|byte| b"=,".contains(byte)).unwrap_or(rest.len());
    let has_value = rest.get(end) == Some(&b'=');
    if is_first && !has_value {
        return Ok((&KEYS[0], take_value(rest)));
    }
    let name = &rest[..end];
    let is_it = |key: &&Key| key.name.as_bytes() == name && (has_value || key.value.is_empty());
    let Some(key) = KEYS.iter().find(is_it) else {
        return Err(OptionsErrorKind::Parameter {
            key: String::from_utf8_lossy(name).into_owned(),
            has_value,
        });
    };
    *rest = &rest[end + usize::from(has_value)..];
    Ok((key, take_value(rest)))
}

/// Removes a value from the start of `rest`, up to a single comma.
fn take_value(rest: &mut &[u8]) -> OsString {
    let mut value = Vec::new();
    while let Some((&byte, after)) = rest.split_first() {
        *rest = after;
        if byte == b',' {
            match after.split_first() {
                Some((b',', after)) => *rest = after,
                _ => break,
            }
        }
        value.push(byte);
    }
    OsString::from_vec(value)
}
