//! The error codes of the ledger.

use hansang_core::codes;

codes! {
    /// The codes of the ledger.
    pub enum LedgerCode {
        AccountOfOtherKind = "account_of_other_kind",
        AmountInvalid = "amount_invalid",
        Busy = "busy",
        ChangeUnknown = "change_unknown",
        CodeListUnknown = "code_list_unknown",
        CodeRepeated = "code_repeated",
        CodeUnknown = "code_unknown",
        DateInvalid = "date_invalid",
        DetailMissing = "detail_missing",
        DetailUnwanted = "detail_unwanted",
        EntryExists = "entry_exists",
        EntryUnknown = "entry_unknown",
        FileInvalid = "file_invalid",
        FileTooLarge = "file_too_large",
        GoalUnknown = "goal_unknown",
        HeadDamaged = "head_damaged",
        ImportRefused = "import_refused",
        ImportUnknown = "import_unknown",
        ImportWrongState = "import_wrong_state",
        KindUnknown = "kind_unknown",
        LineChanged = "line_changed",
        LineDamaged = "line_damaged",
        LineExists = "line_exists",
        LineUnknown = "line_unknown",
        MappingInvalid = "mapping_invalid",
        MonthInvalid = "month_invalid",
        Moved = "moved",
        NameInvalid = "name_invalid",
        NotEmpty = "not_empty",
        NothingToCopy = "nothing_to_copy",
        PeriodInvalid = "period_invalid",
        RuleInvalid = "rule_invalid",
        RuleUnknown = "rule_unknown",
        SameMonth = "same_month",
        SumTooLarge = "sum_too_large",
        TextTooLong = "text_too_long",
        TransactionUnknown = "transaction_unknown",
        UndoBlocked = "undo_blocked",
        UndoneAlready = "undone_already",
    }
}
