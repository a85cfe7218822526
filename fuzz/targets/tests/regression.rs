//! Runs the fuzz targets with all seeds and past findings.

use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

use ringtrace_fuzz_targets::TARGETS;
use ringtrace_fuzz_targets::memory::Measuring;

#[global_allocator]
static ALLOCATOR: Measuring = Measuring;

/// Returns the files of `folder`, sorted by name.
fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> =
        entries.map(|entry| entry.expect("the folder can be read").path()).collect();
    files.sort();
    files
}

fn fuzz_folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

#[test]
fn seeds_and_findings_pass() {
    let mut failed = Vec::new();
    for target in TARGETS {
        for kind in ["seeds", "findings"] {
            for file in files(&fuzz_folder().join(kind).join(target.name)) {
                let data = fs::read(&file).expect("the file can be read");
                if catch_unwind(|| target.check(&data)).is_err() {
                    failed.push(file);
                }
            }
        }
    }
    assert!(failed.is_empty(), "failures (see above): {failed:#?}");
}

#[test]
fn every_target_has_small_seeds_and_every_folder_a_target() {
    for target in TARGETS {
        let seeds = files(&fuzz_folder().join("seeds").join(target.name));
        assert!(!seeds.is_empty(), "target {} has no seeds", target.name);
        for seed in seeds {
            let bytes = fs::metadata(&seed).expect("the file can be read").len();
            assert!(bytes <= 1024, "{} has {bytes} bytes; seeds must be small", seed.display());
        }
    }
    for kind in ["seeds", "findings"] {
        for folder in files(&fuzz_folder().join(kind)) {
            let known = TARGETS.iter().any(|target| folder.ends_with(target.name));
            assert!(known, "{} belongs to no target", folder.display());
        }
    }
}
