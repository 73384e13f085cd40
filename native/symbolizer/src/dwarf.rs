//! Finds functions, files and lines in DWARF, including inlined calls.
//!
//! Split units are in the same file, because clients add them before the upload, as the sections of
//! a package (.dwp). DWARF that dwz has moved is in a second file.
use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use addr2line::{Context, LookupContinuation, LookupResult, SplitDwarfLoad};
use demangle::{Mode, demangle};
use gimli::{
    AttributeValue, DebugInfoOffset, DwarfFileType, DwarfPackage, EndianSlice, Reader,
    RunTimeEndian, Section, SectionId, UnitHeader, UnitOffset,
};
use object::{Object, ObjectSection};

use crate::wire::{
    Answer, FLAG_ALTERNATE_FILE, FLAG_INVALID_DWARF, FLAG_NO_DWARF, FLAG_SPLIT_DWARF, Source,
};

type Slice<'data> = EndianSlice<'data, RunTimeEndian>;
type Dwarf<'data> = gimli::Dwarf<Slice<'data>>;
type Unit<'data> = gimli::Unit<Slice<'data>>;

/// Largest number of references to follow from a call to the declaration of its function. Real
/// files have up to two.
const ORIGINS_MAX: usize = 16;

/// DWARF of one file.
pub struct Lines<'data> {
    context: Context<Slice<'data>>,
    dwarf: Arc<Dwarf<'data>>,
    /// Split units.
    package: Option<DwarfPackage<Slice<'data>>>,
    units: OnceCell<Units<'data>>,
    alternate_units: OnceCell<Units<'data>>,
    missing: Cell<u32>,
}

impl<'data> Lines<'data> {
    /// `alternate` is the file that .gnu_debugaltlink refers to. Errors: a flag with the reason why
    /// there are no lines.
    pub fn load(
        file: &object::File<'data>,
        alternate: Option<&object::File<'data>>,
    ) -> Result<Self, u32> {
        if !has_section(file, ".debug_info") && !has_section(file, ".zdebug_info") {
            return Err(FLAG_NO_DWARF);
        }
        let missing = Cell::new(0);
        let mut dwarf = Dwarf::load(|id| read_section(file, id.name(), &missing))
            .map_err(|_: gimli::Error| FLAG_INVALID_DWARF)?;
        if has_section(file, ".gnu_debugaltlink") || has_section(file, ".debug_sup") {
            match alternate {
                Some(other) => dwarf
                    .load_sup(|id| read_section(other, id.name(), &missing))
                    .map_err(|_: gimli::Error| FLAG_INVALID_DWARF)?,
                None => missing.set(missing.get() | FLAG_ALTERNATE_FILE),
            }
        }
        hide_lines_of_partial_units(&mut dwarf);
        let package = load_package(file, &missing);
        let dwarf = Arc::new(dwarf);
        let context = Context::from_arc_dwarf(dwarf.clone()).map_err(|_| FLAG_INVALID_DWARF)?;
        let (units, alternate_units) = (OnceCell::new(), OnceCell::new());
        Ok(Lines { context, dwarf, package, units, alternate_units, missing })
    }

    /// Returns the flags for missing parts of DWARF that were needed so far.
    pub fn missing(&self) -> u32 {
        self.missing.get()
    }

    /// Adds the calls at an address to the answer. If there are none, adds nothing and returns
    /// false. `symbol` returns the function's name in the symbol table.
    pub fn add_frames(
        &self,
        address: u64,
        mode: Mode,
        symbol: impl FnOnce() -> Option<&'data str>,
        answer: &mut Answer,
    ) -> bool {
        let Ok(mut frames) = self.finish(self.context.find_frames(address)) else {
            return false;
        };
        let mut calls = Vec::new();
        while let Ok(Some(frame)) = frames.next() {
            let Some(offset) = frame.dw_die_offset else {
                continue;
            };
            let name = frame.function.and_then(|name| Some(name.raw_name().ok()?.into_owned()));
            let place = frame.location;
            calls.push(Call {
                system_name: name.unwrap_or_default(),
                file: place.as_ref().and_then(|place| place.file).unwrap_or("").to_string(),
                line: place.as_ref().and_then(|place| place.line).unwrap_or(0),
                start_line: self.declared_line(address, offset).unwrap_or(0),
                column: place.and_then(|place| place.column).unwrap_or(0),
            });
        }
        let Some(outermost) = calls.last_mut() else {
            return false;
        };
        // DWARF has no linkage names for functions that are local to a file, such as lambdas. Names
        // in a missing file are unknown, too.
        let is_unnamed = outermost.system_name.is_empty();
        if !is_mangled(&outermost.system_name)
            && let Some(name) = symbol().filter(|name| is_unnamed || is_mangled(name))
        {
            outermost.system_name = name.to_string();
        }
        calls.retain(|call| !call.system_name.is_empty());
        if calls.is_empty() {
            return false;
        }
        answer.begin_address(Source::Dwarf);
        for call in &calls {
            answer.add_frame(
                &demangle(&call.system_name, mode),
                &call.system_name,
                &call.file,
                call.line,
                call.start_line,
                call.column,
            );
        }
        true
    }

