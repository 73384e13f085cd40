//! Data that the kernel programs follow: rows of tables, and the mappings of each process.
use crate::binaries::{Binaries, BinaryKind, TableState};
use crate::code_maps::{CodeMaps, MappedCode};
use crate::elf::address_of_offset;
use crate::kernel::Kernel;
use crate::layout::*;
use crate::ranges::Ranges;
use crate::table::Table;
use crate::v8::Layout;
use std::rc::Rc;
use std::sync::Arc;

/// A run of mappings in the kernel's array. Processes after a fork share it.
pub struct Run {
    first: u32,
    /// Without the entry of the generation.
    count: u32,
    generation: u32,
}

pub struct Published {
    rows: Ranges,
    row_capacity: u32,
    runs: Ranges,
    last_generation: u32,
}

impl Published {
    pub fn new(row_capacity: u32, mapping_capacity: u32) -> Published {
        Published {
            rows: Ranges::new(row_capacity),
            row_capacity,
            runs: Ranges::new(mapping_capacity),
            last_generation: 0,
        }
    }

    pub fn row_capacity(&self) -> u32 {
        self.row_capacity
    }

    pub fn row_count(&self) -> u32 {
        self.rows.used()
    }

    /// Copies a table to the kernel; none where there is no room.
    pub fn add_table(&mut self, kernel: &Kernel, table: &Table, now: u64) -> Option<TableState> {
        if table.rows.is_empty() {
            return Some(TableState::Without);
        }
        let blocks = blocks_of(&table.rows);
        let count = u32::try_from(blocks.len() + table.rows.len()).ok()?;
        let first = self.rows.take(count, now)?;
        let at = first as usize * size_of::<Row>();
        kernel.rows.write(at, &blocks).ok()?;
        kernel.rows.write(at + size_of_val(&*blocks), &table.rows).ok()?;
        let block_count = blocks.len() as u32;
        Some(TableState::Ready { first, count, block_count, base: table.base })
    }

    pub fn free_table(&mut self, first: u32, count: u32, now: u64) {
        self.rows.give_back(first, count, now);
    }

    /// Copies the mappings of a process to the kernel; none where there is no room.
    pub fn add_run(
        &mut self,
        kernel: &Kernel,
        maps: &CodeMaps,
        binaries: &Binaries,
        now: u64,
    ) -> Option<Rc<Run>> {
        let count = maps.list().len() as u32;
        let first = self.runs.take(count + 1, now)?;
        self.last_generation = self.last_generation.wrapping_add(1).max(1);
        let generation = self.last_generation;
        let mut entries = Vec::with_capacity(count as usize + 1);
        entries.push(Mapping { start: u64::from(generation), ..Mapping::default() });
        let shared_offset = v8_of(maps, binaries).map_or(0, |layout| layout.function_shared);
        entries.extend(maps.list().iter().map(|mapped| {
            let mut entry = entry_of(mapped, binaries);
            if is_code_of_v8(mapped, binaries) {
                entry.shared_offset = shared_offset;
            }
            entry
        }));
        kernel.mappings.write(first as usize * size_of::<Mapping>(), &entries).ok()?;
        Some(Rc::new(Run { first, count, generation }))
    }

    /// Makes a process use a run.
    pub fn set_process(
        &self,
        kernel: &mut Kernel,
        pid: u32,
        run: &Run,
        is_sampled: bool,
    ) -> Result<(), String> {
        let value = Process {
            first: run.first,
            count: run.count,
            generation: run.generation,
            is_sampled: u32::from(is_sampled),
        };
        kernel.processes.insert(pid, value, 0).map_err(|error| error.to_string())
    }

    pub fn remove_process(&self, kernel: &mut Kernel, pid: u32) {
        // It is not there where the process was never published.
        let _ = kernel.processes.remove(&pid);
    }

    /// Frees a run that no process uses any longer. Children that the kernel gave it to in the
    /// meantime see that its generation is gone.
    pub fn release_run(&mut self, kernel: &Kernel, run: Rc<Run>, now: u64) {
        let Some(run) = Rc::into_inner(run) else { return };
        let at = run.first as usize * size_of::<Mapping>();
        // A run whose generation cannot be taken away is not used again.
        if kernel.mappings.write(at, &[0u64]).is_ok() {
            self.runs.give_back(run.first, run.count + 1, now);
        }
    }
}

/// The blocks of a table, up to that of its last row, which ends it.
pub fn blocks_of(rows: &[Row]) -> Vec<Block> {
    let block_count = rows.last().map_or(0, |last| (last.address >> BLOCK_SHIFT) as usize + 1);
    let mut blocks = vec![Block::default(); block_count];
    for row in rows {
        blocks[(row.address >> BLOCK_SHIFT) as usize].count += 1;
    }
    let mut first = 0;
    for block in &mut blocks {
        block.first = first;
        first += block.count;
    }
    blocks
}

/// The layout of the V8 that a process has; none where it has none that is known.
pub fn v8_of(maps: &CodeMaps, binaries: &Binaries) -> Option<Arc<Layout>> {
    maps.list().iter().find_map(|mapped| layout_of(mapped, binaries).cloned())
}

fn layout_of<'a>(mapped: &MappedCode, binaries: &'a Binaries) -> Option<&'a Arc<Layout>> {
    binaries.serving(mapped.binary.as_ref()?.id)?.binary.v8.get()?.as_ref()
}

/// True for the code that V8 has compiled, and for its built-in functions.
fn is_code_of_v8(mapped: &MappedCode, binaries: &Binaries) -> bool {
    let is_anonymous =
        mapped.binary.as_ref().is_some_and(|binary| binary.kind == BinaryKind::Anonymous);
    is_anonymous || layout_of(mapped, binaries).is_some()
}

fn entry_of(mapped: &MappedCode, binaries: &Binaries) -> Mapping {
    let mut entry = Mapping {
        start: mapped.start,
        end: mapped.end,
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
    entry.has_many_stacks = u16::from(is_go);
    match serving.table {
        TableState::Absent | TableState::Requested => {}
        TableState::Without => entry.kind = MAPPING_FRAME_POINTER,
        TableState::Ready { first, block_count, base, .. } => {
            let loads = serving.binary.identified().map(|identity| &identity.loads);
            let address = loads.and_then(|loads| address_of_offset(loads, mapped.offset));
            entry.kind = MAPPING_FRAME_POINTER;
            if let Some(address) = address {
                entry.kind = MAPPING_TABLE;
                entry.bias = mapped.start.wrapping_sub(address).wrapping_add(base);
                entry.first_block = first;
                entry.block_count = block_count;
            }
        }
    }
    entry
}

/// True where a table would help and is not there: it is worth building for a sampled process.
pub fn is_pending(mapped: &MappedCode, binaries: &Binaries) -> bool {
    match &mapped.binary {
        None => true,
        Some(binary) => binaries.serving(binary.id).is_some_and(|serving| {
            matches!(serving.table, TableState::Absent | TableState::Requested)
        }),
    }
}
