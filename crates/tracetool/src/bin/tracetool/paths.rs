//! File names in generated code: relative to the current directory.

use std::path::{Component, Path, PathBuf};

/// Returns `path` relative to `folder`, normalised: `../qemu/trace-events`. It does not access the
/// file system, so links are not resolved.
pub fn relative(path: &Path, folder: &Path) -> String {
    let (path, folder) = (without_detours(&folder.join(path)), without_detours(folder));
    let shared = path.components().zip(folder.components()).take_while(|(one, other)| one == other).count();
    let up = folder.components().skip(shared).map(|_| Component::ParentDir);
    let relative: PathBuf = up.chain(path.components().skip(shared)).collect();
    relative.display().to_string()
}

/// Removes `.` and `..` from an absolute path.
fn without_detours(path: &Path) -> PathBuf {
    let mut straight = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            // The parent of the root is the root.
            Component::ParentDir => _ = straight.pop(),
            other => straight.push(other),
        }
    }
    straight
}

#[cfg(test)]
mod tests {
    use super::relative;

    #[test]
    fn paths_are_those_from_the_current_folder() {
        for (path, folder, expected) in [
            ("trace/trace-root.h", "/build", "trace/trace-root.h"),
            ("./a//b/../c", "/build", "a/c"),
            ("/build/trace.h", "/build", "trace.h"),
            ("/qemu/hw/trace-events", "/build", "../qemu/hw/trace-events"),
            ("/build-2/x", "/build", "../build-2/x"),
            ("../build/x", "/build", "x"),
            ("../../../x", "/build", "../x"),
            ("/x", "/", "x"),
            ("x", "/a/../b", "x"),
        ] {
            assert_eq!(relative(path.as_ref(), folder.as_ref()), expected, "{path} from {folder}");
        }
    }
}
