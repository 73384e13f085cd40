//! Finds functions in the symbol tables of a file.
use object::{Object, ObjectSection, ObjectSymbol, SymbolKind};

use crate::go_table::GoTable;

/// Largest size of a decompressed .gnu_debugdata section.
const MINI_DEBUG_INFO_BYTES_MAX: usize = 64 << 20;

/// Rank of a name in a Go table. No symbol has a higher rank.
const GO_RANK: i32 = 3 * 256;

/// Functions sorted by address, with one name per address.
pub struct Functions<'data> {
    rows: Vec<Function<'data>>,
}

struct Function<'data> {
    start: u64,
    end: u64,
    name: &'data str,
    rank: i32,
}

impl<'data> Functions<'data> {
    /// Reads .symtab. If there is no .symtab, reads .dynsym and the symbols in .gnu_debugdata.
    pub fn load(file: &object::File<'data>) -> Self {
        Self::load_with_go(file, None)
    }

    /// Like `load`. If the file has no .symtab, also reads the functions in a Go table.
    pub fn load_with_go(file: &object::File<'data>, go: Option<&GoTable<'data>>) -> Self {
        let mut rows = Vec::new();
        add(file.symbols(), &mut rows);
        if rows.is_empty() {
            add(file.dynamic_symbols(), &mut rows);
            if let Some(bytes) = mini_debug_info(file) {
                // The process exits after its answer, so these names may stay in memory.
                if let Ok(inner) = object::File::parse(&*bytes.leak()) {
                    add(inner.symbols(), &mut rows);
                }
            }
            let functions = go.iter().flat_map(|table| table.functions());
            rows.extend(functions.map(|(start, end, name)| Function {
                start,
                end,
                name,
                rank: GO_RANK,
            }));
        }
        rows.sort_by(|a, b| a.start.cmp(&b.start).then(b.rank.cmp(&a.rank)));
        let mut functions: Vec<Function<'data>> = Vec::with_capacity(rows.len());
        for row in rows {
            match functions.last_mut() {
                // This symbol is an alias of the last function. It may have a size even if the
                // first symbol has none.
                Some(last) if last.start == row.start => {
                    if last.end == last.start {
                        last.end = row.end;
                    }
                }
                _ => functions.push(row),
            }
        }
        close_unsized(file, &mut functions);
        Functions { rows: functions }
    }

    pub fn name_of(&self, address: u64) -> Option<&'data str> {
        self.range_of(address).map(|(_, _, name)| name)
    }

    /// Returns the start of the function at an address, its end (exclusive), and its name.
    pub fn range_of(&self, address: u64) -> Option<(u64, u64, &'data str)> {
        let after = self.rows.partition_point(|row| row.start <= address);
        let row = self.rows.get(after.checked_sub(1)?)?;
        (address < row.end).then_some((row.start, row.end, row.name))
    }
}

fn add<'data>(
    symbols: impl Iterator<Item = impl ObjectSymbol<'data>>,
    rows: &mut Vec<Function<'data>>,
) {
    for symbol in symbols {
        if symbol.kind() != SymbolKind::Text || symbol.is_undefined() {
            continue;
        }
        let Ok(name) = symbol.name() else { continue };
        if name.is_empty() {
            continue;
        }
        let start = symbol.address();
        let underscores = name.bytes().take_while(|&byte| byte == b'_').count().min(255) as i32;
        let known = match (symbol.is_local(), symbol.is_weak()) {
            (true, _) => 0,
            (_, true) => 1,
            _ => 2,
        };
        rows.push(Function {
            start,
            end: start.saturating_add(symbol.size()),
            name,
            rank: known * 256 - underscores,
        });
    }
}

/// Extends symbols without a size, such as symbols of assembly code, to the next symbol in their
/// section.
fn close_unsized(file: &object::File<'_>, functions: &mut [Function<'_>]) {
    for i in 0..functions.len() {
        if functions[i].end > functions[i].start {
            continue;
        }
        let start = functions[i].start;
        let limit = file
            .sections()
            .find(|section| {
                start >= section.address() && start - section.address() < section.size()
            })
            .map_or(start.saturating_add(1), |section| {
                section.address().saturating_add(section.size())
            });
        let next = functions.get(i + 1).map_or(limit, |next| next.start);
        functions[i].end = next.min(limit);
    }
}

/// Returns the small symbol table that distributions add to stripped files. In the file, it is
/// compressed with xz.
fn mini_debug_info(file: &object::File<'_>) -> Option<Vec<u8>> {
    decompress(file.section_by_name(".gnu_debugdata")?.data().ok()?)
}

/// Returns the content of xz data; None if it is damaged or too large.
pub fn decompress(mut compressed: &[u8]) -> Option<Vec<u8>> {
    let mut output = Limited(Vec::new());
    lzma_rs::xz_decompress(&mut compressed, &mut output).ok()?;
    Some(output.0)
}

struct Limited(Vec<u8>);

impl std::io::Write for Limited {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.0.len() + bytes.len() > MINI_DEBUG_INFO_BYTES_MAX {
            return Err(std::io::Error::other("too large"));
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
