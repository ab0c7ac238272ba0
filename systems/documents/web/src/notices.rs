//! The notices of these pages.

use hansang_ui::notice::Notice;

pub(crate) const ALL: &[Notice] = &[];
