//! Native part of the agent: samples all processes of the host, and unwinds in the kernel.
// Tests are not loaded by Node, so they do not use most of the code that the module calls.
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
