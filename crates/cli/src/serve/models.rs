//! The served models: those of a directory, or the built-in ones.

use std::path::Path;

use hansang_core::Model;

use crate::model::source;
use crate::systems;
use hansang_command::Failure;

/// The name of the server's own model.
const OWN: &str = "access";

/// Compiles every served model.
pub(super) fn load(directory: Option<&Path>) -> Result<Vec<Model>, Failure> {
    let models = match directory {
        None => {
            let built_in = systems::all();
            built_in.iter().map(|system| source::built_in(system.model())).collect::<Result<Vec<_>, _>>()?
        }
        Some(directory) => {
            let files = source::find(&[directory.to_owned()])?;
            files.iter().map(|file| source::load(file)).collect::<Result<Vec<_>, _>>()?
        }
    };
    let models: Vec<Model> = models.into_iter().filter(|model| !is_own(model)).collect();
    for (place, model) in models.iter().enumerate() {
        let before = &models[..place];
        if *model.name == *OWN {
            let text =
                "a model cannot be called `access`: that is where Hansang keeps its accounts; rename it";
            return Err(Failure::usage(text));
        }
        if let Some(twin) = before.iter().find(|twin| twin.name == model.name) {
            return Err(Failure::usage(format!("two model files are called `{}`: rename one", twin.name)));
        }
        if let Some(twin) = before.iter().find(|twin| twin.table.name == model.table.name) {
            let text = format!(
                "the models `{}` and `{}` both have the table {}: give each its own",
                twin.name, model.name, model.table.name
            );
            return Err(Failure::usage(text));
        }
    }
    Ok(models)
}

/// Whether a model is the one of accounts, which is in the same directory but not served.
fn is_own(model: &Model) -> bool {
    *model.name == *OWN && model.table.name == "HansangAccess"
}
