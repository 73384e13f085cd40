//! Ruby in a file: its version, and the addresses of its structures. `versions.rs` has the offsets
//! in these structures, `code.rs` reads code from the memory of a process.
use crate::elf::{Headers, Source, Symbol};
use crate::layout::{
    LANGUAGE_RUBY, LANGUAGE_RUBY_IN_CALLEE, RUBY_GLOBAL, RUBY_OF_LIBRARY, RUBY_OF_PROGRAM,
    RubyOffsets, RubyProgram,
};
use machine::Machine;
use std::collections::HashMap;

mod classes;
pub mod code;
pub mod lines;
mod machine;
mod objects;
mod symbols;
mod versions;

pub use versions::Fields;

/// Ruby in a file. Its addresses are addresses in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Full version, such as 3.1.2.
    pub version: String,
    pub offsets: RubyOffsets,
    pub fields: Fields,
    loop_range: (u64, u64),
    place: Place,
    /// Addresses of the variables that point to the classes Object and String.
    object_class: u64,
    string_class: u64,
    /// Addresses of variables; one of the variables points to the table of symbols.
    symbol_tables: Vec<u64>,
}

/// Location of a thread's pointer to its context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Global { address: u64 },
    OfProgram { offset: i64 },
    OfLibrary { number_at: u64, offset: i64 },
}

const VERSION: &str = "ruby_version";
const VERSION_BYTES_MAX: u64 = 16;
const LOOP: &str = "rb_vm_exec";
/// Largest size in bytes of a function that only calls the loop. The loop itself has at least
/// 40,000 bytes.
const CALLER_OF_LOOP_BYTES_MAX: u64 = 8192;
/// Functions that end with a jump to the loop. They are used for files that have no symbol for the
/// loop.
const JUMPS_TO_LOOP: [&str; 2] = ["rb_iseq_eval", "rb_iseq_eval_main"];
const CONTEXT: &str = "ruby_current_ec";
/// A function that starts by reading the context. It is used for files that have no symbol for the
/// context.
const READS_CONTEXT: &str = "rb_profile_frames";
const GLOBAL_CONTEXT: &str = "ruby_current_execution_context_ptr";
const OBJECT_CLASS: &str = "rb_cObject";
const STRING_CLASS: &str = "rb_cString";
const SYMBOL_NAME: &str = "rb_id2str";

impl Layout {
    /// Reads the layout of a file; none if it does not contain Ruby.
    pub fn read(headers: &Headers, source: &Source) -> Option<Result<Layout, String>> {
        let wanted = [
            VERSION,
            LOOP,
            JUMPS_TO_LOOP[0],
            JUMPS_TO_LOOP[1],
            CONTEXT,
            READS_CONTEXT,
            GLOBAL_CONTEXT,
            OBJECT_CLASS,
            STRING_CLASS,
            SYMBOL_NAME,
        ];
        let symbols = headers.dynamic_symbols(source, VERSION, &wanted).ok()?;
        // Extensions may use this symbol without containing Ruby.
        let version = *symbols.get(VERSION)?;
        Some(Layout::from_symbols(headers, source, &symbols, version))
    }

    fn from_symbols(
        headers: &Headers,
        source: &Source,
        symbols: &HashMap<&str, Symbol>,
        version: Symbol,
    ) -> Result<Layout, String> {
        let version = headers
            .bytes_at(source, version.address, version.bytes.min(VERSION_BYTES_MAX))
            .and_then(|bytes| String::from_utf8(bytes).ok())
            .ok_or("Ruby has no version")?;
        let version = version.trim_end_matches('\0').to_owned();
        let why = |why: String| format!("Ruby {version}: {why}");
        let symbol = |name: &str| {
            let found = symbols.get(name).copied();
            found.ok_or_else(|| why(format!("there is no symbol {name}")))
        };
        let row = versions::find(&version).map_err(why)?;
        let machine = Machine { headers, source };
        let code = match symbols.get(LOOP) {
            Some(code) => *code,
            None => {
                let [first, second] = JUMPS_TO_LOOP;
                machine.common_jump(symbol(first)?, symbol(second)?).map_err(why)?
            }
        };
        let is_in_callee = code.bytes < CALLER_OF_LOOP_BYTES_MAX;
        let language = if is_in_callee { LANGUAGE_RUBY_IN_CALLEE } else { LANGUAGE_RUBY };
        let place = match (symbols.get(GLOBAL_CONTEXT), symbols.get(CONTEXT)) {
            (Some(global), _) => Place::Global { address: global.address },
            (_, Some(context)) => place_in_storage(headers, source, *context).map_err(why)?,
            _ => {
                let found = machine.first_variable_of_thread(symbol(READS_CONTEXT)?);
                let (number_at, offset) =
                    found.ok_or_else(|| why(format!("{READS_CONTEXT} is not understood")))?;
                Place::OfLibrary { number_at, offset }
            }
        };
        Ok(Layout {
            offsets: RubyOffsets { language, ..row.offsets },
            fields: row.fields,
            loop_range: (code.address, code.bytes),
            place,
            object_class: symbol(OBJECT_CLASS)?.address,
            string_class: symbol(STRING_CLASS)?.address,
            symbol_tables: machine.variables(symbol(SYMBOL_NAME)?),
            version,
        })
    }

    /// Returns the first entry for the kernel; `bias` is the difference between process addresses
    /// and file addresses.
    pub fn program(&self, bias: u64) -> RubyProgram {
        let (place, address, offset) = match self.place {
            Place::Global { address } => (RUBY_GLOBAL, address.wrapping_add(bias), 0),
            Place::OfProgram { offset } => (RUBY_OF_PROGRAM, 0, offset),
            Place::OfLibrary { number_at, offset } => {
                (RUBY_OF_LIBRARY, number_at.wrapping_add(bias), offset)
            }
        };
        RubyProgram {
            loop_start: self.loop_range.0.wrapping_add(bias),
            address,
            offset,
            loop_bytes: u32::try_from(self.loop_range.1).unwrap_or(0),
            place,
            ..RubyProgram::default()
        }
    }
}

/// Returns where the context is in thread-local storage. The storage of a program ends at the
/// address in register fs. For a library, a relocation has the address of the library's module
/// number.
fn place_in_storage(headers: &Headers, source: &Source, symbol: Symbol) -> Result<Place, String> {
    let offset = i64::try_from(symbol.address).map_err(|error| error.to_string())?;
    if headers.is_program() {
        let bytes = headers.storage_bytes().ok_or("it has no thread-local storage")?;
        let bytes = i64::try_from(bytes).map_err(|error| error.to_string())?;
        return Ok(Place::OfProgram { offset: offset - bytes });
    }
    let number_at =
        headers.storage_number(source).ok_or("it does not ask for its thread-local storage")?;
    Ok(Place::OfLibrary { number_at, offset })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub fn layout_of(version: &str) -> Layout {
        let row = versions::find(version).expect("it is known");
        Layout {
            version: version.to_owned(),
            offsets: row.offsets,
            fields: row.fields,
            loop_range: (0, 0),
            place: Place::Global { address: 0 },
            object_class: 0x8000,
            string_class: 0x8008,
            symbol_tables: vec![0x8010, 0x8018],
        }
    }

    #[test]
    fn an_unknown_version_says_so() {
        let why = |version| versions::find(version).err().unwrap_or_default();
        assert_eq!(why("3.1.2"), "");
        assert_eq!(why("3.10.2"), "the version is unknown");
        assert_eq!(why("1.9.3"), "the version is unknown");
    }
}
