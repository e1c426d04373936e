//! The largest size that each competitor manages within the limits.

use std::fmt::Write;

use crate::table::{Row, name};

/// How far a competitor came in a variant.
pub struct Reach {
    /// `two_phase, drop`
    pub model: String,
    /// Who.
    pub competitor: String,
    /// The largest size with an answer.
    pub size: Option<u32>,
    /// Whether the next size was tried and was too much. If not, the competitor may go further.
    pub failed_next: bool,
}

/// How far everybody came, in the order of the rows.
pub fn reaches(rows: &[Row]) -> Vec<Reach> {
    let mut found: Vec<Reach> = Vec::new();
    for row in rows {
        let model = name(row.instance);
        let at = found
            .iter()
            .position(|r| r.model == model && r.competitor == row.who.name);
        let at = at.unwrap_or_else(|| {
            found.push(Reach {
                model,
                competitor: row.who.name.clone(),
                size: None,
                failed_next: false,
            });
            found.len() - 1
        });
        match row.measured.answer.is_over() {
            true => found[at].failed_next = true,
            false => found[at].size = Some(row.instance.size),
        }
    }
    found
}

/// A line for each model, a column for each competitor. `>=` where the sizes ended before the limits did.
pub fn text(rows: &[Row]) -> String {
    let reaches = reaches(rows);
    let mut competitors: Vec<&str> = Vec::new();
    let mut models: Vec<&str> = Vec::new();
    for reach in &reaches {
        if !competitors.contains(&reach.competitor.as_str()) {
            competitors.push(&reach.competitor);
        }
        if !models.contains(&reach.model.as_str()) {
            models.push(&reach.model);
        }
    }
    let mut text = format!("{:<20}", "");
    for competitor in &competitors {
        let _ = write!(text, " {competitor:>17}");
    }
    text.push('\n');
    for model in models {
        let _ = write!(text, "{model:<20}");
        for competitor in &competitors {
            let reach = reaches
                .iter()
                .find(|r| r.model == model && r.competitor == *competitor);
            let cell = match reach {
                None => "-".to_string(),
                Some(Reach { size: None, .. }) => "none".to_string(),
                Some(Reach {
                    size: Some(size),
                    failed_next,
                    ..
                }) => match failed_next {
                    true => size.to_string(),
                    false => format!(">={size}"),
                },
            };
            let _ = write!(text, " {cell:>17}");
        }
        text.push('\n');
    }
    text
}
