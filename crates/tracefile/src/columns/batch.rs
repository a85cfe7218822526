//! Batches of rows, stored as columns.

use std::sync::Arc;

use super::buffer::{Bitmap, Strings};
use super::table::Table;

/// The type of a column's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DataType {
    /// A bit.
    Bool,
    /// A signed integer of 8 bits.
    Int8,
    /// A signed integer of 16 bits.
    Int16,
    /// A signed integer of 32 bits.
    Int32,
    /// A signed integer of 64 bits.
    Int64,
    /// An unsigned integer of 8 bits.
    UInt8,
    /// An unsigned integer of 16 bits.
    UInt16,
    /// An unsigned integer of 32 bits.
    UInt32,
    /// An unsigned integer of 64 bits: also pointers and values of unknown types.
    UInt64,
    /// A floating-point number of 64 bits.
    Float64,
    /// A string. Bytes that are not UTF-8 are escaped by [`utf8`](super::utf8()).
    Utf8,
    /// A string that often occurs again, as an unsigned key of 32 bits.
    Dictionary,
}

impl DataType {
    /// Returns the type's name in lower case.
    pub fn name(self) -> &'static str {
        match self {
            DataType::Bool => "bool",
            DataType::Int8 => "int8",
            DataType::Int16 => "int16",
            DataType::Int32 => "int32",
            DataType::Int64 => "int64",
            DataType::UInt8 => "uint8",
            DataType::UInt16 => "uint16",
            DataType::UInt32 => "uint32",
            DataType::UInt64 => "uint64",
            DataType::Float64 => "float64",
            DataType::Utf8 => "utf8",
            DataType::Dictionary => "dictionary",
        }
    }

    /// Returns the number of bytes that a value takes, without the bytes of strings.
    pub(super) fn bytes(self) -> usize {
        match self {
            DataType::Bool | DataType::Int8 | DataType::UInt8 => 1,
            DataType::Int16 | DataType::UInt16 => 2,
            DataType::Int32 | DataType::UInt32 | DataType::Utf8 | DataType::Dictionary => 4,
            DataType::Int64 | DataType::UInt64 | DataType::Float64 => 8,
        }
    }
}

/// The values of a column. A null has a value, too, which has no meaning.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "see `DataType`")]
pub enum Values {
    Bool(Bitmap),
    Int8(Vec<i8>),
    Int16(Vec<i16>),
    Int32(Vec<i32>),
    Int64(Vec<i64>),
    UInt8(Vec<u8>),
    UInt16(Vec<u16>),
    UInt32(Vec<u32>),
    UInt64(Vec<u64>),
    Float64(Vec<f64>),
    Utf8(Strings),
    /// Keys, which are indices of the strings.
    Dictionary(Vec<u32>, Arc<Strings>),
}

/// Evaluates an expression for the vector of any variant except strings and bits.
macro_rules! for_vector {
    ($values:expr, $vector:ident => $vectors:expr, $bits:ident => $bitmap:expr, $text:ident => $strings:expr) => {
        match $values {
            Values::Int8($vector) => $vectors,
            Values::Int16($vector) => $vectors,
            Values::Int32($vector) => $vectors,
            Values::Int64($vector) => $vectors,
            Values::UInt8($vector) => $vectors,
            Values::UInt16($vector) => $vectors,
            Values::UInt32($vector) | Values::Dictionary($vector, _) => $vectors,
            Values::UInt64($vector) => $vectors,
            Values::Float64($vector) => $vectors,
            Values::Bool($bits) => $bitmap,
            Values::Utf8($text) => $strings,
        }
    };
}

/// A column of a batch.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    values: Values,
    validity: Option<Bitmap>,
}

impl Column {
    pub(super) fn new(data_type: DataType) -> Column {
        let values = match data_type {
            DataType::Bool => Values::Bool(Bitmap::default()),
            DataType::Int8 => Values::Int8(Vec::new()),
            DataType::Int16 => Values::Int16(Vec::new()),
            DataType::Int32 => Values::Int32(Vec::new()),
            DataType::Int64 => Values::Int64(Vec::new()),
            DataType::UInt8 => Values::UInt8(Vec::new()),
            DataType::UInt16 => Values::UInt16(Vec::new()),
            DataType::UInt32 => Values::UInt32(Vec::new()),
            DataType::UInt64 => Values::UInt64(Vec::new()),
            DataType::Float64 => Values::Float64(Vec::new()),
            DataType::Utf8 => Values::Utf8(Strings::default()),
            DataType::Dictionary => Values::Dictionary(Vec::new(), Arc::default()),
        };
        Column { values, validity: None }
    }

