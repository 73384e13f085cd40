//! Machine code of the interpreter's loop, from the unwinding information of the file. Code that
//! PHP has compiled runs in the stack frame of the loop, so its callers are found as those of an
//! instruction in the loop.
use crate::elf::{Headers, Source, Symbol};
use gimli::{CfaRule, UnwindSection};

type Bytes<'a> = gimli::EndianSlice<'a, gimli::LittleEndian>;

/// Code of the loop. Its addresses are those in the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LoopCode {
    pub start: u64,
    pub bytes: u32,
    /// Part of the loop that the compiler has moved elsewhere; 0 bytes if there is none.
    pub cold_start: u64,
    pub cold_bytes: u32,
    /// Offset of an instruction after the prologue.
    pub body: u32,
    /// Size of the stack frame from rsp to the caller's; 0 if rbp points to it.
    pub frame_bytes: u16,
}

/// Offset of the caller's frame from rbp in functions that keep a frame pointer.
const FRAME_POINTER_BYTES: i64 = 16;

impl LoopCode {
    pub fn read(headers: &Headers, source: &Source, code: Symbol) -> Result<LoopCode, String> {
        let section = headers.unwind_section(source)?.ok_or("there is no .eh_frame")?;
        let frames = gimli::EhFrame::new(&section.bytes, gimli::LittleEndian);
        let bases = gimli::BaseAddresses::default().set_eh_frame(section.address);
        LoopCode::from_frames(&frames, &bases, code)
            .map_err(|error| format!("the loop has no unwinding information: {error}"))?
            .ok_or_else(|| "the stack frame of the loop is unknown".to_owned())
    }

    fn from_frames(
        frames: &gimli::EhFrame<Bytes>,
        bases: &gimli::BaseAddresses,
        code: Symbol,
    ) -> Result<Option<LoopCode>, gimli::Error> {
        let mut entries = frames.entries(bases);
        let mut next = || -> Result<Option<_>, gimli::Error> {
            while let Some(entry) = entries.next()? {
                if let gimli::CieOrFde::Fde(partial) = entry {
                    return partial.parse(gimli::EhFrame::cie_from_offset).map(Some);
                }
            }
            Ok(None)
        };
        while let Some(entry) = next()? {
            if entry.initial_address() != code.address {
                continue;
            }
            // The row of most instructions is that of the body.
            let rows = rows(frames, bases, &entry)?;
            let Some(&(start, end, cfa)) = rows.iter().max_by_key(|(start, end, _)| end - start)
            else {
                return Ok(None);
            };
            let (Some(frame_bytes), Ok(bytes), Ok(body)) = (
                frame_bytes(cfa),
                u32::try_from(code.bytes.min(entry.len())),
                u32::try_from((start + (end - start) / 2).wrapping_sub(code.address)),
            ) else {
                return Ok(None);
            };
            let mut found =
                LoopCode { start: code.address, bytes, body, frame_bytes, ..LoopCode::default() };
            // Compilers describe the other part next, where the stack frame exists from the start.
            if let Some(other) = next()?
                && self::rows(frames, bases, &other)?.first().is_some_and(|row| row.2 == cfa)
            {
                found.cold_start = other.initial_address();
                found.cold_bytes = u32::try_from(other.len()).unwrap_or(0);
            }
            return Ok(Some(found));
        }
        Ok(None)
    }
}

/// Register and offset from which the caller's frame starts.
type Cfa = (gimli::Register, i64);

/// Returns the start, end and caller's frame of each range of instructions.
fn rows(
    frames: &gimli::EhFrame<Bytes>,
    bases: &gimli::BaseAddresses,
    entry: &gimli::FrameDescriptionEntry<Bytes>,
) -> Result<Vec<(u64, u64, Cfa)>, gimli::Error> {
    let mut context = gimli::UnwindContext::new();
    let mut table = entry.rows(frames, bases, &mut context)?;
    let mut found = Vec::new();
    while let Some(row) = table.next_row()? {
        if let CfaRule::RegisterAndOffset { register, offset } = *row.cfa() {
            found.push((row.start_address(), row.end_address(), (register, offset)));
        }
    }
    Ok(found)
}

fn frame_bytes((register, offset): Cfa) -> Option<u16> {
    match register {
        gimli::X86_64::RSP => u16::try_from(offset).ok().filter(|bytes| *bytes > 8),
        gimli::X86_64::RBP => (offset == FRAME_POINTER_BYTES).then_some(0),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: u64 = 0x1000;
    const BYTES: u32 = 0x4000;
    const RSP: u8 = 7;
    const RBP: u8 = 6;
    const R10: u8 = 10;

    /// A description of a function, or of what functions have in common.
    fn record(id: u32, content: &[u8]) -> Vec<u8> {
        let mut content = content.to_vec();
        content.resize(content.len().next_multiple_of(8), 0);
        let length = (content.len() as u32 + 4).to_le_bytes();
        [&length[..], &id.to_le_bytes(), &content].concat()
    }

    /// Instructions for the caller's frame, by offset in the code.
    fn instructions(rows: &[(u8, u8, u8)]) -> Vec<u8> {
        let mut last = 0;
        let mut bytes = Vec::new();
        for &(at, register, offset) in rows {
            // DW_CFA_advance_loc1, then DW_CFA_def_cfa with a number of two bytes.
            if at > last {
                bytes.extend([2, at - last]);
            }
            bytes.extend([12, register, offset | 0x80, offset >> 7]);
            last = at;
        }
        bytes
    }

    /// Returns the loop of a file with two functions.
    fn read(of_loop: &[(u8, u8, u8)], of_next: &[(u8, u8, u8)]) -> Option<LoopCode> {
        // Version, no augmentation, alignments 1 and -8, return address in register 16; the
        // caller's frame is at rsp + 8.
        let mut bytes = record(0, &[1, 0, 1, 0x78, 16, 12, RSP, 8]);
        for (start, length, rows) in [(START, u64::from(BYTES), of_loop), (0x100, 0x40, of_next)] {
            let content = [&start.to_le_bytes()[..], &length.to_le_bytes(), &instructions(rows)];
            // The distance to the record of what is common.
            bytes.extend(record(bytes.len() as u32 + 4, &content.concat()));
        }
        bytes.extend([0; 4]);
        let frames = gimli::EhFrame::new(&bytes, gimli::LittleEndian);
        let bases = gimli::BaseAddresses::default().set_eh_frame(0);
        let code = Symbol { address: START, bytes: u64::from(BYTES) };
        LoopCode::from_frames(&frames, &bases, code).expect("it is readable")
    }

    #[test]
    fn the_body_has_the_longest_row_and_may_go_on_elsewhere() {
        let want = LoopCode {
            start: START,
            bytes: BYTES,
            cold_start: 0x100,
            cold_bytes: 0x40,
            body: 0x2008,
            frame_bytes: 160,
        };
        let rows = [(4, RSP, 40), (0x10, RSP, 160)];
        assert_eq!(read(&rows, &[(0, RSP, 160)]), Some(want));
        let whole = LoopCode { cold_start: 0, cold_bytes: 0, ..want };
        assert_eq!(read(&rows, &[(4, RSP, 160)]), Some(whole), "another function follows");
        let with_pointer = read(&[(0x10, RBP, 16)], &[(0, RBP, 16)]);
        assert_eq!(with_pointer, Some(LoopCode { frame_bytes: 0, ..want }));
        assert_eq!(read(&[(4, R10, 0)], &[]), None);
        assert_eq!(read(&[], &[]), None, "it has no stack frame");
    }
}
