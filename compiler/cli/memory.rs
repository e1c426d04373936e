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

/// Most of the memory that is free now, so that the machine stays usable: of the machine, and of the control groups (a
/// container, a service) that this process is in.
pub fn usable() -> usize {
    let machine = read("/proc/meminfo").and_then(|table| kibibytes(&table, "MemAvailable:"));
    let groups = read("/proc/self/cgroup").map(|list| left_in_groups(&list, &read));
    let free = machine.into_iter().chain(groups.flatten()).min();
    free.map_or(usize::MAX, |bytes| bytes / 10 * 8)
}

/// How much memory this process has in use, if the system tells.
pub fn resident() -> Option<usize> {
    kibibytes(&read("/proc/self/status")?, "VmRSS:")
}

fn read(path: &str) -> Option<String> {
    std::fs::read_to_string(path).ok()
}

/// The bytes that a line like `MemAvailable:   24016704 kB` stands for.
fn kibibytes(table: &str, name: &str) -> Option<usize> {
    let rest = table.lines().find_map(|line| line.strip_prefix(name))?;
    let number: usize = rest.split_whitespace().next()?.parse().ok()?;
    number.checked_mul(1024)
}

/// What the control groups in a list like that of `/proc/self/cgroup` leave, in both versions of their interface. A group
/// is limited by those around it; in a container its own path is not to be seen, but the outermost group is its own.
fn left_in_groups(list: &str, read: &dyn Fn(&str) -> Option<String>) -> Option<usize> {
    let left = |folder: &str, limit: &str, used: &str| {
        let number = |name: &str| -> Option<usize> {
            read(&format!("{folder}/{name}"))?.trim().parse().ok()
        };
        // Without a limit there is no number, or one that no machine has. Pages of files are given back when needed.
        let files = read(&format!("{folder}/memory.stat")).and_then(|table| {
            let names = ["total_inactive_file ", "inactive_file "];
            let rest = |name| table.lines().find_map(|line| line.strip_prefix(name));
            names.into_iter().find_map(rest)?.trim().parse().ok()
        });
        let used = number(used)?.saturating_sub(files.unwrap_or(0));
        Some(number(limit)?.saturating_sub(used))
    };
    let groups = list.lines().filter_map(|line| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, path) = (parts.next()?, parts.next()?);
        let (root, limit, used) = match controllers {
            "" => ("/sys/fs/cgroup", "memory.max", "memory.current"),
            list if list.split(',').any(|name| name == "memory") => (
                "/sys/fs/cgroup/memory",
                "memory.limit_in_bytes",
                "memory.usage_in_bytes",
            ),
            _ => return None,
        };
        let path = path.trim_end_matches('/');
        let around = path.match_indices('/').map(|(end, _)| &path[..end]);
        let folders = around.chain([path]).map(|path| format!("{root}{path}"));
        folders
            .filter_map(|folder| left(&folder, limit, used))
            .min()
    });
    groups.min()
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

    #[test]
    fn a_container_leaves_less_than_the_machine_has() {
        let files = |known: &'static [(&str, &str)]| {
            move |path: &str| {
                let found = known.iter().find(|(name, _)| *name == path);
                found.map(|(_, text)| (*text).to_owned())
            }
        };
        let second = files(&[
            ("/sys/fs/cgroup/memory.max", "max\n"),
            ("/sys/fs/cgroup/a/memory.max", "209715200\n"),
            ("/sys/fs/cgroup/a/memory.current", "9715200\n"),
            ("/sys/fs/cgroup/a/b/memory.max", "max\n"),
            ("/sys/fs/cgroup/a/b/memory.current", "100\n"),
        ]);
        assert_eq!(left_in_groups("0::/a/b\n", &second), Some(200_000_000));
        // Seen from inside, where the path is one of outside.
        let inside = files(&[
            ("/sys/fs/cgroup/memory.max", "5000"),
            ("/sys/fs/cgroup/memory.current", "3000"),
            (
                "/sys/fs/cgroup/memory.stat",
                "anon 1000\nfile 2000\ninactive_file 2000\n",
            ),
        ]);
        assert_eq!(left_in_groups("0::/docker/1f\n", &inside), Some(4000));
        let first = files(&[
            ("/sys/fs/cgroup/memory/x/memory.limit_in_bytes", "7000"),
            ("/sys/fs/cgroup/memory/x/memory.usage_in_bytes", "6000"),
        ]);
        let list = "5:cpu,cpuacct:/x\n4:memory:/x\n";
        assert_eq!(left_in_groups(list, &first), Some(1000));
        assert_eq!(left_in_groups("4:cpu:/x\n", &first), None);
    }

    #[test]
    fn a_process_uses_memory() {
        if cfg!(target_os = "linux") {
            let before = resident().expect("Linux tells");
            let block = vec![1u8; 64 << 20];
            let after = resident().expect("Linux tells");
            assert!(after > before + (48 << 20), "{before} {after}");
            assert_eq!(block[7], 1);
        }
    }
}