    /// Returns the values.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// Returns a bitmap in which the bits of nulls are 0, or `None` if there are no nulls.
    pub fn validity(&self) -> Option<&Bitmap> {
        self.validity.as_ref()
    }

    /// Converts the column to its values, and the bitmap for nulls.
    pub fn into_parts(self) -> (Values, Option<Bitmap>) {
        (self.values, self.validity)
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        for_vector!(&self.values, vector => vector.len(), bits => bits.len(), text => text.len())
    }

    /// Returns whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of nulls.
    pub fn null_count(&self) -> usize {
        self.validity.as_ref().map_or(0, Bitmap::count_zeros)
    }

    /// Returns whether the value of row `index` is null.
    pub fn is_null(&self, index: usize) -> bool {
        self.validity.as_ref().is_some_and(|validity| !validity.get(index))
    }

    /// Returns the string of row `index`, or `None` if it is null or not a string.
    pub fn text(&self, index: usize) -> Option<&str> {
        match &self.values {
            _ if self.is_null(index) => None,
            Values::Utf8(strings) => Some(strings.get(index)),
            Values::Dictionary(keys, strings) => Some(strings.get(*keys.get(index)? as usize)),
            _ => None,
        }
    }

    /// Returns the value of a row as text.
    #[cfg(test)]
    pub(super) fn cell(&self, row: usize) -> String {
        match (&self.values, self.text(row)) {
            _ if self.is_null(row) => "null".to_owned(),
            (_, Some(text)) => format!("{text:?}"),
            (values, _) => for_vector!(
                values,
                vector => vector[row].to_string(),
                bits => bits.get(row).to_string(),
                text => text.get(row).to_owned()
            ),
        }
    }

    pub(super) fn clear(&mut self) {
        self.validity = None;
        for_vector!(&mut self.values, vector => vector.clear(), bits => bits.clear(), text => text.clear());
    }

    pub(super) fn values_mut(&mut self) -> &mut Values {
        &mut self.values
    }

    /// Returns a column with the values of the rows at these indices.
    fn select(&self, rows: &[u32]) -> Column {
        macro_rules! select {
            ($values:expr) => {
                rows.iter().map(|&row| $values[row as usize]).collect()
            };
        }
        let indices = rows.iter().map(|&row| row as usize);
        let values = match &self.values {
            Values::Bool(bits) => Values::Bool(indices.clone().map(|row| bits.get(row)).collect()),
            Values::Int8(values) => Values::Int8(select!(values)),
            Values::Int16(values) => Values::Int16(select!(values)),
            Values::Int32(values) => Values::Int32(select!(values)),
            Values::Int64(values) => Values::Int64(select!(values)),
            Values::UInt8(values) => Values::UInt8(select!(values)),
            Values::UInt16(values) => Values::UInt16(select!(values)),
            Values::UInt32(values) => Values::UInt32(select!(values)),
            Values::UInt64(values) => Values::UInt64(select!(values)),
            Values::Float64(values) => Values::Float64(select!(values)),
            Values::Utf8(strings) => Values::Utf8(indices.clone().map(|row| strings.get(row)).collect()),
            Values::Dictionary(keys, strings) => Values::Dictionary(select!(keys), Arc::clone(strings)),
        };
        let validity = self.validity.as_ref();
        let validity: Option<Bitmap> =
            validity.map(|validity| indices.map(|row| validity.get(row)).collect());
        Column { values, validity: validity.filter(|validity| validity.count_zeros() > 0) }
    }

    /// Marks `count` further values as valid, or as nulls.
    fn mark(&mut self, is_valid: bool, count: usize) {
        if self.validity.is_none() && is_valid {
            return;
        }
        let rows = self.len();
        let validity = self.validity.get_or_insert_with(|| {
            let mut validity = Bitmap::default();
            validity.push_run(true, rows);
            validity
        });
        validity.push_run(is_valid, count);
    }

