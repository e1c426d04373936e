//! What the client can set. None of it names a file or a program: nothing here can be misused by a workspace.

use serde::Deserialize;
use serde_json::Value;

/// The settings of the engine.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Settings {
    /// How long a check may take, in seconds.
    pub timeout: f64,
    /// How many states it may find.
    pub max_states: Option<u64>,
    /// How much memory it may take for states, in MiB.
    pub max_memory: Option<u64>,
    /// How many threads it may use.
    pub threads: Option<usize>,
    /// Whether names of parameters and ranges are shown.
    pub inlay_hints: bool,
    /// Whether there are code lenses.
    pub code_lens: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            timeout: 60.0,
            max_states: None,
            max_memory: None,
            threads: None,
            inlay_hints: true,
            code_lens: true,
        }
    }
}

impl Settings {
    /// Those of a message; what is wrong there is as if it were not said.
    pub fn of(value: &Value) -> Settings {
        let value = value.get("sandal").unwrap_or(value);
        let mut known = serde_json::Map::new();
        for (key, value) in value.as_object().into_iter().flatten() {
            let mut alone = serde_json::Map::new();
            alone.insert(key.clone(), value.clone());
            let fits = serde_json::from_value::<Settings>(Value::Object(alone)).is_ok();
            if fits && !value.is_null() {
                known.insert(key.clone(), value.clone());
            }
        }
        let mut settings: Settings =
            serde_json::from_value(Value::Object(known)).unwrap_or_default();
        let sound = settings.timeout.is_finite() && settings.timeout > 0.0;
        if !sound || settings.timeout > 1e9 {
            settings.timeout = Settings::default().timeout;
        }
        settings.threads = settings
            .threads
            .filter(|threads| (1..=256).contains(threads));
        settings
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_that_are_wrong_do_not_spoil_the_others() {
        let value = serde_json::json!({
            "sandal": { "timeout": -1, "maxStates": "many", "maxMemory": 64, "threads": 0, "path": "x" }
        });
        let settings = Settings::of(&value);
        assert_eq!(settings.timeout, 60.0);
        assert_eq!((settings.max_states, settings.max_memory), (None, Some(64)));
        assert_eq!(settings.threads, None);
        assert_eq!(
            Settings::of(&serde_json::json!({ "timeout": 5 })).timeout,
            5.0
        );
        assert_eq!(Settings::of(&Value::Null).timeout, 60.0);
    }
}
