//! Memory that is read in blocks, because most of the time of a short read is the system call, and
//! the memory of a function may be freed within a millisecond.
use crate::v8::Memory;
use std::cell::RefCell;

const BLOCK_BYTES: u64 = 256;
/// Longer reads have no blocks.
const READ_BYTES_MAX: usize = 1024;

/// Memory as it was when each block was read for the first time.
pub struct Blocks<'a, M: Memory> {
    memory: &'a M,
    known: RefCell<Vec<(u64, [u8; BLOCK_BYTES as usize])>>,
}

impl<'a, M: Memory> Blocks<'a, M> {
    pub fn new(memory: &'a M) -> Blocks<'a, M> {
        Blocks { memory, known: RefCell::default() }
    }

    /// Copies bytes of the block that starts at `start`.
    fn copy(&self, start: u64, offset: usize, bytes: &mut [u8]) -> bool {
        let mut known = self.known.borrow_mut();
        let at = match known.iter().position(|(own, _)| *own == start) {
            Some(at) => at,
            None => {
                let mut block = [0; BLOCK_BYTES as usize];
                if !self.memory.read(start, &mut block) {
                    return false;
                }
                known.push((start, block));
                known.len() - 1
            }
        };
        bytes.copy_from_slice(&known[at].1[offset..][..bytes.len()]);
        true
    }
}

impl<M: Memory> Memory for Blocks<'_, M> {
    fn read(&self, address: u64, bytes: &mut [u8]) -> bool {
        if address.checked_add(bytes.len() as u64).is_none() {
            return false;
        }
        if bytes.len() > READ_BYTES_MAX {
            return self.memory.read(address, bytes);
        }
        let mut done = 0;
        while done < bytes.len() {
            let at = address + done as u64;
            let offset = (at % BLOCK_BYTES) as usize;
            let count = (bytes.len() - done).min(BLOCK_BYTES as usize - offset);
            let part = &mut bytes[done..done + count];
            // A process could have a part of a block only in memory that is no memory of its own.
            if !self.copy(at - offset as u64, offset, part) && !self.memory.read(at, part) {
                return false;
            }
            done += count;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// Memory from 0x1000 to 0x2010, whose bytes are the lowest of their addresses, and the number
    /// of reads.
    #[derive(Default)]
    struct Counted(Cell<usize>);

    impl Memory for Counted {
        fn read(&self, address: u64, bytes: &mut [u8]) -> bool {
            self.0.set(self.0.get() + 1);
            for (byte, at) in bytes.iter_mut().zip(address..) {
                *byte = at as u8;
            }
            address >= 0x1000 && address + bytes.len() as u64 <= 0x2010
        }
    }

    #[test]
    fn each_block_is_read_once() {
        let memory = Counted::default();
        let blocks = Blocks::new(&memory);
        let check = |address: u64, length: usize, reads: usize| {
            let before = memory.0.get();
            let mut bytes = vec![0; length];
            assert!(blocks.read(address, &mut bytes), "{address:x}");
            let want: Vec<u8> = (address..).take(length).map(|at| at as u8).collect();
            assert_eq!(bytes, want, "{address:x}");
            assert_eq!(memory.0.get() - before, reads, "{address:x}");
        };
        check(0x1010, 8, 1);
        check(0x1020, 100, 0);
        check(0x10f0, 0x20, 1);
        check(0x1000, 1024, 2);
        check(0x1000, 1025, 1);
        check(0x1300, 0, 0);
        // A block with an end that cannot be read.
        check(0x2000, 16, 2);
        assert!(!blocks.read(0x2008, &mut [0; 9]));
        assert!(!blocks.read(0xf0, &mut [0; 8]));
        assert!(!blocks.read(u64::MAX - 3, &mut [0; 8]));
    }
}
