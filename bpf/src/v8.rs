//! Reads the names of JavaScript functions from the memory of a process with V8. The memory is
//! untrusted: types of objects are checked, and lengths are limited.
//!
//! Field offsets come from the program's symbols `v8dbg_*`, which V8 provides for post-mortem
//! debuggers. This was tested with the layouts of Node 20, 22 and 24.
use crate::elf::{Headers, Source};
use std::cell::Cell;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A function, as it appears in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// '' for functions without a name.
    pub name: String,
    pub file: String,
    /// First line of the function, from 1; 0 = unknown.
    pub line: u32,
}

/// Memory of a process.
pub trait Memory {
    /// Reads all of `bytes`; returns false if that fails.
    fn read(&self, address: u64, bytes: &mut [u8]) -> bool;
}

/// Offsets in V8's objects, and numbers of their types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Offset of the description in a function.
    pub function_shared: u8,
    shared_name: u64,
    shared_script: u64,
    script_name: u64,
    script_source: u64,
    first_variable: u64,
    map_type: u64,
    string_length: u64,
    string_bytes: u64,
    cons_first: u64,
    cons_second: u64,
    sliced_parent: u64,
    sliced_offset: u64,
    thin_actual: u64,
    external_data: u64,
    type_shared: u16,
    type_scope: u16,
    type_script: u16,
}

const SYMBOL_PREFIX: &[u8] = b"v8dbg_";
const OFFSET_MAX: i32 = 4096;

const NAME_CHARACTERS_MAX: usize = 256;
const FILE_CHARACTERS_MAX: usize = 4096;
/// Largest nesting of strings that V8 has concatenated.
const STRING_DEPTH_MAX: u32 = 16;
/// Largest number of strings that are read for a function, its file and its source.
const STRINGS_MAX: u32 = 512;
/// Largest source that is read. The bundle of a large program is about 10 MB.
const SOURCE_BYTES_MAX: u64 = 16 << 20;
const SOURCE_PIECE_BYTES: usize = 1 << 18;
const LINES_MAX: usize = 1 << 20;
/// Largest number of variables in a scope. If there are more, V8 stores their names elsewhere.
const VARIABLES_MAX: u64 = 75;

/// String types, unchanged since 2020.
const TYPE_STRINGS_END: u16 = 0x80;
const STRING_KIND_MASK: u16 = 0x07;
const STRING_ONE_BYTE: u16 = 0x08;
const STRING_SEQUENTIAL: u16 = 0;
const STRING_CONS: u16 = 1;
const STRING_EXTERNAL: u16 = 2;
const STRING_SLICED: u16 = 3;
const STRING_THIN: u16 = 5;
/// Flag of an external string that does not store the address of its characters.
const STRING_UNCACHED: u16 = 0x10;

/// Flags of a scope, unchanged since V8 8.7.
const SCOPE_HAS_CLASS_VARIABLE: u64 = 1 << 10;
const SCOPE_FUNCTION_NAME_MASK: u64 = 3 << 12;
const SCOPE_HAS_INFERRED_NAME: u64 = 1 << 14;

impl Layout {
    /// Reads the layout from a program's symbols; none if the program does not contain V8, or the
    /// version is unknown.
    pub fn read(headers: &Headers, source: &Source) -> Option<Layout> {
        let symbols = headers.dynamic_integers(source, SYMBOL_PREFIX).ok()?;
        Layout::from_symbols(&symbols)
    }

