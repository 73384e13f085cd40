//! Collects samples as columns until they are taken, and writes them in the format of
//! bpf/decode-batch.ts.
use crate::binaries::{Binary, BinaryKind, BuildId};
use crate::elf::address_of_offset;
use crate::facts::{BinaryFacts, Decimal, EventFacts, Facts, FunctionFacts, KERNEL, ProcessFacts};
use crate::interpreters::Layout;
use crate::layout::{
    INTERPRETER_STATUS_COUNT, InterpretedFrame, STACK_STATUS_COUNT, Sample, TaskName,
};
use crate::names::{Named, Slot};
use crate::proc_files::Details;
use serde::Serialize;
use std::collections::HashMap;
use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::os::fd::AsRawFd;
use std::sync::Arc;

/// Identifies a program that a process runs: process id, start time, and number of the exec.
pub type ProcessKey = (u32, u64, u32);

/// A process with samples.
pub struct SampledProcess {
    pub pid: u32,
    /// Start of the process in CLOCK_BOOTTIME.
    pub start: u64,
    pub parent: u32,
    pub name: String,
    pub details: Arc<Details>,
    /// Id of the control group; 0 = unknown.
    pub cgroup: u64,
    pub is_kernel_thread: bool,
    /// Row of the binary; 0 = unknown.
    pub binary: u32,
}

struct BatchBinary {
    binary: Arc<Binary>,
    path: Arc<str>,
    is_deleted: bool,
}

pub enum EventKind {
    Exec,
    Exit,
}

struct Event {
    kind: EventKind,
    pid: u32,
    time: u64,
}

/// Totals of the sampling thread, see `SamplerCounters` in sampler.ts.
#[derive(Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Totals {
    pub samples: u64,
    pub lost_samples: u64,
    pub skipped_samples: u64,
    pub dropped_samples: u64,
    pub lost_records: u64,
    pub stacks_by_status: [u64; STACK_STATUS_COUNT as usize],
    pub python_by_status: [u64; INTERPRETER_STATUS_COUNT as usize],
    pub ruby_by_status: [u64; INTERPRETER_STATUS_COUNT as usize],
    pub php_by_status: [u64; INTERPRETER_STATUS_COUNT as usize],
    pub tables_built: u64,
    pub tables_failed: u64,
    pub tables_evicted: u64,
    pub table_build_nanos: u64,
    pub tables: u64,
    pub table_bytes: u64,
    pub table_bytes_max: u64,
    pub processes: u64,
    pub program_runs: u64,
    pub program_nanos: u64,
    pub thread_nanos: u64,
}

/// Bytes of a sample: a time and five numbers.
const SAMPLE_BYTES: usize = 28;
/// Approximate bytes of a stack: three numbers, a status, and its entry in the map of rows.
const STACK_BYTES: usize = 40;
const FRAME_BYTES: usize = 16;
/// Approximate bytes of a process; most of them are its command line.
const PROCESS_BYTES: usize = 1024;
const EVENTS_MAX: usize = 65_536;

#[derive(Default)]
pub struct Batch {
    time: Vec<u64>,
    process: Vec<u32>,
    thread_id: Vec<u32>,
    thread_name: Vec<u32>,
    cpu: Vec<u32>,
    stack: Vec<u32>,

    frame_start: Vec<u32>,
    kernel_frame_count: Vec<u32>,
    status: Vec<u8>,
    failed_address: Vec<u64>,
    /// For files, an offset in the file until the batch is written.
    address: Vec<u64>,
    binary: Vec<u32>,
    function: Vec<u32>,
    stack_rows: HashMap<u64, u32>,
    hasher: RandomState,

    binaries: Vec<BatchBinary>,
    binary_rows: HashMap<(u32, Arc<str>), u32>,
    pub processes: Vec<SampledProcess>,
    process_rows: HashMap<ProcessKey, u32>,
    functions: Vec<BatchFunction>,
    /// Rows of functions by program number and by address of the function's description or code
    /// object.
    function_rows: HashMap<(u32, FunctionKey), u32>,
    thread_names: Vec<String>,
    thread_name_rows: HashMap<TaskName, u32>,
    events: Vec<Event>,
}

/// A function, which may not have been read yet.
struct BatchFunction {
    slot: Slot,
    interpreted: Option<(InterpretedFrame, Arc<Layout>)>,
}

#[derive(PartialEq, Eq, Hash)]
enum FunctionKey {
    Script(u64),
    Interpreted(InterpretedFrame),
}

