#![doc = include_str!("../README.md")]

pub mod body;
pub mod checksum;
pub mod messages;
pub mod references;

mod audit;
mod cache;
mod code;
mod compare;
mod compatibility;
mod contract;
mod diff;
mod error;
mod kind;
mod latest;
mod reference;
mod register;
mod registry;
mod rule;
mod seed;
mod slices;
mod status;
mod store;
mod yaml;

pub use audit::{Audit, Failure, audit};
pub use body::Body;
pub use cache::{CacheSettings, Cached, Statistics};
pub use code::ContractCode;
pub use compare::{Disagreement, compare};
pub use compatibility::{Breaks, Bump, Compatibility, SpecChange, compatibility};
pub use contract::{Act, Allowed, Contract, Header, Status, StatusChange, StatusChanged};
pub use diff::{Difference, diff};
pub use error::ContractError;
pub use kind::{Kind, Known};
pub use latest::latest;
pub use reference::{ContractRef, Wanted, contract_id, contract_version};
pub use register::{Registered, check_spec, in_spec, register};
pub use registry::{ContractRegistry, Found, Headers, ListAsk, NewContract, Referrer, Saved, Walked};
pub use rule::{CompatibilityRule, Mode, RuleScope, Verdict, rule_of, verdicts};
pub use seed::{SeedOutcome, SeedReport, Seeded, seed};
pub use slices::SLICE_TYPES;
pub use status::{Moved, check_promotion, check_restoration, deprecate, promote, restore};
pub use store::StoreRegistry;
pub use yaml::{ContractFile, FileContract, YamlRegistry, read_directory, read_yaml};

/// The model of the registry's table.
pub const MODEL: &str = include_str!("../../../../models/contracts.yaml");
