//! Spark runs the scripts in `examples/fleet`, and gives the expected results. `cargo xtask check --all`
//! installs Spark; starting it takes long, so other runs skip this test.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "allowed in tests, but clippy also checks their helpers"
)]
#![allow(clippy::disallowed_methods, reason = "tests may read the environment")]
#![allow(clippy::print_stderr, reason = "tests report that they are skipped")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// The variable with the folder of PySpark, which `xtask/src/fleet.rs` sets.
const VARIABLE: &str = "RINGTRACE_SPARK";

/// A folder with the dataset `fleet`, and links to the folders that commands in documents name.
struct Place {
    spark: PathBuf,
    folder: tempfile::TempDir,
}

impl Place {
    /// Returns `None` if Spark is not installed.
    fn new() -> Option<Place> {
        let Some(spark) = std::env::var_os(VARIABLE).map(PathBuf::from) else {
            eprintln!("SKIPPED: no Spark (cargo xtask check --all)");
            return None;
        };
        let folder = tempfile::tempdir().unwrap();
        for name in ["testdata", "examples"] {
            std::os::unix::fs::symlink(root().join(name), folder.path().join(name)).unwrap();
        }
        Some(Place { spark, folder })
    }

    /// Runs a shell command that starts `spark-submit`. Returns its output.
    fn run(&self, line: &str) -> String {
        let tool = Path::new(env!("CARGO_BIN_EXE_ringtrace")).parent().unwrap();
        let path = std::env::var_os("PATH").unwrap_or_default();
        let first = [self.spark.join("deps/bin"), tool.to_owned()];
        let path = std::env::join_paths(first.into_iter().chain(std::env::split_paths(&path))).unwrap();
        let libraries = fs::read_dir(self.spark.join("lib")).unwrap().map(|entry| entry.unwrap().path());
        let libraries = libraries.filter(|path| path.to_string_lossy().contains("py4j"));
        let libraries = std::env::join_paths([self.spark.clone()].into_iter().chain(libraries)).unwrap();
        let mut shell = Command::new("bash");
        shell.args(["-c", line]).current_dir(self.folder.path()).stdin(Stdio::null());
        shell.env("PATH", path).env("PYTHONPATH", libraries).env("SPARK_HOME", self.spark.join("deps"));
        shell.env("PYSPARK_PYTHON", "python3").env("SPARK_LOCAL_IP", "127.0.0.1").env("LC_ALL", "C.UTF-8");
        // Two threads are enough for small tables, and so are few partitions.
        shell.env("PYSPARK_SUBMIT_ARGS", "").env("SPARK_CONF_DIR", self.configuration());
        let Output { status, stdout, stderr } = shell.output().unwrap();
        let said = String::from_utf8_lossy(&stderr);
        assert!(status.success(), "{line}: {status}\n{said}");
        String::from_utf8(stdout).unwrap()
    }

    fn configuration(&self) -> PathBuf {
        let folder = self.folder.path().join("conf");
        fs::create_dir_all(&folder).unwrap();
        let settings = "spark.master local[2]\nspark.ui.enabled false\nspark.sql.shuffle.partitions 2\n";
        fs::write(folder.join("spark-defaults.conf"), settings).unwrap();
        folder
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Returns the expected results of the queries in `testdata/queries`.
fn expected() -> BTreeMap<String, Value> {
    let files = fs::read_dir(root().join("testdata/queries")).unwrap().map(|entry| entry.unwrap().path());
    let files = files.filter(|path| path.extension().is_some_and(|extension| extension == "json"));
    let name = |path: &Path| path.file_stem().unwrap().to_string_lossy().into_owned();
    files.map(|path| (name(&path), serde_json::from_slice(&fs::read(&path).unwrap()).unwrap())).collect()
}

/// The commands of `docs/fleet.md` ingest and query the fleet, and so do the twelve queries.
#[test]
fn spark_ingests_and_answers_the_queries() {
    let Some(place) = Place::new() else { return };
    let document = include_str!("../../../docs/fleet.md");
    let blocks = document.split("```spark\n").skip(1).map(|block| block.split("```").next().unwrap());
    let commands: Vec<&str> = blocks.flat_map(str::lines).collect();
    assert_eq!(commands.len(), 2, "{commands:?}");
    let ingested = place.run(commands[0]);
    assert_eq!(ingested.lines().filter(|line| line.contains(", as trace ")).count(), 4, "{ingested}");
    let shown = place.run(commands[1]);
    assert!(shown.contains("|alpha|") && shown.contains("|p50_ns"), "{shown}");

    // Merged files have the rows of the others.
    let compacted = place.run("ringtrace compact-dataset fleet");
    assert!(compacted.starts_with("before: 35 files, "), "{compacted}");
    let all = "spark-submit examples/fleet/query.py --json fleet testdata/queries/*.sql";
    let results: BTreeMap<String, Value> = serde_json::from_str(&place.run(all)).unwrap();
    assert_eq!(results.len(), 12);
    for (name, rows) in expected() {
        assert_eq!(results[&name], rows, "{name}");
    }
}

/// In a dataset with `--signed`, unsigned integers have the same bits, and BIGINT instead of DECIMAL.
#[test]
fn spark_reads_signed_integers() {
    let Some(place) = Place::new() else { return };
    let ingest =
        "ringtrace ingest --signed fleet --pair disk_read:disk_done:req testdata/queries/traces/*.trace";
    place.run(ingest);
    fs::write(
        place.folder.path().join("types.sql"),
        "SELECT typeof(req), typeof(token), CAST(min(token) AS STRING) FROM disk_read r JOIN ticket t USING (trace, tid) GROUP BY 1, 2",
    )
    .unwrap();
    // Query 8 names a column that does not exist, because both types of `size` are stored as BIGINT.
    let all = "spark-submit examples/fleet/query.py --json fleet types.sql \
               $(ls testdata/queries/*.sql | grep -v -e 08 -e 09)";
    let results: BTreeMap<String, Value> = serde_json::from_str(&place.run(all)).unwrap();
    assert_eq!(results.len(), 11);
    for (name, rows) in expected() {
        if let Some(found) = results.get(&name) {
            assert_eq!(found, &rows, "{name}");
        }
    }
    let types = serde_json::json!([["bigint", "bigint", "-9223372036854775808"]]);
    assert_eq!(results["types"], types);
}
