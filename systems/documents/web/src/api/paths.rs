//! The parameters in paths.

use hansang_core::message;
use hansang_documents::StepName;
use hansang_http::route::{Described, path_parameter};
use serde_json::json;

use crate::messages as api;

/// The parameters in a path, by their names.
pub(super) fn parameters(path: &str) -> Vec<Described> {
    let one = |name: &str| match name {
        "name" if path.starts_with("steps/") => {
            let schema = json!({ "enum": StepName::ALL.map(StepName::name) });
            path_parameter(name, schema, message!(api::STEP_NAME))
        }
        "name" => {
            let schema = json!({ "type": "string", "minLength": 1, "maxLength": 255 });
            path_parameter(name, schema, message!(api::FILE_NAME))
        }
        "segment_index" => path_parameter(
            name,
            json!({ "type": "string", "pattern": "^[0-9]{1,20}$" }),
            message!(api::INDEX),
        ),
        "file_version" => {
            let schema = json!({ "type": "integer", "minimum": 1, "maximum": 999_999 });
            path_parameter(name, schema, message!(api::FILE_VERSION))
        }
        _ => path_parameter(
            name,
            json!({ "type": "string", "minLength": 1, "maxLength": 64 }),
            message!(api::ID),
        ),
    };
    let names = path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    names.map(one).collect()
}
