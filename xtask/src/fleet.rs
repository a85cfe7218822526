//! The step `fleet` of `cargo xtask check`: runs the scripts in `examples/fleet` with Spark.

use crate::check::{Outcome, failure, run_tests};
use crate::prerequisite::python::SPARK;
use crate::root;

/// Installs Spark, which has 450 MB, unless an earlier run has done so.
pub fn prepare() {
    // The step tries again, and reports the error.
    let _ = SPARK.provide(&root());
}

/// Installs Spark like [`prepare`]. Then runs the tests.
pub fn check() -> Outcome {
    if let Err(missing) = SPARK.provide(&root()) {
        return failure(missing.join("\n"));
    }
    let folder = root().join(SPARK.folder).join("pyspark-4.3.0");
    let Some(folder) = folder.to_str() else { return failure("the path is not UTF-8".to_owned()) };
    run_tests(&["--package", "ringtrace-cli", "--test", "spark"], &[("RINGTRACE_SPARK", folder)])
}
