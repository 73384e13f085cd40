//! Data that is published to the kernel programs: lines of tables, and mappings of processes.
use crate::binaries::{Binaries, BinaryKind, TableState};
use crate::code_maps::{CodeMaps, MappedCode};
use crate::elf::address_of_offset;
use crate::interpreters::{self, InProcess};
use crate::kernel::Kernel;
use crate::layout::*;
use crate::lines::Lines;
use crate::ranges::Ranges;
use crate::v8::Layout;
use std::rc::Rc;
use std::sync::Arc;

/// Consecutive mappings in the kernel's array. A process and its forked children can share them.
pub struct Run {
    first: u32,
    /// Number of mappings.
    count: u32,
    /// Number of entries: an entry with the generation, the mappings, and the entries of an
    /// interpreter, if there is one.
    entry_count: u32,
    generation: u32,
}

impl Run {
    /// Returns the kernel's entry for a process that uses the run.
    pub fn process(&self, is_sampled: bool) -> Process {
        Process {
            first: self.first,
            count: self.count,
            generation: self.generation,
            is_sampled: u32::from(is_sampled),
        }
    }
}

pub struct Published {
    lines: Ranges,
    line_capacity: u32,
    runs: Ranges,
    last_generation: u32,
}

impl Published {
    pub fn new(line_capacity: u32, mapping_capacity: u32) -> Published {
        Published {
            lines: Ranges::new(line_capacity),
            line_capacity,
            runs: Ranges::new(mapping_capacity),
            last_generation: 0,
        }
    }

    /// Returns the largest size of all tables in bytes.
    pub fn table_bytes_max(&self) -> u64 {
        u64::from(self.line_capacity) * size_of::<Line>() as u64
    }

    pub fn table_bytes(&self) -> u64 {
        u64::from(self.lines.used()) * size_of::<Line>() as u64
    }

    /// Copies a table to the kernel; none if there is no space.
    pub fn add_table(&mut self, kernel: &Kernel, lines: &Lines, now: u64) -> Option<TableState> {
        let &Lines { base, block_shift, block_count, ref list } = lines;
        if list.is_empty() {
            return Some(TableState::Without);
        }
        let count = list.len() as u32;
        let first = self.lines.take(count, now)?;
        kernel.lines.write(first as usize * size_of::<Line>(), list).ok()?;
        Some(TableState::Ready { first, count, block_shift, block_count, base })
    }

    /// Returns true if there is space for a table of `count` lines.
    pub fn has_space(&mut self, count: u32, now: u64) -> bool {
        self.lines.has_space(count, now)
    }

    /// Returns the tables to evict for a table of `count` lines; see Ranges::choose.
    pub fn choose_tables(&self, tables: &[(u32, u32)], count: u32) -> Option<Vec<(u32, u32)>> {
        self.lines.choose(tables, count)
    }

    pub fn line_capacity(&self) -> u32 {
        self.line_capacity
    }

    /// Returns the number of lines that are free or will soon be reusable.
    pub fn free_lines(&self) -> u32 {
        self.line_capacity - self.lines.taken()
    }

    pub fn free_table(&mut self, first: u32, count: u32, now: u64) {
        self.lines.give_back(first, count, now);
    }

    /// Copies the mappings of a process to the kernel; none if there is no space.
    pub fn add_run(
        &mut self,
        kernel: &Kernel,
        maps: &CodeMaps,
        binaries: &Binaries,
        now: u64,
    ) -> Option<Rc<Run>> {
        let count = maps.list().len() as u32;
        let generation = self.last_generation.wrapping_add(1).max(1);
        let entries = entries(maps, binaries, generation);
        let entry_count = entries.len() as u32;
        let first = self.runs.take(entry_count, now)?;
        self.last_generation = generation;
        kernel.mappings.write(first as usize * size_of::<Mapping>(), &entries).ok()?;
        Some(Rc::new(Run { first, count, entry_count, generation }))
    }

    /// Frees mappings that no process uses. If the kernel program copied them to a child in the
    /// meantime, it detects that their generation is gone.
    pub fn release_run(&mut self, kernel: &Kernel, run: Rc<Run>, now: u64) {
        let Some(run) = Rc::into_inner(run) else { return };
        let at = run.first as usize * size_of::<Mapping>();
        // If the generation cannot be cleared, these entries are not reused.
        if kernel.mappings.write(at, &[0u64]).is_ok() {
            self.runs.give_back(run.first, run.entry_count, now);
        }
    }
}

/// Returns the layout of V8 in a process; None if there is none, or it is unknown.
pub fn v8_of(maps: &CodeMaps, binaries: &Binaries) -> Option<Arc<Layout>> {
    maps.list().iter().find_map(|mapped| layout_of(mapped, binaries).cloned())
}

