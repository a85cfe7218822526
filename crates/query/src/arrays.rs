//! Converts columns to arrays of DataFusion's version of Arrow. Values are not copied, except those
//! of dictionaries.

use std::sync::Arc;

use datafusion::arrow::array::types::{
    ArrowPrimitiveType, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, TimestampNanosecondType,
    UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, BooleanArray, PrimitiveArray, StringArray, StringViewArray,
};
use datafusion::arrow::buffer::{BooleanBuffer, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use datafusion::arrow::compute::take;
use datafusion::arrow::datatypes::{DataType as ArrowType, TimeUnit};
use datafusion::arrow::error::ArrowError;
use ringtrace_tracefile::columns::{Bitmap, Column, DataType, Strings, Values};

/// The type of dates. Like all times, they are in UTC.
pub const DATE: ArrowType = ArrowType::Timestamp(TimeUnit::Nanosecond, None);

/// Returns the type of the arrays for columns of `data_type`.
///
/// Dictionaries become views, because most of DataFusion's operators have a fast path for these.
pub fn arrow_type(data_type: DataType) -> ArrowType {
    match data_type {
        DataType::Bool => ArrowType::Boolean,
        DataType::Int8 => ArrowType::Int8,
        DataType::Int16 => ArrowType::Int16,
        DataType::Int32 => ArrowType::Int32,
        DataType::Int64 => ArrowType::Int64,
        DataType::UInt8 => ArrowType::UInt8,
        DataType::UInt16 => ArrowType::UInt16,
        DataType::UInt32 => ArrowType::UInt32,
        DataType::UInt64 => ArrowType::UInt64,
        DataType::Float64 => ArrowType::Float64,
        DataType::Utf8 => ArrowType::Utf8,
        DataType::Dictionary => ArrowType::Utf8View,
    }
}

/// The strings of a dictionary, and the same as an array.
pub type Dictionary = Option<(Arc<Strings>, StringViewArray)>;

/// Converts a column. `dictionary` caches the dictionary of the last batch.
///
/// # Errors
/// The buffers of the column do not match each other.
pub fn array(column: Column, dictionary: &mut Dictionary) -> Result<ArrayRef, ArrowError> {
    let rows = column.len();
    let (values, validity) = column.into_parts();
    let nulls = validity.map(|bitmap| NullBuffer::new(bits(bitmap)));
    Ok(match values {
        Values::Bool(bitmap) => Arc::new(BooleanArray::new(bits(bitmap), nulls)),
        Values::Int8(values) => numbers::<Int8Type>(values, nulls)?,
        Values::Int16(values) => numbers::<Int16Type>(values, nulls)?,
        Values::Int32(values) => numbers::<Int32Type>(values, nulls)?,
        Values::Int64(values) => numbers::<Int64Type>(values, nulls)?,
        Values::UInt8(values) => numbers::<UInt8Type>(values, nulls)?,
        Values::UInt16(values) => numbers::<UInt16Type>(values, nulls)?,
        Values::UInt32(values) => numbers::<UInt32Type>(values, nulls)?,
        Values::UInt64(values) => numbers::<UInt64Type>(values, nulls)?,
        Values::Float64(values) => numbers::<Float64Type>(values, nulls)?,
        Values::Utf8(strings) => {
            let (offsets, bytes) = strings.into_parts();
            let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
            Arc::new(StringArray::try_new(offsets, Buffer::from_vec(bytes), nulls)?)
        }
        Values::Dictionary(keys, strings) => {
            let is_same = dictionary.as_ref().is_some_and(|(known, _)| Arc::ptr_eq(known, &strings));
            if !is_same {
                let views: StringViewArray = strings.iter().map(Some).collect();
                *dictionary = Some((strings, views));
            }
            match dictionary {
                Some((_, views)) if !views.is_empty() => {
                    take(views, &PrimitiveArray::<UInt32Type>::try_new(keys.into(), nulls)?, None)?
                }
                // All values are null.
                _ => datafusion::arrow::array::new_null_array(&ArrowType::Utf8View, rows),
            }
        }
    })
}

/// Converts wall-clock times in nanoseconds to dates.
pub fn dates(wall_ns: &ArrayRef) -> Option<ArrayRef> {
    let numbers = wall_ns.as_primitive_opt::<Int64Type>()?;
    Some(Arc::new(numbers.reinterpret_cast::<TimestampNanosecondType>()))
}

fn numbers<T: ArrowPrimitiveType>(
    values: Vec<T::Native>,
    nulls: Option<NullBuffer>,
) -> Result<ArrayRef, ArrowError> {
    Ok(Arc::new(PrimitiveArray::<T>::try_new(ScalarBuffer::from(values), nulls)?))
}

fn bits(bitmap: Bitmap) -> BooleanBuffer {
    let bits = bitmap.len();
    BooleanBuffer::new(Buffer::from_vec(bitmap.into_bytes()), 0, bits)
}
