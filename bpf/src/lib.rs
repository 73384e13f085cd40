//! Native part of the agent: samples all processes of the host, and unwinds in the kernel.
// Node does not load the tests, so most functions of the Node API look unused to them.
#![cfg_attr(test, allow(dead_code))]
mod batch;
mod binaries;
mod code_maps;
mod confine;
pub mod elf;
mod facts;
mod interpreters;
mod kernel;
pub mod layout;
mod lines;
mod names;
#[cfg(not(test))]
mod node_api;
mod options;
mod proc_files;
pub mod process_tables;
mod processes;
mod published;
mod ranges;
mod records;
mod sampler;
mod system;
pub mod table;
#[cfg(test)]
mod table_tests;
mod v8;
mod waiting;
mod worker;