    fn from_symbols(symbols: &HashMap<String, i32>) -> Option<Layout> {
        // The names of these symbols end with a type, which depends on the version.
        let field = |name: &str| {
            let prefix = format!("class_{name}__");
            let mut found = symbols.iter().filter(|(key, _)| key.starts_with(&prefix));
            let offset = *found.next()?.1;
            ((0..OFFSET_MAX).contains(&offset) && offset % 4 == 0).then_some(offset as u64)
        };
        let kind = |name: &str| u16::try_from(*symbols.get(name)?).ok();
        let number = |name: &str| symbols.get(name).copied();
        // Layouts are known only if V8 does not compress pointers, and if the frames are those of
        // x86-64.
        let is_known = number("SmiValueShift")? == 1
            && number("SmiShiftSize")? == 31
            && number("off_fp_function")? == -16
            && number("off_fp_context")? == -8;
        if !is_known {
            return None;
        }
        let first_variable = number("scopeinfo_idx_first_vars")?;
        if first_variable != 3 && first_variable != 5 {
            return None;
        }
        Some(Layout {
            function_shared: u8::try_from(field("JSFunction__shared")?).ok()?,
            shared_name: field("SharedFunctionInfo__name_or_scope_info")?,
            shared_script: field("SharedFunctionInfo__script_or_debug_info")
                .or_else(|| field("SharedFunctionInfo__script"))?,
            script_name: field("Script__name")?,
            script_source: field("Script__source")?,
            first_variable: first_variable as u64,
            map_type: field("Map__instance_type")?,
            string_length: field("String__length")?,
            string_bytes: field("SeqOneByteString__chars")?,
            cons_first: field("ConsString__first")?,
            cons_second: field("ConsString__second")?,
            sliced_parent: field("SlicedString__parent")?,
            sliced_offset: field("SlicedString__offset")?,
            thin_actual: field("ThinString__actual")?,
            external_data: field("ExternalString__resource")? + 8,
            type_shared: kind("type_SharedFunctionInfo__SHARED_FUNCTION_INFO_TYPE")?,
            type_scope: kind("type_ScopeInfo__SCOPE_INFO_TYPE")?,
            type_script: kind("type_Script__SCRIPT_TYPE")?,
        })
    }
}

/// Characters of a string in the memory of a process. They are at `address`, and have one or two
/// bytes each.
struct Characters {
    address: u64,
    count: u64,
    is_one_byte: bool,
}

/// Starts of the lines of a script, except the first line.
type Lines = Arc<[u32]>;

/// Reads the functions of a program, and remembers the starts of its scripts' lines.
#[derive(Default)]
pub struct Functions {
    lines: HashMap<u64, Option<Lines>>,
    line_count: usize,
    source_bytes: u64,
    read_count: usize,
}

/// Largest number of lines of a program, and largest number of bytes that are read to find them,
/// until scripts are read again.
const PROGRAM_LINES_MAX: usize = 1 << 21;
/// Largest number of lines of all programs; a line takes 4 bytes. Further functions have no line.
const ALL_LINES_MAX: usize = 1 << 22;
static ALL_LINES: AtomicUsize = AtomicUsize::new(0);
const PROGRAM_SOURCE_BYTES_MAX: u64 = 64 << 20;
/// Number of functions after which lines are read again, because the garbage collector may move
/// another script to an address.
const FUNCTIONS_OF_LINES: usize = 1024;

impl Functions {
    /// Reads the function with its description at `shared`; none if there is no valid description.
    pub fn read(&mut self, memory: &impl Memory, layout: &Layout, shared: u64) -> Option<Function> {
        if self.read_count == FUNCTIONS_OF_LINES {
            *self = Functions::default();
        }
        self.read_count += 1;
        let reader = &Reader { memory, layout, strings_left: Cell::new(STRINGS_MAX) };
        if reader.type_of(shared)? != layout.type_shared {
            return None;
        }
        // Functions of V8 itself have no script.
        let script = reader.field(shared, layout.shared_script)?;
        if reader.type_of(script)? != layout.type_script {
            return None;
        }
        let (name, position) = reader.name_and_position(shared)?;
        let file = reader.field(script, layout.script_name)?;
        let file = reader.text(file, FILE_CHARACTERS_MAX).unwrap_or_default();
        let line = position.and_then(|position| {
            let lines = self.lines_of(reader, script)?;
            Some(lines.partition_point(|start| *start <= position) as u32 + 1)
        });
        Some(Function { name, file, line: line.unwrap_or(0) })
    }

