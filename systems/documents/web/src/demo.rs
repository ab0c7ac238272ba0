//! Example data.

use hansang_command::Failure;

use crate::state::State;

/// Fills the empty table with example data.
pub(crate) async fn fill(_: &State) -> Result<(), Failure> {
    Ok(())
}
