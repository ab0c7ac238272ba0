//! The error codes of contracts.

use hansang_core::codes;

codes! {
    /// The codes of contracts.
    pub enum ContractCode {
        CompatibilityModeUnknown = "compatibility_mode_unknown",
        ContractCorrupted = "contract_corrupted",
        ContractIntegrity = "contract_integrity",
        ContractIsDraft = "contract_is_draft",
        ContractNotFound = "contract_not_found",
        ContractNotWritten = "contract_not_written",
        ContractUnreadable = "contract_unreadable",
        ContractsDirectory = "contracts_directory",
        FileInTheWay = "file_in_the_way",
        Incompatible = "incompatible",
        InvalidSpec = "invalid_spec",
        NoActiveVersion = "no_active_version",
        NoContracts = "no_contracts",
        NoRules = "no_rules",
        NotAContractName = "not_a_contract_name",
        NotAnAddress = "not_an_address",
        NothingToSeed = "nothing_to_seed",
        OnlyAPreview = "only_a_preview",
        ReferenceMissing = "reference_missing",
        ServerUnreachable = "server_unreachable",
        SpecTooLarge = "spec_too_large",
        TooManyReferences = "too_many_references",
        VersionExists = "version_exists",
    }
}