    /// Marks `count` values as valid that are about to be appended to the vector of values.
    #[inline(always)]
    pub(super) fn will_grow(&mut self, count: usize) {
        if self.validity.is_some() {
            self.mark(true, count);
        }
    }

    pub(super) fn push_nulls(&mut self, count: usize) {
        if count == 0 {
            return;
        }
        self.mark(false, count);
        for_vector!(
            &mut self.values,
            vector => vector.resize(vector.len() + count, Default::default()),
            bits => bits.push_run(false, count),
            text => (0..count).for_each(|_| text.push(""))
        );
    }

    /// Appends an integer, converted to the type of the column.
    #[inline]
    pub(super) fn push_bits(&mut self, bits: u64) {
        self.will_grow(1);
        match &mut self.values {
            Values::Bool(values) => values.push(bits != 0),
            Values::Int8(values) => values.push(bits as i8),
            Values::Int16(values) => values.push(bits as i16),
            Values::Int32(values) => values.push(bits as i32),
            Values::Int64(values) => values.push(bits as i64),
            Values::UInt8(values) => values.push(bits as u8),
            Values::UInt16(values) => values.push(bits as u16),
            Values::UInt32(values) => values.push(bits as u32),
            Values::UInt64(values) => values.push(bits),
            Values::Float64(values) => values.push(f64::from_bits(bits)),
            Values::Dictionary(keys, _) => keys.push(bits as u32),
            // Columns of strings get only strings.
            Values::Utf8(values) => values.push(""),
        }
    }

    /// Appends integers, converted to the type of the column. `key` converts those of a dictionary to keys.
    pub(super) fn extend(&mut self, words: impl ExactSizeIterator<Item = u64>, key: impl FnMut(u64) -> u32) {
        self.will_grow(words.len());
        match &mut self.values {
            Values::Bool(values) => words.for_each(|bits| values.push(bits != 0)),
            Values::Int8(values) => values.extend(words.map(|bits| bits as i8)),
            Values::Int16(values) => values.extend(words.map(|bits| bits as i16)),
            Values::Int32(values) => values.extend(words.map(|bits| bits as i32)),
            Values::Int64(values) => values.extend(words.map(|bits| bits as i64)),
            Values::UInt8(values) => values.extend(words.map(|bits| bits as u8)),
            Values::UInt16(values) => values.extend(words.map(|bits| bits as u16)),
            Values::UInt32(values) => values.extend(words.map(|bits| bits as u32)),
            Values::UInt64(values) => values.extend(words),
            Values::Float64(values) => values.extend(words.map(f64::from_bits)),
            Values::Dictionary(keys, _) => keys.extend(words.map(key)),
            // Columns of strings get only strings.
            Values::Utf8(values) => words.for_each(|_| values.push("")),
        }
    }

    /// Appends nulls until there are `row` rows, and then an integer.
    #[inline]
    pub(super) fn push_at(&mut self, row: usize, bits: u64) {
        // Mostly, there are no nulls.
        match &mut self.values {
            Values::UInt64(values) if values.len() == row && self.validity.is_none() => values.push(bits),
            Values::Int64(values) if values.len() == row && self.validity.is_none() => {
                values.push(bits.cast_signed());
            }
            _ => {
                self.pad(row);
                self.push_bits(bits);
            }
        }
    }

    /// Appends an integer, or a null.
    #[inline]
    pub(super) fn push_number(&mut self, number: Option<u64>) {
        // Mostly, there are no nulls.
        match (number, &mut self.values) {
            (Some(bits), Values::Int64(values)) if self.validity.is_none() => values.push(bits.cast_signed()),
            (Some(bits), Values::Dictionary(keys, _)) if self.validity.is_none() => keys.push(bits as u32),
            (Some(bits), _) => self.push_bits(bits),
            (None, _) => self.push_nulls(1),
        }
    }

    /// Appends `count` times the same integer, or nulls.
    pub(super) fn push_run(&mut self, number: Option<u32>, count: usize) {
        let Some(number) = number else { return self.push_nulls(count) };
        self.will_grow(count);
        match &mut self.values {
            Values::UInt32(values) | Values::Dictionary(values, _) => {
                values.resize(values.len() + count, number);
            }
            _ => (0..count).for_each(|_| self.push_bits(number.into())),
        }
    }