/// A user frame: offset in a file or address in the process; row of its binary; row of its
/// function, 0 for native frames.
pub type Frame = (u64, u32, u32);

impl Batch {
    /// Approximate size of the batch in bytes.
    pub fn bytes(&self) -> usize {
        self.time.len() * SAMPLE_BYTES
            + self.status.len() * STACK_BYTES
            + self.address.len() * FRAME_BYTES
            + self.processes.len() * PROCESS_BYTES
            + self.events.len() * size_of::<Event>()
    }

    pub fn process_row(&self, key: &ProcessKey) -> Option<u32> {
        self.process_rows.get(key).copied()
    }

    pub fn add_process(&mut self, key: ProcessKey, process: SampledProcess) -> u32 {
        let row = self.processes.len() as u32;
        self.processes.push(process);
        self.process_rows.insert(key, row);
        row
    }

    /// Returns the row of a binary with this path. Row 0 is the kernel.
    pub fn binary_row(&mut self, binary: &Arc<Binary>, path: &Arc<str>, is_deleted: bool) -> u32 {
        let next = self.binaries.len() as u32 + 1;
        let row = *self.binary_rows.entry((binary.id, path.clone())).or_insert(next);
        if row == next {
            let (binary, path) = (binary.clone(), path.clone());
            self.binaries.push(BatchBinary { binary, path, is_deleted });
        }
        row
    }

    /// Returns the row of a JavaScript function, counted from 1.
    pub fn script_row(&mut self, program: u32, shared: u64, slot: &Slot) -> u32 {
        let function = BatchFunction { slot: slot.clone(), interpreted: None };
        self.function_row((program, FunctionKey::Script(shared)), function)
    }

    /// Returns the row of an interpreter's function at an instruction, counted from 1.
    pub fn interpreted_row(
        &mut self,
        program: u32,
        frame: &InterpretedFrame,
        layout: &Arc<Layout>,
        slot: &Slot,
    ) -> u32 {
        let interpreted = Some((*frame, layout.clone()));
        let function = BatchFunction { slot: slot.clone(), interpreted };
        self.function_row((program, FunctionKey::Interpreted(*frame)), function)
    }

    fn function_row(&mut self, key: (u32, FunctionKey), function: BatchFunction) -> u32 {
        let next = self.functions.len() as u32 + 1;
        let row = *self.function_rows.entry(key).or_insert(next);
        if row == next {
            self.functions.push(function);
        }
        row
    }

    pub fn add_event(&mut self, kind: EventKind, pid: u32, time: u64) {
        if self.events.len() < EVENTS_MAX {
            self.events.push(Event { kind, pid, time });
        }
    }

    /// Adds a sample whose user frames are `frames`.
    pub fn add_sample(&mut self, process: u32, sample: &Sample, frames: &[Frame]) {
        let head = &sample.head;
        let name_row = self.thread_name_row(&head.thread_name);
        let stack = self.stack_row(sample, frames);
        self.time.push(head.time);
        self.process.push(process);
        self.thread_id.push(head.tid);
        self.thread_name.push(name_row);
        self.cpu.push(head.cpu);
        self.stack.push(stack);
    }

    fn thread_name_row(&mut self, name: &TaskName) -> u32 {
        let next = self.thread_names.len() as u32;
        let row = *self.thread_name_rows.entry(*name).or_insert(next);
        if row == next {
            self.thread_names.push(name_text(name));
        }
        row
    }

    fn stack_row(&mut self, sample: &Sample, frames: &[Frame]) -> u32 {
        let head = &sample.head;
        let kernel = &sample.kernel;
        let hash = self.hasher.hash_one((frames, kernel, head.status));
        if let Some(&row) = self.stack_rows.get(&hash)
            && self.is_stack(row, sample, frames)
        {
            return row;
        }
        let row = self.status.len() as u32;
        self.stack_rows.insert(hash, row);
        self.frame_start.push(self.address.len() as u32);
        self.kernel_frame_count.push(kernel.len() as u32);
        self.status.push(head.status);
        self.failed_address.push(head.failed_address);
        for (i, address) in kernel.iter().enumerate() {
            self.address.push(call_of(*address, i));
            self.binary.push(0);
            self.function.push(0);
        }
        self.address.extend(frames.iter().map(|frame| frame.0));
        self.binary.extend(frames.iter().map(|frame| frame.1));
        self.function.extend(frames.iter().map(|frame| frame.2));
        row
    }