    /// Returns the file and the line of the innermost call at an address.
    pub fn place_of(&self, address: u64) -> Option<(String, u32)> {
        let place = self.context.find_location(address).ok()??;
        Some((place.file.unwrap_or("").to_string(), place.line.unwrap_or(0)))
    }

    /// Finishes a lookup by loading the units that it needs.
    fn finish<L: LookupContinuation<Buf = Slice<'data>>>(
        &self,
        mut result: LookupResult<L>,
    ) -> L::Output {
        loop {
            result = match result {
                LookupResult::Output(output) => return output,
                LookupResult::Load { load, continuation } => {
                    continuation.resume(self.split_unit(&load))
                }
            };
        }
    }

    /// Returns a split unit.
    fn split_unit(&self, load: &SplitDwarfLoad<Slice<'data>>) -> Option<Arc<Dwarf<'data>>> {
        let package = self.package.as_ref();
        let found = package.map(|package| package.find_cu(load.dwo_id, &load.parent));
        match found {
            Some(Ok(Some(unit))) => return Some(Arc::new(unit)),
            Some(Err(_)) => self.missing.set(self.missing.get() | FLAG_INVALID_DWARF),
            None | Some(Ok(None)) => self.missing.set(self.missing.get() | FLAG_SPLIT_DWARF),
        }
        None
    }

    /// Returns DW_AT_decl_line of a function or of its abstract origin.
    fn declared_line(&self, address: u64, offset: UnitOffset<usize>) -> Option<u32> {
        let first = self.finish(self.context.find_dwarf_and_unit(address))?;
        let is_split = first.dwarf.file_type == DwarfFileType::Dwo;
        let mut is_alternate = false;
        let mut at = offset;
        let mut other: Option<Rc<Unit<'data>>> = None;
        for _ in 0..ORIGINS_MAX {
            let unit: &Unit<'data> = other.as_deref().unwrap_or(first.unit);
            let entry = unit.entry(at).ok()?;
            if let Some(line) =
                entry.attr_value(gimli::DW_AT_decl_line).and_then(|value| value.udata_value())
            {
                return u32::try_from(line).ok();
            }
            let origin = entry
                .attr_value(gimli::DW_AT_abstract_origin)
                .or_else(|| entry.attr_value(gimli::DW_AT_specification))?;
            let target = match origin {
                AttributeValue::UnitRef(next) => {
                    at = next;
                    continue;
                }
                AttributeValue::DebugInfoRef(target) => target,
                AttributeValue::DebugInfoRefSup(target) if !is_split => {
                    is_alternate = true;
                    target
                }
                _ => return None,
            };
            if is_split {
                at = target.to_unit_offset(&first.unit.header)?;
                continue;
            }
            let (found, next) = self.unit_at(target, is_alternate)?;
            (other, at) = (Some(found), next);
        }
        None
    }

    /// Returns the unit of an entry, in this file or in the alternate file.
    fn unit_at(
        &self,
        target: DebugInfoOffset<usize>,
        is_alternate: bool,
    ) -> Option<(Rc<Unit<'data>>, UnitOffset<usize>)> {
        if !is_alternate {
            return self.units.get_or_init(|| Units::of(&self.dwarf)).find(&self.dwarf, target);
        }
        let alternate = self.dwarf.sup()?;
        self.alternate_units.get_or_init(|| Units::of(alternate)).find(alternate, target)
    }
}

/// Units of a file, parsed on demand.
struct Units<'data> {
    /// Headers in the order of the file.
    headers: Vec<UnitHeader<Slice<'data>>>,
    parsed: RefCell<HashMap<usize, Option<Rc<Unit<'data>>>>>,
}

impl<'data> Units<'data> {
    fn of(dwarf: &Dwarf<'data>) -> Self {
        let mut headers = Vec::new();
        let mut all = dwarf.units();
        while let Ok(Some(header)) = all.next() {
            headers.push(header);
        }
        Units { headers, parsed: RefCell::default() }
    }

