//! Data of a batch that is not in columns, written as JSON for decode-batch.ts.
use crate::batch::Totals;
use serde::Serialize;

/// A 64-bit number as a decimal string, because JavaScript numbers are exact only up to 2^53.
pub struct Decimal(pub u64);

impl Serialize for Decimal {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Facts<'a> {
    pub start_nanos: Decimal,
    pub end_nanos: Decimal,
    pub has_more: bool,
    pub thread_names: &'a [String],
    pub binaries: Vec<BinaryFacts<'a>>,
    pub processes: Vec<ProcessFacts<'a>>,
    pub events: Vec<EventFacts>,
    pub functions: &'a [FunctionFacts],
    pub counters: &'a Totals,
}

/// `ScriptFunction` of sampler.ts.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FunctionFacts {
    pub language: &'static str,
    /// '' for functions without a name, and for an interpreter's functions that could not be read.
    pub name: String,
    pub file_name: String,
    /// First line of the function, from 1; 0 = unknown.
    pub start_line: u32,
    /// Current line; 0 = unknown.
    pub line: u32,
}

/// `Binary` of sampler.ts.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BinaryFacts<'a> {
    pub kind: &'static str,
    pub path: &'a str,
    pub is_deleted: bool,
    pub build_id: String,
    pub build_id_kind: &'static str,
    pub file_bytes: u64,
    pub descriptor: i32,
    pub interpreter: String,
    pub code_start: Decimal,
    pub code_end: Decimal,
}

/// The kernel, which is row 0 of the binaries.
pub const KERNEL: BinaryFacts = BinaryFacts {
    kind: "kernel",
    path: "",
    is_deleted: false,
    build_id: String::new(),
    build_id_kind: "none",
    file_bytes: 0,
    descriptor: -1,
    interpreter: String::new(),
    code_start: Decimal(0),
    code_end: Decimal(0),
};

/// `SampledProcess` of sampler.ts.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProcessFacts<'a> {
    pub pid: u32,
    pub start_nanos: Decimal,
    pub parent_pid: u32,
    pub name: &'a str,
    pub executable: &'a str,
    pub command_line: &'a [String],
    pub cgroup: &'a str,
    pub cgroup_id: Decimal,
    pub is_kernel_thread: bool,
    pub namespace_pid: u32,
    pub binary: u32,
}

/// `ProcessEvent` of sampler.ts.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EventFacts {
    pub kind: &'static str,
    pub pid: u32,
    pub time_nanos: Decimal,
}
