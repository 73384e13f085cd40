//! Finds functions, files and lines by DWARF, including inlined calls.
use std::borrow::Cow;

use addr2line::Context;
use gimli::{AttributeValue, EndianSlice, RunTimeEndian, UnitOffset};
use object::{Object, ObjectSection};

use crate::demangle::{self, Mode};
use crate::wire::{
    Answer, FLAG_ALTERNATE_FILE, FLAG_INVALID_DWARF, FLAG_NO_DWARF, FLAG_SPLIT_DWARF, Source,
};

type Slice<'data> = EndianSlice<'data, RunTimeEndian>;

/// References from a call to its function's declaration; real ones have two.
const ORIGINS_MAX: usize = 16;
/// Number of units that are checked for split DWARF: compilers split all or none.
const UNITS_ASKED: usize = 64;

/// The DWARF of one file.
pub struct Lines<'data> {
    context: Context<Slice<'data>>,
    /// Flags for parts that lie in other files.
    pub missing: u32,
}

impl<'data> Lines<'data> {
    /// Errors: the flag that says why there are no lines.
    pub fn load(file: &object::File<'data>) -> Result<Self, u32> {
        if !has_section(file, ".debug_info") && !has_section(file, ".zdebug_info") {
            return Err(FLAG_NO_DWARF);
        }
        let endian =
            if file.is_little_endian() { RunTimeEndian::Little } else { RunTimeEndian::Big };
        let mut missing = 0;
        let load = |id: gimli::SectionId| -> Result<Slice<'data>, gimli::Error> {
            let data =
                match file.section_by_name(id.name()).map(|section| section.uncompressed_data()) {
                    Some(Ok(Cow::Borrowed(bytes))) => bytes,
                    // The process ends with its answer, so what was decompressed may live as long.
                    Some(Ok(Cow::Owned(bytes))) => bytes.leak(),
                    // Past the end of the file, or too large for the memory of this process.
                    Some(Err(_)) => {
                        missing |= FLAG_INVALID_DWARF;
                        &[]
                    }
                    None => &[],
                };
            Ok(EndianSlice::new(data, endian))
        };
        let dwarf = gimli::Dwarf::load(load).map_err(|_| FLAG_INVALID_DWARF)?;
        if has_section(file, ".gnu_debugaltlink") {
            missing |= FLAG_ALTERNATE_FILE;
        }
        if is_split(&dwarf) {
            missing |= FLAG_SPLIT_DWARF;
        }
        let context = Context::from_dwarf(dwarf).map_err(|_| FLAG_INVALID_DWARF)?;
        Ok(Lines { context, missing })
    }

    /// Adds the calls at an address to the answer; false, and nothing, when there are none.
    /// `symbol` is the name that the symbol table has for the function.
    pub fn add_frames(
        &self,
        address: u64,
        mode: Mode,
        symbol: impl FnOnce() -> Option<&'data str>,
        answer: &mut Answer,
    ) -> bool {
        let Ok(mut frames) = self.context.find_frames(address).skip_all_loads() else {
            return false;
        };
        let mut calls = Vec::new();
        while let Ok(Some(frame)) = frames.next() {
            let Some(function) = frame.function else {
                continue;
            };
            let Ok(system_name) = function.raw_name() else {
                continue;
            };
            let place = frame.location;
            calls.push(Call {
                system_name: system_name.into_owned(),
                file: place.as_ref().and_then(|place| place.file).unwrap_or("").to_string(),
                line: place.as_ref().and_then(|place| place.line).unwrap_or(0),
                start_line: frame
                    .dw_die_offset
                    .and_then(|offset| self.declared_line(address, offset))
                    .unwrap_or(0),
                column: place.and_then(|place| place.column).unwrap_or(0),
            });
        }
        let Some(outermost) = calls.last_mut() else {
            return false;
        };
        // Functions that are local to a file, such as lambdas, have no linkage name in DWARF.
        if !is_mangled(&outermost.system_name)
            && let Some(name) = symbol().filter(|name| is_mangled(name))
        {
            outermost.system_name = name.to_string();
        }
        answer.begin_address(Source::Dwarf);
        for call in &calls {
            answer.add_frame(
                &demangle::demangle(&call.system_name, mode),
                &call.system_name,
                &call.file,
                call.line,
                call.start_line,
                call.column,
            );
        }
        true
    }

    /// Returns DW_AT_decl_line of a function, or of what it is an instance of.
    fn declared_line(&self, address: u64, offset: UnitOffset<usize>) -> Option<u32> {
        let unit = self.context.find_dwarf_and_unit(address).skip_all_loads()?;
        let mut at = offset;
        for _ in 0..ORIGINS_MAX {
            let entry = unit.entry(at).ok()?;
            if let Some(line) =
                entry.attr_value(gimli::DW_AT_decl_line).and_then(|value| value.udata_value())
            {
                return u32::try_from(line).ok();
            }
            let origin = entry
                .attr_value(gimli::DW_AT_abstract_origin)
                .or_else(|| entry.attr_value(gimli::DW_AT_specification))?;
            at = match origin {
                AttributeValue::UnitRef(next) => next,
                AttributeValue::DebugInfoRef(next) => next.to_unit_offset(&unit)?,
                _ => return None,
            };
        }
        None
    }
}

/// One call at an address.
struct Call {
    system_name: String,
    file: String,
    line: u32,
    start_line: u32,
    column: u32,
}

fn is_mangled(name: &str) -> bool {
    name.starts_with("_Z") || name.starts_with("_R")
}

/// Returns true if the lines of a file are in other files, which the compiler split off.
fn is_split(dwarf: &gimli::Dwarf<Slice<'_>>) -> bool {
    let mut headers = dwarf.units();
    for _ in 0..UNITS_ASKED {
        let Ok(Some(header)) = headers.next() else {
            return false;
        };
        if let Ok(unit) = dwarf.unit(header)
            && let Ok(Some(_)) = unit.dwo_name()
        {
            return true;
        }
    }
    false
}

fn has_section(file: &object::File<'_>, name: &str) -> bool {
    file.section_by_name(name).is_some_and(|section| section.size() > 0)
}
