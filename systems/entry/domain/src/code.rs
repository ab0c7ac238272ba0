//! The error codes of entry.

use hansang_core::codes;

codes! {
    /// The codes of entry.
    pub enum EntryCode {
        AlreadyDrawn = "already_drawn",
        CapacityBelowGiven = "capacity_below_given",
        CapacityChanged = "capacity_changed",
        DrawDamaged = "draw_damaged",
        DrawTooEarly = "draw_too_early",
        DrawUnderWay = "draw_under_way",
        DrawUnwritten = "draw_unwritten",
        EntryTokenInvalid = "entry_token_invalid",
        EntryTokensOff = "entry_tokens_off",
        EventClosed = "event_closed",
        EventDamaged = "event_damaged",
        EventExists = "event_exists",
        EventFixed = "event_fixed",
        EventHasEntries = "event_has_entries",
        EventInvalid = "event_invalid",
        EventNotClosed = "event_not_closed",
        EventNotOpen = "event_not_open",
        EventPaused = "event_paused",
        EventRunning = "event_running",
        EventStatusUnknown = "event_status_unknown",
        EventTypeUnknown = "event_type_unknown",
        EventUnknown = "event_unknown",
        EventWrongState = "event_wrong_state",
        LeaseLost = "lease_lost",
        MovedMeanwhile = "moved_meanwhile",
        NotALottery = "not_a_lottery",
        NotAnnounced = "not_announced",
        NotDecided = "not_decided",
        PutBack = "put_back",
        QueuedLate = "queued_late",
        RequestDamaged = "request_damaged",
        RequestNotFailed = "request_not_failed",
        RequestUnknown = "request_unknown",
        SeedMissing = "seed_missing",
        StatusUnknown = "status_unknown",
        WinnersChanged = "winners_changed",
    }
}
