//! The file that says where the processes are: one `host:port` per line.

use std::fmt;

/// Where a process is: a host and a port.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Host {
    /// The name or address of the machine.
    pub name: String,
    /// Where it listens.
    pub port: u16,
}

/// More processes than anybody has.
const MOST: usize = 4096;

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name.contains(':') {
            true => write!(f, "[{}]:{}", self.name, self.port),
            false => write!(f, "{}:{}", self.name, self.port),
        }
    }
}

impl Host {
    fn read(line: &str) -> Result<Host, String> {
        let Some((name, port)) = line.rsplit_once(':') else {
            return Err(format!("`{line}` has no port"));
        };
        let name = match name
            .strip_prefix('[')
            .and_then(|name| name.strip_suffix(']'))
        {
            Some(name) => name,
            None if name.contains(':') => return Err(format!("`{line}` has no port")),
            None => name,
        };
        if name.is_empty() || name.contains(char::is_whitespace) {
            return Err(format!("`{line}` has no host"));
        }
        match port.parse() {
            Ok(port) if port > 0 => Ok(Host {
                name: name.to_owned(),
                port,
            }),
            _ => Err(format!("`{port}` is not a port from 1 to 65535")),
        }
    }
}

/// Reads the hosts of a file. Blank lines and what follows `#` do not count.
///
/// # Errors
/// Says which line is wrong, and why.
pub fn read(text: &str) -> Result<Vec<Host>, String> {
    let mut hosts: Vec<Host> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let wrong = |why: String| format!("line {}: {why}", index + 1);
        let host = Host::read(line).map_err(wrong)?;
        if hosts.contains(&host) {
            return Err(wrong(format!("`{host}` is there twice")));
        }
        hosts.push(host);
    }
    match hosts.len() {
        0 => Err("it names no host".to_owned()),
        1..=MOST => Ok(hosts),
        count => Err(format!("it names {count} hosts, more than {MOST}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_host_and_a_port() {
        let text = "# ours\nlocalhost:2101\n\n10.0.0.2:80 # the fast one\n[::1]:9\n";
        let hosts = read(text).expect("it is right");
        let told: Vec<String> = hosts.iter().map(Host::to_string).collect();
        assert_eq!(told, ["localhost:2101", "10.0.0.2:80", "[::1]:9"]);
        assert_eq!(hosts[2].name, "::1");
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        for (text, why) in [
            ("", "it names no host"),
            ("# nobody", "it names no host"),
            ("a:1\nb", "line 2: `b` has no port"),
            ("::1", "line 1: `::1` has no port"),
            (":7", "line 1: `:7` has no host"),
            ("a b:7", "line 1: `a b:7` has no host"),
            ("a:0", "line 1: `0` is not a port from 1 to 65535"),
            ("a:x", "line 1: `x` is not a port from 1 to 65535"),
            ("a:70000", "line 1: `70000` is not a port from 1 to 65535"),
            ("a:1\n\na:1", "line 3: `a:1` is there twice"),
        ] {
            assert_eq!(read(text).expect_err(text), why);
        }
    }
}
