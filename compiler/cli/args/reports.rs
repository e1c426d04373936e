//! Where further reports of a check go.

use std::path::PathBuf;

/// Files that are written besides what is printed.
#[derive(clap::Args, Clone, Default, Debug)]
#[command(next_help_heading = "Reports")]
pub struct Reports {
    /// Write a report with interactive charts to this file: one page that needs nothing else
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Write a test report in JUnit's XML: a test case per property
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,

    /// Write the violations in SARIF 2.1.0, with their runs as code flows
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,

    /// Write a sequence diagram for Mermaid: of the first violated property, or of all if FILE ends in `.md`
    #[arg(long, value_name = "FILE")]
    pub mermaid: Option<PathBuf>,

    /// Write the run of the first violated property in Apalache's trace format (ITF)
    #[arg(long, value_name = "FILE")]
    pub itf: Option<PathBuf>,
}

impl Reports {
    /// Each option with its file.
    pub fn files(&self) -> impl Iterator<Item = (&'static str, &PathBuf)> {
        let all = [
            ("--html", &self.html),
            ("--junit", &self.junit),
            ("--sarif", &self.sarif),
            ("--mermaid", &self.mermaid),
            ("--itf", &self.itf),
        ];
        all.into_iter()
            .filter_map(|(option, file)| Some((option, file.as_ref()?)))
    }
}
