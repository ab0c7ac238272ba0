//! The stable codes of access control.

use hansang_core::codes;

codes! {
    /// The codes of access control.
    pub enum AccessCode {
        AccountNotFound = "account_not_found",
        AlreadySetUp = "already_set_up",
        BeyondOwnGrants = "beyond_own_grants",
        Busy = "busy",
        HashingFailed = "hashing_failed",
        IdentityProviderUnavailable = "identity_provider_unavailable",
        InvalidCredentials = "invalid_credentials",
        InvalidSetUpLink = "invalid_set_up_link",
        InvalidSettings = "invalid_settings",
        LastAdministrator = "last_administrator",
        LoginTaken = "login_taken",
        NoRandomness = "no_randomness",
        NotAdministrator = "not_administrator",
        NotSetUp = "not_set_up",
        SessionNeeded = "session_needed",
        TokenNotFound = "token_not_found",
        TooManyAttempts = "too_many_attempts",
        Unauthenticated = "unauthenticated",
        UnknownRole = "unknown_role",
        UnreadableTime = "unreadable_time",
        WrongPassword = "wrong_password",
    }
}
