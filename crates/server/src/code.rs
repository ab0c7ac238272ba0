//! The stable codes of the server.

use hansang_core::codes;

codes! {
    /// The codes of the server.
    pub enum ServerCode {
        FileTooLarge = "file_too_large",
        KeyMismatch = "key_mismatch",
        LineTooLong = "line_too_long",
        MalformedCall = "malformed_call",
        MalformedCsv = "malformed_csv",
        NameTaken = "name_taken",
        NoSession = "no_session",
        NotARecord = "not_a_record",
        NotUtf8 = "not_utf8",
        NothingLent = "nothing_lent",
        NothingToImport = "nothing_to_import",
        TooManyBytes = "too_many_bytes",
        TooManyKeys = "too_many_keys",
    }
}
