//! How much memory a search may use.

use std::str::FromStr;

/// A number of bytes, written like `512M` or `4G`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size(pub usize);

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Size, String> {
        let text = text.trim();
        let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let unit = match text[number.len()..].to_ascii_uppercase().as_str() {
            "" | "B" => 1,
            "K" | "KB" | "KIB" => 1 << 10,
            "M" | "MB" | "MIB" => 1 << 20,
            "G" | "GB" | "GIB" => 1usize << 30,
            _ => return Err("write a size like 512M or 4G".to_owned()),
        };
        let number: usize = number
            .trim()
            .parse()
            .map_err(|_| "write a size like 512M or 4G")?;
        number
            .checked_mul(unit)
            .map(Size)
            .ok_or_else(|| "this is more than any machine has".to_owned())
    }
}

/// Most of the memory that is free now, so that the machine stays usable.
pub fn usable() -> usize {
    let Ok(table) = std::fs::read_to_string("/proc/meminfo") else {
        return usize::MAX;
    };
    let free = table.lines().find_map(|line| {
        let rest = line.strip_prefix("MemAvailable:")?;
        rest.split_whitespace().next()?.parse::<usize>().ok()
    });
    free.map_or(usize::MAX, |kib| kib / 10 * 8 * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        assert_eq!("512M".parse(), Ok(Size(512 << 20)));
        assert_eq!("4GiB".parse(), Ok(Size(4 << 30)));
        assert_eq!("100".parse(), Ok(Size(100)));
        for bad in ["", "M", "4X", "-1", "99999999999G"] {
            assert!(bad.parse::<Size>().is_err(), "{bad}");
        }
    }
}
