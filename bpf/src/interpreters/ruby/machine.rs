//! Finds addresses that have no symbols in the machine code of functions that have symbols. Bytes
//! may look like an instruction but be something else, so results are checked before use.
use crate::elf::{Headers, Source, Symbol};
use gimli::UnwindSection;

const CODE_BYTES: u64 = 192;
const FUNCTION_BYTES_MAX: u64 = 4096;
const VARIABLES_MAX: usize = 32;

pub struct Machine<'a, 'b> {
    pub headers: &'a Headers,
    pub source: &'a Source<'b>,
}

impl Machine<'_, '_> {
    /// Returns the variables that the start of a function reads, and the variables that its callees
    /// read.
    pub fn variables(&self, function: Symbol) -> Vec<u64> {
        let own = self.code(function.address, function.bytes.min(CODE_BYTES));
        let mut found = variables(&own, function.address);
        for address in targets(&own, function.address, 1, |bytes| matches!(bytes[0], 0xe8 | 0xe9)) {
            found.extend(variables(&self.code(address, CODE_BYTES), address));
        }
        found.sort_unstable();
        found.dedup();
        found.truncate(VARIABLES_MAX);
        found
    }

    /// Returns the only function that both functions jump to.
    pub fn common_jump(&self, first: Symbol, second: Symbol) -> Result<Symbol, String> {
        let [of_first, of_second] = [first, second].map(|function| self.jumps(function));
        let mut common: Vec<u64> =
            of_first.into_iter().filter(|target| of_second.contains(target)).collect();
        common.dedup();
        match common[..] {
            [address] => self.function_at(address),
            _ => Err(format!("{} functions may have the loop", common.len())),
        }
    }

    /// Returns the targets of `jmp` instructions with a four-byte distance that lead out of the
    /// function.
    fn jumps(&self, function: Symbol) -> Vec<u64> {
        let code = self.code(function.address, function.bytes.min(FUNCTION_BYTES_MAX));
        let mut jumps = targets(&code, function.address, 1, |bytes| bytes[0] == 0xe9);
        jumps.retain(|target| target.wrapping_sub(function.address) >= function.bytes);
        jumps.sort_unstable();
        jumps
    }

    /// Returns the function that starts at an address, according to the unwinding information.
    fn function_at(&self, address: u64) -> Result<Symbol, String> {
        let section = self.headers.unwind_section(self.source)?.ok_or("there is no .eh_frame")?;
        let frames = gimli::EhFrame::new(&section.bytes, gimli::LittleEndian);
        let bases = gimli::BaseAddresses::default().set_eh_frame(section.address);
        let entry = frames
            .fde_for_address(&bases, address, gimli::EhFrame::cie_from_offset)
            .map_err(|error| format!("the loop has no unwinding information: {error}"))?;
        if entry.initial_address() != address {
            return Err("the loop does not start a function".to_owned());
        }
        Ok(Symbol { address, bytes: entry.len() })
    }

    /// Returns the first thread-local variable that a function reads. The result is the address of
    /// its library's module number, and the variable's offset in the library's storage.
    pub fn first_variable_of_thread(&self, function: Symbol) -> Option<(u64, i64)> {
        let code = self.code(function.address, function.bytes.min(CODE_BYTES));
        // data16 lea disp(%rip),%rdi
        let loads =
            targets(&code, function.address, 4, |bytes| bytes[..4] == [0x66, 0x48, 0x8d, 0x3d]);
        let number_at = *loads.first()?;
        let offset = self.headers.bytes_at(self.source, number_at.checked_add(8)?, 8)?;
        Some((number_at, i64::from_le_bytes(offset.try_into().ok()?)))
    }

    /// Returns the code at an address. The result has fewer bytes at the end of the file.
    fn code(&self, address: u64, bytes: u64) -> Vec<u8> {
        let lengths = [bytes, bytes.min(32)];
        let read = |length: &u64| self.headers.bytes_at(self.source, address, *length);
        lengths.iter().find_map(read).unwrap_or_default()
    }
}

/// Returns the addresses from which `mov disp(%rip), reg` instructions read a word.
fn variables(code: &[u8], address: u64) -> Vec<u64> {
    targets(code, address, 3, |bytes| {
        bytes[0] & 0xfb == 0x48 && bytes[1] == 0x8b && bytes[2] & 0xc7 == 0x05
    })
}

/// Returns the targets of wanted instructions, which consist of `skipped` bytes and a four-byte
/// distance.
fn targets(
    code: &[u8],
    address: u64,
    skipped: usize,
    is_wanted: impl Fn(&[u8]) -> bool,
) -> Vec<u64> {
    let bytes = skipped + 4;
    let wanted = code.windows(bytes).enumerate().filter(|(_, part)| is_wanted(part));
    wanted
        .map(|(at, part)| {
            let distance = i32::from_le_bytes(part[skipped..].try_into().expect("4 bytes"));
            let end = address.wrapping_add((at + bytes) as u64);
            end.wrapping_add_signed(i64::from(distance))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_says_what_it_reads_and_calls() {
        // mov 0x10(%rip),%rbp; jmp .-0x20
        let code = [0x48, 0x8b, 0x2d, 0x10, 0, 0, 0, 0xe9, 0xe0, 0xff, 0xff, 0xff];
        assert_eq!(variables(&code, 0x1000), [0x1017]);
        assert_eq!(targets(&code, 0x1000, 1, |bytes| bytes[0] == 0xe9), [0xfec]);
        assert!(variables(&code[..6], 0x1000).is_empty());
    }
}
