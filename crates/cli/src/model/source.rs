//! Finds and reads model files.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use hansang_access::ACCESS_MODEL;
use hansang_core::{Model, compile, diagnostic};

use crate::systems;
use hansang_command::Failure;

/// The model files in a list of files and directories.
pub(crate) fn find(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let entries = std::fs::read_dir(path).map_err(|error| Failure::unreadable(path, &error))?;
        let mut found: Vec<PathBuf> = entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| {
                path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml")
            })
            .collect();
        if found.is_empty() {
            return Err(Failure::usage(format!("there is no .yaml file in {}", path.display())));
        }
        found.sort();
        files.extend(found);
    }
    Ok(files)
}

/// Compiles the model of a file, of a name in `./models`, or of a name that comes with Hansang.
pub(crate) fn load(model: &Path) -> Result<Model, Failure> {
    let named = Path::new("models").join(model).with_extension("yaml");
    let path = match (model.exists(), named.exists()) {
        (true, _) => model,
        (false, true) => &named,
        (false, false) => match own(model)? {
            Some(own) => return Ok(own),
            None => model,
        },
    };
    let source = std::fs::read(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => {
            let text = format!(
                "there is no model file {} and no {}, and no model with this name comes with Hansang",
                model.display(),
                named.display()
            );
            Failure::usage(text)
        }
        _ => Failure::unreadable(path, &error),
    })?;
    compile(&source).map_err(|problems| {
        let text =
            diagnostic::render(&path.display().to_string(), &String::from_utf8_lossy(&source), &problems);
        Failure::Message {
            text: format!("{} does not compile\n\n{}", path.display(), text.trim_end()),
            code: 1,
        }
    })
}

/// The model of a system, or of accounts, by its name.
fn own(name: &Path) -> Result<Option<Model>, Failure> {
    for system in systems::all() {
        let model = built_in(system.model())?;
        if name == Path::new(&*model.name) {
            return Ok(Some(model));
        }
    }
    if name == Path::new("access") { built_in(ACCESS_MODEL).map(Some) } else { Ok(None) }
}

/// Compiles a model that comes with Hansang.
pub(crate) fn built_in(text: &str) -> Result<Model, Failure> {
    compile(text.as_bytes()).map_err(|_| Failure::Message {
        text: "a model that comes with Hansang does not compile: this is a mistake in Hansang".to_owned(),
        code: 1,
    })
}

/// "there is no pattern `x`; there are a, b".
pub(crate) fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str>) -> Failure {
    let known: Vec<&str> = known.collect();
    let help = match hansang_core::nearest(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there is {}", known.join(", ")),
    };
    Failure::usage(format!("there is no {what} `{name}`: {help}"))
}