    fn is_stack(&self, row: u32, sample: &Sample, frames: &[Frame]) -> bool {
        let row = row as usize;
        let start = self.frame_start[row] as usize;
        let end = self.frame_start.get(row + 1).map_or(self.address.len(), |end| *end as usize);
        let kernel = &sample.kernel;
        let of_kernel = kernel.iter().enumerate().map(|(i, address)| (call_of(*address, i), 0, 0));
        let given = of_kernel.chain(frames.iter().copied());
        let own = (start..end).map(|at| (self.address[at], self.binary[at], self.function[at]));
        self.status[row] == sample.head.status
            && self.kernel_frame_count[row] as usize == kernel.len()
            && own.eq(given)
    }

    /// Writes the batch. The files in it must stay open until the next batch is taken. `has_more`
    /// is true if another batch is ready.
    pub fn write(
        mut self,
        clock: &Clock,
        totals: &Totals,
        has_more: bool,
    ) -> (Vec<u8>, Vec<Arc<File>>) {
        let files: Vec<_> = self.binaries.iter().map(|it| open_file(&it.binary)).collect();
        for (address, row) in self.address.iter_mut().zip(&self.binary) {
            let Some(binary) = row.checked_sub(1).map(|at| &self.binaries[at as usize]) else {
                continue;
            };
            if let Some(identity) = binary.binary.identified()
                && let Some(found) = address_of_offset(&identity.loads, *address)
            {
                *address = found;
            }
        }
        let functions = self.number_functions();
        self.frame_start.push(self.address.len() as u32);
        let times: Vec<u64> = self.time.iter().map(|time| clock.epoch(*time)).collect();
        let facts = self.facts(clock, (totals, has_more), &files, &functions);
        let sections = [
            bytes_of(&times),
            bytes_of(&self.process),
            bytes_of(&self.thread_id),
            bytes_of(&self.thread_name),
            bytes_of(&self.cpu),
            bytes_of(&self.stack),
            bytes_of(&self.frame_start),
            bytes_of(&self.kernel_frame_count),
            self.status.clone(),
            bytes_of(&self.failed_address),
            bytes_of(&self.address),
            bytes_of(&self.binary),
            bytes_of(&self.function),
            facts,
        ];
        (join_sections(&sections), files.into_iter().flatten().collect())
    }

    /// Returns the functions that were read, and sets the function number of each frame that runs
    /// one of them, counted from 1. Other frames get 0. If the function of an interpreter's frame
    /// was not read, the frame gets a function without a name.
    fn number_functions(&mut self) -> Vec<FunctionFacts> {
        let mut functions = Vec::new();
        let mut numbers = vec![0];
        for function in &self.functions {
            let found = describe_function(function);
            let has_number = found.is_some();
            functions.extend(found);
            numbers.push(if has_number { functions.len() as u32 } else { 0 });
        }
        for row in &mut self.function {
            *row = numbers[*row as usize];
        }
        functions
    }

    fn facts(
        &self,
        clock: &Clock,
        (totals, has_more): (&Totals, bool),
        files: &[Option<Arc<File>>],
        functions: &[FunctionFacts],
    ) -> Vec<u8> {
        let binaries = self.binaries.iter().zip(files);
        let facts = Facts {
            start_nanos: Decimal(clock.start),
            end_nanos: Decimal(clock.end),
            has_more,
            thread_names: &self.thread_names,
            binaries: std::iter::once(KERNEL)
                .chain(binaries.map(|(binary, file)| describe_binary(binary, file)))
                .collect(),
            processes: self.processes.iter().map(|it| describe_process(it, clock)).collect(),
            events: self.events.iter().map(|it| describe_event(it, clock)).collect(),
            functions,
            counters: totals,
        };
        serde_json::to_vec(&facts).expect("strings, numbers and lists of them")
    }
}

/// Returns an address inside the call instruction before a return address. The leaf's address stays
/// the same.
fn call_of(address: u64, i: usize) -> u64 {
    if i == 0 { address } else { address.wrapping_sub(1) }
}

fn open_file(binary: &Binary) -> Option<Arc<File>> {
    binary.file.lock().expect("no panic holds it").clone()
}

/// Converts kernel times to nanoseconds since 1970.
pub struct Clock {
    pub start: u64,
    pub end: u64,
    /// Nanoseconds to add to CLOCK_MONOTONIC, and to CLOCK_BOOTTIME.
    pub monotonic: i64,
    pub boot: i64,
}

