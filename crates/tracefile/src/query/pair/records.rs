//! Matching records without creating entries.

use super::pairing::{Pair, Pairing};
use super::plain::{PlainRecord, PlainRole, SchemaRole};
use crate::entry::Schema;
use crate::read::visitor::OrdinaryRecords;

impl Pairing<()> {
    /// Counts the records at the start of `records`, and skips them. Passes the time of each to `counted`.
    /// Stops at the first record that must be passed to [`Pairing::count`].
    #[inline]
    pub fn count_records(&mut self, records: &mut OrdinaryRecords<'_>, counted: impl FnMut(u64)) {
        self.match_records(
            records,
            |pairs, role, record| {
                let Some(key) = role.key(record) else { return false };
                let pair = &mut pairs[role.pair as usize];
                match role.is_begin {
                    true => pair.try_begin_one(key, record.timestamp_ns, || ()),
                    false => pair.try_end_one(key, record.timestamp_ns).is_some(),
                }
            },
            counted,
        );
    }

    /// Skips the records at the start of `records` that are of no pair, and those with a plain role for which
    /// `plain` returns true. Passes the time of each to `counted`.
    #[inline(always)]
    pub(super) fn match_records(
        &mut self,
        records: &mut OrdinaryRecords<'_>,
        mut plain: impl FnMut(&mut [Pair<()>], PlainRole, &PlainRecord<'_>) -> bool,
        mut counted: impl FnMut(u64),
    ) {
        let schemas = records.schemas();
        while let Some((record, schema_index)) = records.peek() {
            let role = match self.plain_roles.get(schema_index as usize) {
                Some(SchemaRole::Unknown) | None => self.plain_role(schema_index, schemas.get(schema_index)),
                Some(&role) => role,
            };
            if matches!(role, SchemaRole::Unknown | SchemaRole::Relevant)
                || !schemas.get(schema_index).fits(record.payload)
            {
                return;
            }
            if let SchemaRole::Plain(role) = role {
                let record = PlainRecord::next(records, &record, schema_index);
                if !plain(self.pairs_mut(), role, &record) {
                    return;
                }
            }
            counted(record.timestamp_ns);
            records.skip(&record);
        }
    }

    /// Returns the role of the records of `schema`, if [`Pairing::prepare`] was called for it.
    #[cold]
    pub(super) fn plain_role(&mut self, schema_index: u32, schema: &Schema) -> SchemaRole {
        if !self.is_known(schema_index) {
            return SchemaRole::Unknown;
        }
        let role = match self.only_action(schema_index) {
            _ if !self.concerns(schema_index) => SchemaRole::Irrelevant,
            None => SchemaRole::Relevant,
            Some((pair, action, key)) => match PlainRole::new(pair, action, key, &[], schema) {
                Some(role) => SchemaRole::Plain(role),
                None => SchemaRole::Relevant,
            },
        };
        let index = schema_index as usize;
        if self.plain_roles.len() <= index {
            self.plain_roles.resize(index + 1, SchemaRole::Unknown);
        }
        self.plain_roles[index] = role;
        role
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use ringtrace_events::SourceFile;
    use ringtrace_wire::simpletrace::encode::Value;

    use super::*;
    use crate::entry::Entry;
    use crate::metadata::Metadata;
    use crate::pieces::samples::{ENCODER, open};
    use crate::query::pair::parse;
    use crate::read::visitor::{Flow, Visitor};

    const PAIRS: [&str; 5] = [
        "pair p\n  begin one a\n  end late x\n",
        "pair p\n  begin one tid\n  end late tid\n",
        "pair p\n  begin one a, pid\n  end late x, pid\n",
        "pair p\n  begin one a\n  step str n\n  end late x\n",
        "pair p\n  begin one a\n  end one a\npair q\n  begin one a\n  end late x\n",
    ];

    /// Counts records with and without entries.
    struct Counting {
        pairing: Pairing<()>,
        is_fast: bool,
        times: Vec<u64>,
    }

    impl Visitor for Counting {
        fn entry(&mut self, entry: &Entry<'_>) -> Flow {
            self.times.push(entry.timestamp_ns);
            self.pairing.count(entry, &mut ()).unwrap();
            Flow::Continue
        }

        fn fast_path(&mut self, records: &mut OrdinaryRecords<'_>) -> Flow {
            if self.is_fast {
                self.pairing.count_records(records, |timestamp_ns| self.times.push(timestamp_ns));
            }
            Flow::Continue
        }
    }

    fn count(bytes: &[u8], pairs: &str, max_open: usize, is_fast: bool) -> (Vec<String>, Vec<u64>) {
        let mut reader = open(bytes);
        let (description, diagnostics) = parse(&SourceFile::new("test.pairs", pairs));
        assert_eq!(diagnostics, []);
        let mut pairing = Pairing::new(description.pairs, max_open);
        pairing.bind(&[reader.schemas()]).unwrap();
        let mut counting = Counting { pairing, is_fast, times: Vec::new() };
        reader.for_each_mut(&mut counting).unwrap();
        let pair = |pair: &Pair<()>| {
            format!("{:?} {:?} {:?}", pair.statistics(), pair.ends_alone(), pair.oldest_open(9))
        };
        (counting.pairing.pairs().iter().map(pair).collect(), counting.times)
    }

    proptest! {
        #[test]
        fn records_are_counted_like_entries(
            records in proptest::collection::vec((0..8_u64, 0..4_u64, 0..3_u32, 0..100_u64), 0..200),
            threaded: bool,
            max_open in 1..5_usize,
        ) {
            let mut bytes = Vec::new();
            ENCODER.header(0, 0, &mut bytes);
            if threaded {
                Metadata::Version(1).encode(0, ENCODER.order, &mut bytes);
            }
            for (id, name) in (0..).zip(["none", "one", "str", "late"]) {
                ENCODER.mapping(id, name.as_bytes(), &mut bytes);
            }
            for (kind, key, pid, time) in records {
                let thread = if threaded { u64::from(pid) << 32 } else { 0 };
                let key_value = Value::Integer(key);
                let (id, values) = match kind {
                    0 => (0, vec![]),
                    1..4 => (1, vec![key_value]),
                    // Too many arguments for the declaration.
                    4 => (1, vec![key_value, key_value]),
                    5 => (2, vec![Value::Str(b"x"), key_value]),
                    _ => (3, vec![key_value]),
                };
                ENCODER.record(thread | id, time, pid, &values, &mut bytes).unwrap();
            }
            for pairs in PAIRS {
                prop_assert_eq!(count(&bytes, pairs, max_open, true), count(&bytes, pairs, max_open, false));
            }
        }
    }
}