    fn lines_of<M: Memory>(&mut self, reader: &Reader<M>, script: u64) -> Option<Lines> {
        if let Some(known) = self.lines.get(&script) {
            return known.clone();
        }
        let is_full = self.line_count >= PROGRAM_LINES_MAX
            || self.source_bytes >= PROGRAM_SOURCE_BYTES_MAX
            || ALL_LINES.load(Ordering::Relaxed) >= ALL_LINES_MAX;
        let lines = if is_full { None } else { self.read_lines(reader, script) };
        let count = lines.as_ref().map_or(0, |lines| lines.len());
        self.line_count += count;
        ALL_LINES.fetch_add(count, Ordering::Relaxed);
        self.lines.insert(script, lines.clone());
        lines
    }

    fn read_lines<M: Memory>(&mut self, reader: &Reader<M>, script: u64) -> Option<Lines> {
        let source = reader.field(script, reader.layout.script_source)?;
        let characters = reader.characters(source, 0)?;
        let width = if characters.is_one_byte { 1 } else { 2 };
        let bytes = characters.count * width;
        if bytes > SOURCE_BYTES_MAX {
            return None;
        }
        self.source_bytes += bytes;
        let mut lines = Vec::new();
        let mut piece = vec![0; SOURCE_PIECE_BYTES.min(bytes as usize)];
        let mut at = 0;
        while at < bytes {
            let length = (bytes - at).min(SOURCE_PIECE_BYTES as u64) as usize;
            let piece = &mut piece[..length];
            if !reader.memory.read(characters.address.checked_add(at)?, piece) {
                return None;
            }
            for (i, unit) in piece.chunks_exact(width as usize).enumerate() {
                if unit[0] == b'\n' && unit.get(1).is_none_or(|high| *high == 0) {
                    lines.push((at / width) as u32 + i as u32 + 1);
                }
            }
            if lines.len() > LINES_MAX {
                return None;
            }
            at += length as u64;
        }
        Some(lines.into())
    }
}

impl Drop for Functions {
    fn drop(&mut self) {
        ALL_LINES.fetch_sub(self.line_count, Ordering::Relaxed);
    }
}

struct Reader<'a, M: Memory> {
    memory: &'a M,
    layout: &'a Layout,
    /// Number of strings that may still be read. It is limited, because a string in malicious
    /// memory may contain itself.
    strings_left: Cell<u32>,
}

/// Returns true for pointers to objects, which end with the bits 01. The low 32 bits of small
/// integers are zero.
fn is_object(value: u64) -> bool {
    value & 3 == 1
}

fn small_integer(value: u64) -> Option<u64> {
    let is_positive = value & 0xffff_ffff == 0 && value >> 63 == 0;
    is_positive.then_some(value >> 32)
}