    fn find(
        &self,
        dwarf: &Dwarf<'data>,
        target: DebugInfoOffset<usize>,
    ) -> Option<(Rc<Unit<'data>>, UnitOffset<usize>)> {
        let after = self.headers.partition_point(|header| {
            header.debug_info_offset().is_none_or(|offset| offset.0 <= target.0)
        });
        let index = after.checked_sub(1)?;
        let header = self.headers[index];
        let offset = target.to_unit_offset(&header)?;
        let mut parsed = self.parsed.borrow_mut();
        let unit = parsed.entry(index).or_insert_with(|| dwarf.unit(header).ok().map(Rc::new));
        Some((unit.clone()?, offset))
    }
}

/// A call at an address.
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

/// Loads the index of split units; None if there are none.
fn load_package<'data>(
    file: &object::File<'data>,
    missing: &Cell<u32>,
) -> Option<DwarfPackage<Slice<'data>>> {
    if !has_section(file, ".debug_cu_index") {
        return None;
    }
    let load = |id: SectionId| -> Result<Slice<'data>, gimli::Error> {
        id.dwo_name().map_or(Ok(slice(file, &[])), |name| read_section(file, name, missing))
    };
    let package = DwarfPackage::load(load, slice(file, &[])).ok();
    if package.is_none() {
        missing.set(missing.get() | FLAG_INVALID_DWARF);
    }
    package
}

/// Renames the line program attribute of partial units, which dwz creates.
///
/// If a unit has no ranges, the addr2line library computes them from its line program. Before DWARF
/// 5, the header does not show that a unit is partial, so partial units would hide functions of the
/// units that include them.
fn hide_lines_of_partial_units(dwarf: &mut Dwarf<'_>) {
    let reader = *dwarf.debug_abbrev.reader();
    let places = lines_of_partial_units(reader.slice());
    if places.is_empty() {
        return;
    }
    let mut bytes = reader.slice().to_vec();
    for place in places {
        bytes[place] = gimli::DW_AT_encoding.0 as u8;
    }
    // The process exits after its answer, so the copy may stay in memory.
    dwarf.debug_abbrev = EndianSlice::new(bytes.leak(), reader.endian()).into();
}

/// Returns the offsets of the attribute DW_AT_stmt_list, which takes one byte, in the abbreviations
/// of partial units. If the section is damaged, some are missing.
fn lines_of_partial_units(section: &[u8]) -> Vec<usize> {
    let mut places = Vec::new();
    let mut rest = EndianSlice::new(section, RunTimeEndian::Little);
    let mut read = || -> Result<(), gimli::Error> {
        while !rest.is_empty() {
            if rest.read_uleb128()? == 0 {
                continue;
            }
            let is_partial = rest.read_uleb128()? == u64::from(gimli::DW_TAG_partial_unit.0);
            rest.read_u8()?;
            loop {
                let at = section.len() - rest.len();
                let (name, form) = (rest.read_uleb128()?, rest.read_uleb128()?);
                if form == u64::from(gimli::DW_FORM_implicit_const.0) {
                    rest.read_sleb128()?;
                }
                if name == 0 && form == 0 {
                    break;
                }
                if is_partial && section[at] == gimli::DW_AT_stmt_list.0 as u8 {
                    places.push(at);
                }
            }
        }
        Ok(())
    };
    let _ = read();
    places
}

/// Returns the content of a section, decompressed; empty if it is missing or damaged.
fn read_section<'data>(
    file: &object::File<'data>,
    name: &str,
    missing: &Cell<u32>,
) -> Result<Slice<'data>, gimli::Error> {
    let data = match file.section_by_name(name).map(|section| section.uncompressed_data()) {
        Some(Ok(Cow::Borrowed(bytes))) => bytes,
        // The process exits after its answer, so decompressed bytes may stay in memory.
        Some(Ok(Cow::Owned(bytes))) => bytes.leak(),
        // The section does not fit into the file, or into the memory of this process.
        Some(Err(_)) => {
            missing.set(missing.get() | FLAG_INVALID_DWARF);
            &[]
        }
        None => &[],
    };
    Ok(slice(file, data))
}

fn slice<'data>(file: &object::File<'_>, data: &'data [u8]) -> Slice<'data> {
    let endian = if file.is_little_endian() { RunTimeEndian::Little } else { RunTimeEndian::Big };
    EndianSlice::new(data, endian)
}

fn has_section(file: &object::File<'_>, name: &str) -> bool {
    file.section_by_name(name).is_some_and(|section| section.size() > 0)
}
