//! Writes the mappings and tables of a process as lines of text, for testing/record-stacks.ts,
//! which records stacks. testing/unwind.c describes the format.
use crate::binaries::{Binaries, BinaryKind, Identity, TableState, vdso};
use crate::code_maps::{CodeMaps, MappedCode};
use crate::elf::Source;
use crate::layout::{Line, Mapping};
use crate::lines::Lines;
use crate::proc_files::{MapsLine, open_mapped, read_maps};
use crate::published::entries;
use crate::table::Limits;
use std::fmt::Write;
use std::sync::Arc;

/// Returns the lines `mapping` and `line` of a process, which should be stopped.
pub fn process_tables(pid: u32) -> Result<String, String> {
    let lines = read_maps(pid).ok_or_else(|| format!("process {pid} has no maps"))?;
    let mut tables = Tables::default();
    for line in lines {
        tables.add(pid, line);
    }
    let mut text = String::new();
    let entries = entries(&tables.maps, &tables.binaries, 0);
    for (index, entry) in entries.iter().enumerate().skip(1) {
        if index as u32 == entries[0].first_line {
            let _ = writeln!(text, "interpreter {index:x}");
        }
        write_mapping(&mut text, index, entry);
    }
    for (index, line) in tables.list.iter().enumerate() {
        write_line(&mut text, index, line);
    }
    Ok(text)
}

#[derive(Default)]
struct Tables {
    maps: CodeMaps,
    binaries: Binaries,
    /// Lines of all tables.
    list: Vec<Line>,
}

impl Tables {
    fn add(&mut self, pid: u32, line: MapsLine) {
        let kind = match &*line.path {
            "[vdso]" => BinaryKind::Vdso,
            path if path.starts_with('/') => BinaryKind::File,
            _ => BinaryKind::Anonymous,
        };
        let unread = if kind == BinaryKind::File { open_mapped(pid, &line) } else { None };
        let binary = self.binaries.add(kind, None, unread);
        match kind {
            BinaryKind::File => binary.identify(),
            BinaryKind::Vdso => {
                let identity = Identity::read(&Source::Bytes(vdso()), vdso().len() as u64);
                // This cannot fail, because the binary is new.
                let _ = binary.identity.set(identity);
            }
            _ => {}
        }
        if kind != BinaryKind::Anonymous {
            let compiled = binary.compile(Limits::default());
            let state = compiled.map_or(TableState::Without, |lines| self.add_table(lines));
            self.binaries.get_mut(binary.id).expect("it was added").table = state;
        }
        self.maps.add(MappedCode {
            start: line.start,
            end: line.end,
            offset: line.offset,
            path: Arc::from(line.path),
            is_deleted: line.is_deleted,
            binary: Some(binary),
            unknown_build_id: None,
        });
    }

    fn add_table(&mut self, lines: Lines) -> TableState {
        let Lines { base, block_shift, block_count, list } = lines;
        if list.is_empty() {
            return TableState::Without;
        }
        let (first, count) = (self.list.len() as u32, list.len() as u32);
        self.list.extend(list);
        TableState::Ready { first, count, block_shift, block_count, base }
    }
}

fn write_mapping(text: &mut String, index: usize, mapping: &Mapping) {
    let &Mapping { start, bias, pages, first_line, block_count, .. } = mapping;
    let &Mapping { block_shift, kind, flags, shared_offset, .. } = mapping;
    let _ = writeln!(
        text,
        "mapping {index:x} {start:x} {bias:x} {pages:x} {first_line:x} {block_count:x} \
         {block_shift:x} {kind:x} {flags:x} {shared_offset:x}"
    );
}

fn write_line(text: &mut String, index: usize, line: &Line) {
    let rules = line.rules.chunks_exact(2).map(|pair| word(&pair[0]) | word(&pair[1]) << 32);
    let words: Vec<String> =
        line.starts.iter().copied().chain(rules).map(|word| format!("{word:x}")).collect();
    let _ = writeln!(text, "line {index:x} {}", words.join(" "));
}

fn word(rule: &crate::layout::Rule) -> u64 {
    u64::from(rule.cfa) | u64::from(rule.rbp as u8) << 16 | u64::from(rule.kind) << 24
}
