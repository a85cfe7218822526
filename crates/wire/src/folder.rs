//! The names of files in the folder of a rotated trace.
//!
//! The files are called `NNNNNNNN-YYYYMMDDTHHMMSSZ.trace`: a number that increases, also when the
//! program is started again, and the time at which the file was created, in UTC. Programs neither
//! read nor remove files with other names. Users can compress a file, which adds `.gz`, `.zst` or `.xz` to
//! its name.

use std::ops::RangeInclusive;

/// The smallest and the largest number of digits in a file's number.
const NUMBER_DIGITS: RangeInclusive<usize> = 8..=18;

/// The largest number of a file.
pub const LARGEST_NUMBER: u64 = 10u64.pow(18) - 1;

/// The form of the time in a file's name; `0` stands for any digit.
const TIME_FORM: &[u8] = b"00000000T000000Z";

const ENDING: &str = ".trace";

/// The endings that compression adds to a file's name.
pub const COMPRESSED_ENDINGS: [&str; 3] = [".gz", ".zst", ".xz"];

/// Returns the number in the name of a file that a program creates in a folder. Returns `None` for
/// other names.
pub fn number(name: &str) -> Option<u64> {
    let (number, time) = name.strip_suffix(ENDING)?.split_once('-')?;
    let is_number = NUMBER_DIGITS.contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit());
    let has_form =
        |(byte, form): (u8, &u8)| if *form == b'0' { byte.is_ascii_digit() } else { byte == *form };
    let is_time = time.len() == TIME_FORM.len() && time.bytes().zip(TIME_FORM).all(has_form);
    if is_number && is_time { number.parse().ok() } else { None }
}

/// Returns the number in the name of a file that a program created in a folder, also if the file was
/// compressed since then. Returns `None` for other names.
pub fn number_if_compressed(name: &str) -> Option<u64> {
    let plain = COMPRESSED_ENDINGS.iter().find_map(|ending| name.strip_suffix(ending));
    number(plain.unwrap_or(name))
}

#[cfg(test)]
mod tests {
    use super::{number, number_if_compressed};

    #[test]
    fn only_names_of_rotated_files_have_a_number() {
        assert_eq!(number("00000001-20261123T091500Z.trace"), Some(1));
        assert_eq!(number("123456789-20261123T091500Z.trace"), Some(123_456_789));
        for name in [
            "1-20261123T091500Z.trace",
            "00000001-20261123T091500Z.trace.gz",
            "00000001-20261123T091500Z",
            "00000001-20261123-091500Z.trace",
            "0000000a-20261123T091500Z.trace",
            "+0000001-20261123T091500Z.trace",
            "00000001.trace",
            "lock",
            "snapshot-20261123T091500Z.trace",
            "18446744073709551615-20261123T091500Z.trace",
        ] {
            assert_eq!(number(name), None, "{name}");
        }
    }

    #[test]
    fn compressed_files_keep_their_number() {
        for ending in ["", ".gz", ".zst", ".xz"] {
            let name = format!("00000007-20261123T091500Z.trace{ending}");
            assert_eq!(number_if_compressed(&name), Some(7), "{name}");
        }
        for name in ["00000007-20261123T091500Z.gz", "00000007-20261123T091500Z.trace.gz.gz", "lock.gz"] {
            assert_eq!(number_if_compressed(name), None, "{name}");
        }
    }
}