fn layout_of<'a>(mapped: &MappedCode, binaries: &'a Binaries) -> Option<&'a Arc<Layout>> {
    binaries.serving(mapped.binary.as_ref()?.id)?.binary.v8.get()?.as_ref()
}

/// Returns the interpreter of a process. If there are several, returns the first in memory; None if
/// there is no known interpreter.
pub fn interpreter_of(maps: &CodeMaps, binaries: &Binaries) -> Option<InProcess> {
    maps.list().iter().find_map(|mapped| {
        let layout = interpreter_layout_of(mapped, binaries)?.clone();
        let identity = binaries.serving(mapped.binary.as_ref()?.id)?.binary.identified()?;
        let address = address_of_offset(&identity.loads, mapped.offset)?;
        Some(InProcess { layout, bias: mapped.start.wrapping_sub(address) })
    })
}

fn interpreter_layout_of<'a>(
    mapped: &MappedCode,
    binaries: &'a Binaries,
) -> Option<&'a Arc<interpreters::Layout>> {
    let binary = &binaries.serving(mapped.binary.as_ref()?.id)?.binary;
    binary.interpreter.get()?.as_ref()?.as_ref().ok()
}

/// Returns true for code that V8 compiled, and for its built-in functions.
fn is_code_of_v8(mapped: &MappedCode, binaries: &Binaries) -> bool {
    let is_anonymous =
        mapped.binary.as_ref().is_some_and(|binary| binary.kind == BinaryKind::Anonymous);
    is_anonymous || layout_of(mapped, binaries).is_some()
}

/// Returns the entries of a process: its generation, then one for each mapping, then two if it has
/// an interpreter.
pub fn entries(maps: &CodeMaps, binaries: &Binaries, generation: u32) -> Vec<Mapping> {
    let mut entries = vec![Mapping { start: u64::from(generation), ..Mapping::default() }];
    let interpreter = interpreter_of(maps, binaries);
    let shared_offset = v8_of(maps, binaries).map_or(0, |layout| layout.function_shared);
    entries.extend(maps.list().iter().map(|mapped| {
        let mut entry = entry(mapped, binaries);
        if is_code_of_v8(mapped, binaries) {
            entry.shared_offset = shared_offset;
        }
        if let Some(InProcess { layout, .. }) = &interpreter
            && interpreter_layout_of(mapped, binaries) == Some(layout)
        {
            entry.flags |= layout.mapping_flag();
        }
        entry
    }));
    if let Some(InProcess { layout, bias }) = interpreter {
        entries[0].first_line = entries.len() as u32;
        entries.extend(layout.entries(bias));
    }
    entries
}

fn entry(mapped: &MappedCode, binaries: &Binaries) -> Mapping {
    let mut entry = Mapping {
        start: mapped.start,
        pages: u32::try_from((mapped.end - mapped.start) >> PAGE_SHIFT).unwrap_or(u32::MAX),
        kind: MAPPING_PENDING,
        ..Mapping::default()
    };
    let Some(binary) = &mapped.binary else { return entry };
    if binary.kind == BinaryKind::Anonymous || binary.kind == BinaryKind::Unknown {
        entry.kind = MAPPING_FRAME_POINTER;
        return entry;
    }
    let Some(serving) = binaries.serving(binary.id) else { return entry };
    let is_go = serving.binary.identified().is_some_and(|identity| identity.is_go);
    entry.flags = if is_go { MAPPING_HAS_MANY_STACKS } else { 0 };
    match serving.table {
        TableState::Absent | TableState::Requested | TableState::Evicted => {}
        TableState::NoSpace { .. } | TableState::Without => entry.kind = MAPPING_FRAME_POINTER,
        TableState::Ready { first, block_shift, block_count, base, .. } => {
            let loads = serving.binary.identified().map(|identity| &identity.loads);
            let address = loads.and_then(|loads| address_of_offset(loads, mapped.offset));
            entry.kind = MAPPING_FRAME_POINTER;
            if let Some(address) = address {
                entry.kind = MAPPING_TABLE;
                entry.bias = mapped.start.wrapping_sub(address).wrapping_add(base);
                entry.first_line = first;
                entry.block_shift = block_shift;
                entry.block_count = block_count;
            }
        }
    }
    entry
}

/// Returns true if a table is missing and would be useful for a sampled process.
pub fn is_pending(mapped: &MappedCode, binaries: &Binaries) -> bool {
    match &mapped.binary {
        None => true,
        Some(binary) => binaries.serving(binary.id).is_some_and(|serving| {
            matches!(serving.table, TableState::Absent | TableState::Requested)
        }),
    }
}
