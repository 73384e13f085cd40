//! Reads one file of debug information, and prints the functions and lines at addresses, or the
//! instructions of these functions.
//!
//! The file is open as descriptor 3, and the file with which it shares DWARF is open as descriptor
//! 4. The program reads the request from standard input and writes the answer to standard output,
//! in the format of `wire.rs`. Files may be hostile, so the memory and CPU time of the program are
//! limited. After it has read its request, it cannot open files, start programs or use the network.
mod disassembly;
mod dwarf;
#[cfg(test)]
mod fuzz;
mod go_table;
mod sandbox;
mod symbols;
mod wire;

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::FromRawFd;
use std::process::ExitCode;

use demangle::{Mode, demangle};

use wire::{Answer, Source};

/// Descriptor on which the server passes the file.
const FILE_DESCRIPTOR: i32 = 3;
/// Descriptor of the file that .gnu_debugaltlink refers to; used with the argument `alternate`.
const ALTERNATE_DESCRIPTOR: i32 = 4;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            let _ = writeln!(io::stderr(), "cannot symbolize: {why}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let mut arguments = std::env::args().skip(1);
    let mode = Mode::parse(&arguments.next().unwrap_or_default())?;
    let data_bytes_max = number(arguments.next(), "most bytes of memory")?;
    let cpu_seconds_max = number(arguments.next(), "most seconds of CPU time")?;
    let option = arguments.next();
    if option.as_deref() == Some("names") {
        return answer_names(mode, data_bytes_max, cpu_seconds_max);
    }
    let bytes = map(FILE_DESCRIPTOR)?;
    let is_code = matches!(option.as_deref(), Some("code" | "code alternate"));
    let alternate = match option.as_deref() {
        Some("alternate" | "code alternate") => Some(map(ALTERNATE_DESCRIPTOR)?),
        _ => None,
    };
    let mut request = Vec::new();
    io::stdin().read_to_end(&mut request).map_err(|error| format!("request: {error}"))?;
    let addresses = wire::read_addresses(&request)?;
    sandbox::enter(data_bytes_max, cpu_seconds_max)?;
    let alternate = alternate.as_deref();
    if is_code {
        let answer = answer_code(&bytes, alternate, &addresses, mode)?;
        let written = io::stdout().write_all(answer.as_bytes());
        return written.map_err(|error| format!("answer: {error}"));
    }
    let answer = answer(&bytes, alternate, &addresses, mode)?;
    io::stdout().write_all(&answer).map_err(|error| format!("answer: {error}"))
}

fn map(descriptor: i32) -> Result<memmap2::Mmap, String> {
    // SAFETY: nothing else in this process owns the descriptor.
    let file = unsafe { File::from_raw_fd(descriptor) };
    // SAFETY: the server never changes a file of debug information in place.
    unsafe { memmap2::Mmap::map(&file) }.map_err(|error| format!("file: {error}"))
}

/// Answers a request to demangle names. No file is needed.
fn answer_names(mode: Mode, data_bytes_max: u64, cpu_seconds_max: u64) -> Result<(), String> {
    let mut request = Vec::new();
    io::stdin().read_to_end(&mut request).map_err(|error| format!("request: {error}"))?;
    sandbox::enter(data_bytes_max, cpu_seconds_max)?;
    let names = wire::read_names(&request)?;
    let mut answer = Answer::new(names.len());
    for name in names {
        answer.begin_address(Source::Symbols);
        answer.add_frame(&demangle(name, mode), name, "", 0, 0, 0);
    }
    io::stdout().write_all(&answer.finish()).map_err(|error| format!("answer: {error}"))
}

/// Disassembles the functions at addresses. The alternate file has the names of a stripped program.
fn answer_code(
    bytes: &[u8],
    names: Option<&[u8]>,
    addresses: &[u64],
    mode: Mode,
) -> Result<String, String> {
    let file = object::File::parse(bytes).map_err(|error| format!("ELF: {error}"))?;
    let names = names.and_then(|bytes| object::File::parse(bytes).ok());
    let named = names.as_ref().unwrap_or(&file);
    let table = go_table::GoTable::load(named).or_else(|| go_table::GoTable::load(&file));
    let program = disassembly::Program {
        file: &file,
        functions: symbols::Functions::load_with_go(named, table.as_ref()),
        lines: dwarf::Lines::load(named, None).ok(),
        go: table,
        mode,
    };
    disassembly::disassemble(&program, addresses)
}

fn number(argument: Option<String>, what: &str) -> Result<u64, String> {
    argument
        .and_then(|text| text.parse().ok())
        .ok_or_else(|| format!("argument: {what} is not a number"))
}

fn answer(
    bytes: &[u8],
    alternate: Option<&[u8]>,
    addresses: &[u64],
    mode: Mode,
) -> Result<Vec<u8>, String> {
    let file = object::File::parse(bytes).map_err(|error| format!("ELF: {error}"))?;
    // A damaged alternate file counts as missing.
    let alternate = alternate.and_then(|bytes| object::File::parse(bytes).ok());
    let mut answer = Answer::new(addresses.len());
    let lines = dwarf::Lines::load(&file, alternate.as_ref());
    // Symbols are read when the first address needs them.
    let mut functions = None;
    let mut symbol = |address| {
        let functions = functions.get_or_insert_with(|| symbols::Functions::load(&file));
        functions.name_of(address)
    };
    for &address in addresses {
        let found = match &lines {
            Ok(lines) => lines.add_frames(address, mode, || symbol(address), &mut answer),
            Err(_) => false,
        };
        if found {
            continue;
        }
        match symbol(address) {
            Some(name) => {
                answer.begin_address(Source::Symbols);
                answer.add_frame(&demangle(name, mode), name, "", 0, 0, 0);
            }
            None => answer.begin_address(Source::Nothing),
        }
    }
    answer.flags |= match &lines {
        Ok(lines) => lines.missing(),
        Err(why) => *why,
    };
    Ok(answer.finish())
}
