//! The native half of the agent: samples every process of the host, and unwinds in the kernel.
// Tests link to no Node, so most of what it calls is not used in them.
#![cfg_attr(test, allow(dead_code))]
mod batch;
mod binaries;
mod code_maps;
mod confine;
/// The symbolizer's: names that the agent gives look like those of the server.
#[allow(dead_code)]
#[path = "../symbolizer/src/demangle.rs"]
mod demangle;
pub mod elf;
mod json;
mod kernel;
pub mod layout;
mod lines;
mod names;
#[cfg(not(test))]
mod node_api;
mod options;
mod proc_files;
mod processes;
mod published;
mod ranges;
mod records;
mod sampler;
mod sha256;
mod system;
pub mod table;
#[cfg(test)]
mod table_tests;
mod v8;
mod waiting;
mod worker;