impl Clock {
    pub fn epoch(&self, time: u64) -> u64 {
        time.wrapping_add_signed(self.monotonic)
    }
}

/// Returns the name up to its first zero byte.
pub fn name_text(name: &TaskName) -> String {
    let bytes: Vec<u8> = name.iter().flat_map(|word| word.to_le_bytes()).collect();
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}

fn describe_binary<'a>(row: &'a BatchBinary, file: &Option<Arc<File>>) -> BinaryFacts<'a> {
    let kind = match row.binary.kind {
        BinaryKind::File if row.binary.is_elf() => "file",
        BinaryKind::Vdso => "vdso",
        BinaryKind::File | BinaryKind::Anonymous => "anonymous",
        BinaryKind::Unknown => "unknown",
    };
    let identity = row.binary.identified();
    let (build_id, build_id_kind) = match identity.map(|identity| &identity.build_id) {
        Some(BuildId::Gnu(id)) => (hex(id), "gnu"),
        Some(BuildId::Go(id)) => (id.clone(), "go"),
        Some(BuildId::Hash(id)) => (hex(id), "hash"),
        None => (String::new(), "none"),
    };
    let (start, end) = identity.map_or((0, 0), |identity| identity.code);
    BinaryFacts {
        kind,
        path: &row.path,
        is_deleted: row.is_deleted,
        build_id,
        build_id_kind,
        file_bytes: identity.map_or(0, |identity| identity.bytes),
        descriptor: file.as_ref().map_or(-1, |file| file.as_raw_fd()),
        interpreter: row.binary.describe_interpreter(),
        code_start: Decimal(start),
        code_end: Decimal(end),
    }
}

fn describe_function(function: &BatchFunction) -> Option<FunctionFacts> {
    match (function.slot.get().and_then(Option::as_ref), &function.interpreted) {
        (Some(Named::Interpreted(code)), Some((frame, layout))) => Some(FunctionFacts {
            language: layout.language(),
            name: code.name.clone(),
            file_name: code.file.clone(),
            start_line: code.first_line,
            line: layout.line(code, frame),
        }),
        (_, Some((_, layout))) => {
            Some(FunctionFacts { language: layout.language(), ..FunctionFacts::default() })
        }
        (Some(Named::Script(script)), None) => Some(FunctionFacts {
            language: "javascript",
            name: script.name.clone(),
            file_name: script.file.clone(),
            start_line: script.line,
            line: 0,
        }),
        _ => None,
    }
}

fn describe_process<'a>(process: &'a SampledProcess, clock: &Clock) -> ProcessFacts<'a> {
    let details = &process.details;
    ProcessFacts {
        pid: process.pid,
        start_nanos: Decimal(process.start.wrapping_add_signed(clock.boot)),
        parent_pid: process.parent,
        name: &process.name,
        executable: &details.executable,
        command_line: &details.command_line,
        cgroup: &details.cgroup,
        cgroup_id: Decimal(process.cgroup),
        is_kernel_thread: process.is_kernel_thread,
        namespace_pid: details.namespace_pid,
        binary: process.binary,
    }
}

fn describe_event(event: &Event, clock: &Clock) -> EventFacts {
    let kind = match event.kind {
        EventKind::Exec => "exec",
        EventKind::Exit => "exit",
    };
    EventFacts { kind, pid: event.pid, time_nanos: Decimal(clock.epoch(event.time)) }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the bytes of integers, as they are in memory. Only little-endian machines are supported.
fn bytes_of<T: Copy>(values: &[T]) -> Vec<u8> {
    // SAFETY: called with vectors of u32 and u64, which have no padding.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }.to_vec()
}

fn join_sections(sections: &[Vec<u8>]) -> Vec<u8> {
    let head_bytes = 4 + 8 * sections.len();
    let total: usize = sections.iter().map(|section| section.len().next_multiple_of(8)).sum();
    let mut bytes = Vec::with_capacity(head_bytes.next_multiple_of(8) + total);
    bytes.extend((sections.len() as u32).to_le_bytes());
    let mut offset = head_bytes.next_multiple_of(8);
    for section in sections {
        bytes.extend((offset as u32).to_le_bytes());
        bytes.extend((section.len() as u32).to_le_bytes());
        offset += section.len().next_multiple_of(8);
    }
    for section in sections {
        bytes.resize(bytes.len().next_multiple_of(8), 0);
        bytes.extend_from_slice(section);
    }
    bytes
}
