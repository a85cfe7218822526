//! What local datasets and those in object stores have in common.

use datafusion::arrow::datatypes::DataType;

/// The file with a dataset's settings.
pub(crate) const SETTINGS: &str = "_dataset.json";

/// The schema version that this program reads.
pub(crate) const VERSION: u64 = 2;

/// Returns the type of a column, by its name in `_columns`.
pub(crate) fn data_type(name: &str) -> DataType {
    match name {
        "int64" => DataType::Int64,
        "uint64" => DataType::UInt64,
        "float64" => DataType::Float64,
        "bool" => DataType::Boolean,
        _ => DataType::Utf8,
    }
}