    pub(super) fn push_text(&mut self, text: &str) {
        self.will_grow(1);
        if let Values::Utf8(values) = &mut self.values {
            values.push(text);
        }
    }

    /// Appends the rows of `other`, a column of the same type. Keys must mean the same in both, so that the
    /// larger dictionary is that of all rows.
    pub(super) fn append(&mut self, other: &Column) {
        match &other.validity {
            None => self.will_grow(other.len()),
            Some(validity) => {
                // Create the bitmap if there is none.
                self.mark(false, 0);
                if let Some(all) = &mut self.validity {
                    all.extend(validity);
                }
            }
        }
        match (&mut self.values, &other.values) {
            (Values::Bool(all), Values::Bool(values)) => all.extend(values),
            (Values::Int8(all), Values::Int8(values)) => all.extend_from_slice(values),
            (Values::Int16(all), Values::Int16(values)) => all.extend_from_slice(values),
            (Values::Int32(all), Values::Int32(values)) => all.extend_from_slice(values),
            (Values::Int64(all), Values::Int64(values)) => all.extend_from_slice(values),
            (Values::UInt8(all), Values::UInt8(values)) => all.extend_from_slice(values),
            (Values::UInt16(all), Values::UInt16(values)) => all.extend_from_slice(values),
            (Values::UInt32(all), Values::UInt32(values)) => all.extend_from_slice(values),
            (Values::UInt64(all), Values::UInt64(values)) => all.extend_from_slice(values),
            (Values::Float64(all), Values::Float64(values)) => all.extend_from_slice(values),
            (Values::Utf8(all), Values::Utf8(values)) => all.extend(values),
            (Values::Dictionary(all, names), Values::Dictionary(keys, others)) => {
                all.extend_from_slice(keys);
                if others.len() > names.len() {
                    *names = Arc::clone(others);
                }
            }
            _ => {}
        }
    }

    /// Returns whether the values have the same type as those of `other`.
    pub(super) fn is_like(&self, other: &Column) -> bool {
        std::mem::discriminant(&self.values) == std::mem::discriminant(&other.values)
    }

    /// Returns the total length of the strings, except those of a dictionary.
    fn text_bytes(&self) -> usize {
        if let Values::Utf8(strings) = &self.values { strings.as_bytes().len() } else { 0 }
    }

    /// Appends nulls until there are `rows` rows.
    pub(super) fn pad(&mut self, rows: usize) {
        self.push_nulls(rows.saturating_sub(self.len()));
    }
}

/// Rows of a table, stored as columns.
///
/// A sink borrows the batch. It can take the columns with [`std::mem::take`]; the memory of the
/// columns that it leaves is used for the next batch.
#[derive(Debug, Clone, Default)]
pub struct Batch {
    /// The table. A table's columns can change from one batch to another only for spans, if the
    /// trace declares an event late.
    pub table: Arc<Table>,
    /// The number of rows.
    pub rows: usize,
    /// The columns, in the order of the table's fields.
    pub columns: Vec<Column>,
}

impl Batch {
    /// Returns the total length of the strings, except those of dictionaries.
    pub(super) fn text_bytes(&self) -> usize {
        self.columns.iter().map(Column::text_bytes).sum()
    }

    /// Appends the rows of `other`, a batch of the same table.
    pub(super) fn append(&mut self, other: &Batch) {
        for (column, other) in self.columns.iter_mut().zip(&other.columns) {
            column.append(other);
        }
        self.rows += other.rows;
    }

    /// Removes all rows. The memory stays.
    pub(super) fn clear(&mut self) {
        self.columns.iter_mut().for_each(Column::clear);
        self.rows = 0;
    }

    /// Returns the column `name`.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.get(self.table.field(name)?)
    }

    /// Returns a batch with the rows at these indices, in this order.
    ///
    /// # Panics
    /// Panics if there is no such row.
    pub fn select(&self, rows: &[u32]) -> Batch {
        let columns = self.columns.iter().map(|column| column.select(rows)).collect();
        Batch { table: Arc::clone(&self.table), rows: rows.len(), columns }
    }
}