impl<M: Memory> Reader<'_, M> {
    fn word(&self, address: u64) -> Option<u64> {
        let mut bytes = [0; 8];
        self.memory.read(address, &mut bytes).then(|| u64::from_le_bytes(bytes))
    }

    fn field(&self, object: u64, offset: u64) -> Option<u64> {
        if !is_object(object) {
            return None;
        }
        self.word((object - 1).checked_add(offset)?)
    }

    fn type_of(&self, object: u64) -> Option<u16> {
        let map = self.field(object, 0)?;
        let mut bytes = [0; 2];
        let address = (map & !3).checked_add(self.layout.map_type)?;
        (is_object(map) && self.memory.read(address, &mut bytes)).then(|| u16::from_le_bytes(bytes))
    }

    fn is_string(&self, value: u64) -> bool {
        self.type_of(value).is_some_and(|kind| kind < TYPE_STRINGS_END)
    }

    /// Returns a function's name, and its start as a position in the source.
    fn name_and_position(&self, shared: u64) -> Option<(String, Option<u32>)> {
        let value = self.field(shared, self.layout.shared_name)?;
        if !is_object(value) {
            return Some((String::new(), None));
        }
        let kind = self.type_of(value)?;
        if kind < TYPE_STRINGS_END {
            return Some((self.text(value, NAME_CHARACTERS_MAX)?, None));
        }
        if kind != self.layout.type_scope {
            return None;
        }
        self.scope(value)
    }

    /// Reads a scope. It is a list of words: flags, counts, the names and numbers of variables,
    /// then fields that depend on the flags.
    fn scope(&self, scope: u64) -> Option<(String, Option<u32>)> {
        let word = |i: u64| self.field(scope, 8 + i * 8);
        let flags = word(0)?;
        let flags = small_integer(flags).unwrap_or(flags & 0xffff_ffff);
        let count = small_integer(word(2)?)?;
        let mut at = self.layout.first_variable;
        let has_place_first = at == 5;
        let place = |i: u64| Some((small_integer(word(i)?)?, small_integer(word(i + 1)?)?));
        // A module's scope has another number before its variables.
        let is_module = |i: u64| match (count, word(i)) {
            (0, _) => false,
            (_, Some(value)) => !is_object(value),
            _ => false,
        };
        if is_module(at) {
            at += 1;
        }
        at += if count < VARIABLES_MAX { count * 2 } else { 1 + count };
        if flags & SCOPE_HAS_CLASS_VARIABLE != 0 {
            at += 1;
        }
        let mut name = String::new();
        if flags & SCOPE_FUNCTION_NAME_MASK != 0 {
            let value = word(at)?;
            if self.is_string(value) {
                name = self.text(value, NAME_CHARACTERS_MAX)?;
            }
            at += 2;
        }
        if flags & SCOPE_HAS_INFERRED_NAME != 0 {
            let value = word(at)?;
            if name.is_empty() && self.is_string(value) {
                name = self.text(value, NAME_CHARACTERS_MAX)?;
            }
            at += 1;
        }
        let place = place(if has_place_first { 3 } else { at });
        let start = place.filter(|(start, end)| start <= end).map(|(start, _)| start as u32);
        Some((name, start))
    }

    fn count_string(&self) -> Option<()> {
        self.strings_left.set(self.strings_left.get().checked_sub(1)?);
        Some(())
    }

    /// Returns the characters of a flat string.
    fn characters(&self, string: u64, depth: u32) -> Option<Characters> {
        self.count_string()?;
        if depth > STRING_DEPTH_MAX {
            return None;
        }
        let kind = self.type_of(string).filter(|kind| *kind < TYPE_STRINGS_END)?;
        let layout = self.layout;
        let mut length = [0; 4];
        let address = (string - 1).checked_add(layout.string_length)?;
        if !self.memory.read(address, &mut length) {
            return None;
        }
        let count = u64::from(u32::from_le_bytes(length));
        let is_one_byte = kind & STRING_ONE_BYTE != 0;
        match kind & STRING_KIND_MASK {
            STRING_SEQUENTIAL => {
                let address = (string - 1).checked_add(layout.string_bytes)?;
                Some(Characters { address, count, is_one_byte })
            }
            STRING_EXTERNAL if kind & STRING_UNCACHED == 0 => {
                let address = self.field(string, layout.external_data)?;
                Some(Characters { address, count, is_one_byte })
            }
            STRING_CONS => {
                let second = self.field(string, layout.cons_second)?;
                let second = self.characters(second, depth + 1)?;
                // The string was flattened: its first half contains everything.
                let first = self.field(string, layout.cons_first)?;
                if second.count == 0 { self.characters(first, depth + 1) } else { None }
            }
            STRING_SLICED => {
                let parent = self.field(string, layout.sliced_parent)?;
                let parent = self.characters(parent, depth + 1)?;
                let offset = small_integer(self.field(string, layout.sliced_offset)?)?;
                if offset.checked_add(count)? > parent.count {
                    return None;
                }
                let width = if parent.is_one_byte { 1 } else { 2 };
                let address = parent.address.checked_add(offset * width)?;
                Some(Characters { address, count, is_one_byte: parent.is_one_byte })
            }
            STRING_THIN => self.characters(self.field(string, layout.thin_actual)?, depth + 1),
            _ => None,
        }
    }

    /// Reads the characters of a string, truncated to `max`.
    fn text(&self, string: u64, max: usize) -> Option<String> {
        let mut text = String::new();
        self.append(string, max, 0, &mut text)?;
        Some(text)
    }

    fn append(&self, string: u64, max: usize, depth: u32, text: &mut String) -> Option<()> {
        self.count_string()?;
        if depth > STRING_DEPTH_MAX || text.len() >= max {
            return Some(());
        }
        if let Some(characters) = self.characters(string, depth) {
            let count = characters.count.min((max - text.len()) as u64) as usize;
            let width = if characters.is_one_byte { 1 } else { 2 };
            let mut bytes = vec![0; count * width];
            if !self.memory.read(characters.address, &mut bytes) {
                return None;
            }
            if characters.is_one_byte {
                text.extend(bytes.iter().map(|byte| char::from(*byte)));
            } else {
                let units =
                    bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
                text.extend(char::decode_utf16(units).map(|unit| unit.unwrap_or('\u{fffd}')));
            }
            return Some(());
        }
        let kind = self.type_of(string).filter(|kind| *kind < TYPE_STRINGS_END)?;
        if kind & STRING_KIND_MASK != STRING_CONS {
            return None;
        }
        self.append(self.field(string, self.layout.cons_first)?, max, depth + 1, text)?;
        self.append(self.field(string, self.layout.cons_second)?, max, depth + 1, text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Simulated memory that contains only the words of its objects. Other addresses cannot be
    /// read.
    #[derive(Default)]
    struct Made {
        bytes: HashMap<u64, u8>,
        reads: Cell<usize>,
    }

    impl Memory for Made {
        fn read(&self, address: u64, bytes: &mut [u8]) -> bool {
            self.reads.set(self.reads.get() + 1);
            bytes.iter_mut().enumerate().all(|(i, byte)| {
                let found = address.checked_add(i as u64).and_then(|at| self.bytes.get(&at));
                found.inspect(|value| *byte = **value).is_some()
            })
        }
    }

    impl Made {
        fn put(&mut self, address: u64, bytes: &[u8]) {
            for (i, byte) in bytes.iter().enumerate() {
                self.bytes.insert(address + i as u64, *byte);
            }
        }

        fn words(&mut self, object: u64, offset: u64, words: &[u64]) {
            for (i, word) in words.iter().enumerate() {
                self.put(object - 1 + offset + i as u64 * 8, &word.to_le_bytes());
            }
        }

        /// Sets the type of `object` by giving it a new map.
        fn typed(&mut self, object: u64, kind: u16) {
            let map = object + 0x10_0000;
            self.words(object, 0, &[map]);
            self.put(map - 1 + 12, &kind.to_le_bytes());
        }

        fn string(&mut self, object: u64, text: &[u8]) {
            self.typed(object, STRING_ONE_BYTE);
            self.put(object - 1 + 12, &(text.len() as u32).to_le_bytes());
            self.put(object - 1 + 16, text);
        }

        fn cons(&mut self, object: u64, first: u64, second: u64, length: u32) {
            self.typed(object, STRING_ONE_BYTE | STRING_CONS);
            self.put(object - 1 + 12, &length.to_le_bytes());
            self.words(object, 16, &[first, second]);
        }
    }

    fn layout() -> Layout {
        let symbols = [
            ("SmiValueShift", 1),
            ("SmiShiftSize", 31),
            ("off_fp_function", -16),
            ("off_fp_context", -8),
            ("scopeinfo_idx_first_vars", 3),
            ("class_JSFunction__shared__SharedFunctionInfo", 32),
            ("class_SharedFunctionInfo__name_or_scope_info__Tagged_Object_", 16),
            ("class_SharedFunctionInfo__script__Tagged_HeapObject_", 32),
            ("class_Script__name__Object", 16),
            ("class_Script__source__Object", 8),
            ("class_Map__instance_type__uint16_t", 12),
            ("class_String__length__int32_t", 12),
            ("class_SeqOneByteString__chars__char", 16),
            ("class_ConsString__first__String", 16),
            ("class_ConsString__second__String", 24),
            ("class_SlicedString__parent__String", 16),
            ("class_SlicedString__offset__SMI", 24),
            ("class_ThinString__actual__String", 16),
            ("class_ExternalString__resource__Object", 16),
            ("type_SharedFunctionInfo__SHARED_FUNCTION_INFO_TYPE", 262),
            ("type_ScopeInfo__SCOPE_INFO_TYPE", 261),
            ("type_Script__SCRIPT_TYPE", 167),
        ];
        let symbols = symbols.map(|(name, value)| (name.to_owned(), value)).into();
        Layout::from_symbols(&symbols).expect("all that is needed")
    }

    const SHARED: u64 = 0x1001;
    const SCOPE: u64 = 0x2001;
    const SCRIPT: u64 = 0x3001;
    const NAME: u64 = 0x4001;
    const SOURCE: u64 = 0x5001;
    const FILE: u64 = 0x6001;
    const OTHER: u64 = 0x7001;

    /// Creates a named function in the third line of a script, with one variable.
    fn program() -> Made {
        let number = |value: u64| value << 32;
        let mut made = Made::default();
        made.typed(SHARED, 262);
        made.words(SHARED, 16, &[SCOPE]);
        made.words(SHARED, 32, &[SCRIPT]);
        made.typed(SCOPE, 261);
        let flags = number(1 << 12);
        let words = [flags, 0, number(1), OTHER, 0, NAME, 0, number(13), number(20)];
        made.words(SCOPE, 8, &words);
        made.typed(SCRIPT, 167);
        made.words(SCRIPT, 8, &[SOURCE, FILE]);
        made.string(NAME, b"work");
        made.string(SOURCE, b"first\nsecond\nfunction work() {}\n");
        made.string(FILE, b"/app/\xe9.js");
        made.string(OTHER, b"variable");
        made
    }

    fn read(made: &Made) -> Option<Function> {
        Functions::default().read(made, &layout(), SHARED)
    }

    #[test]
    fn a_function_has_its_name_file_and_line() {
        let want = Function { name: "work".to_owned(), file: "/app/é.js".to_owned(), line: 3 };
        assert_eq!(read(&program()), Some(want));
    }

    #[test]
    fn a_name_in_pieces_is_put_together_up_to_the_limit() {
        let mut made = program();
        made.string(NAME, b"a");
        made.string(NAME + 0x100, b"b");
        made.cons(OTHER, NAME, NAME + 0x100, 2);
        made.words(SHARED, 16, &[OTHER]);
        assert_eq!(read(&made).map(|function| function.name), Some("ab".to_owned()));
        made.string(NAME, &[b'x'; 1000]);
        assert_eq!(read(&made).map(|function| function.name.len()), Some(NAME_CHARACTERS_MAX));
    }

    #[test]
    fn strings_that_contain_themselves_end() {
        let mut made = program();
        made.cons(NAME, NAME, NAME, u32::MAX);
        made.cons(SOURCE, SOURCE, SOURCE, u32::MAX);
        assert!(read(&made).is_none_or(|function| function.name.is_empty()));
        assert!(made.reads.get() < 10_000, "{} reads", made.reads.get());
    }

    #[test]
    fn what_is_no_function_is_none() {
        for (object, kind) in [(SHARED, 261), (SCRIPT, 8), (SCOPE, 262), (NAME, 300)] {
            let mut made = program();
            made.typed(object, kind);
            assert!(read(&made).is_none_or(|it| it.name.is_empty()), "{object:x}");
        }
        // The source claims to be 4 GB, but does not exist.
        let mut made = program();
        made.put(SOURCE - 1 + 12, &u32::MAX.to_le_bytes());
        assert_eq!(read(&made).map(|function| function.line), Some(0));
    }

    /// Damages the memory at random. Reads must not panic, and must not take long.
    #[test]
    fn damaged_memory_ends() {
        let mut state = 7u64;
        let mut random = move || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            state >> 16
        };
        let objects = [SHARED, SCOPE, SCRIPT, NAME, SOURCE, FILE, OTHER];
        for _ in 0..3000 {
            let mut made = program();
            for _ in 0..=random() % 4 {
                let value = match random() % 4 {
                    0 => objects[random() as usize % objects.len()],
                    1 => random() << 32,
                    2 => u64::MAX - random() % 16,
                    _ => random(),
                };
                let object = objects[random() as usize % objects.len()];
                made.words(object, random() % 10 * 8, &[value]);
            }
            let found = read(&made);
            assert!(found.is_none_or(|function| function.name.len() <= 4 * NAME_CHARACTERS_MAX));
            assert!(made.reads.get() < 10_000, "{} reads", made.reads.get());
        }
    }
}
