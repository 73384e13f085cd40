//! Reads the kernel's records about processes: code mappings, exec, fork and exit, with the build
//! ids of files. They come from a dummy perf event on each CPU.
use crate::kernel::online_cpus;
use crate::system::{PerfAttributes, SharedMemory, open_perf_event};
use std::os::fd::{AsFd, AsRawFd, OwnedFd, RawFd};
use std::sync::atomic::{AtomicU64, Ordering};

/// A change of a process. `time` is in nanoseconds of CLOCK_MONOTONIC.
pub struct Record {
    pub time: u64,
    pub change: Change,
}

pub enum Change {
    /// Executable memory was mapped, or memory became executable.
    Map(NewMapping),
    Exec {
        pid: u32,
    },
    Fork {
        pid: u32,
        parent: u32,
    },
    Exit {
        pid: u32,
    },
    /// Number of lost records.
    Lost(u64),
}

pub struct NewMapping {
    pub pid: u32,
    pub start: u64,
    pub end: u64,
    pub offset: u64,
    /// Path as in /proc/PID/maps.
    pub path: Vec<u8>,
    /// Build id of the file; empty if the kernel does not know it.
    pub build_id: Vec<u8>,
}

struct Ring {
    _event: OwnedFd,
    memory: SharedMemory,
}

/// The records of all CPUs.
pub struct Records {
    rings: Vec<Ring>,
    scratch: Vec<u8>,
}

const PAGE_BYTES: usize = 4096;
const RING_PAGES: usize = 32;
const RING_BYTES: usize = RING_PAGES * PAGE_BYTES;
/// Offsets in the first page of a ring.
const HEAD_OFFSET: usize = 1024;
const TAIL_OFFSET: usize = 1032;

impl Records {
    /// Starts recording. Kernels before 5.12 do not report build ids.
    pub fn open() -> Result<Records, String> {
        let mut rings = Vec::new();
        for cpu in online_cpus()? {
            let event = open_event(cpu, true).or_else(|_| open_event(cpu, false))?;
            let memory = SharedMemory::map(event.as_fd(), 0, PAGE_BYTES + RING_BYTES)?;
            rings.push(Ring { _event: event, memory });
        }
        Ok(Records { rings, scratch: Vec::new() })
    }

    pub fn descriptors(&self) -> impl Iterator<Item = RawFd> + '_ {
        self.rings.iter().map(|ring| ring._event.as_raw_fd())
    }

    /// Reads all records that have arrived.
    pub fn read(&mut self, to: &mut Vec<Record>) {
        for ring in &self.rings {
            ring.read(&mut self.scratch, to);
        }
    }
}

fn open_event(cpu: u32, has_build_ids: bool) -> Result<OwnedFd, String> {
    const SOFTWARE: u32 = 1;
    const DUMMY: u64 = 9;
    const SAMPLE_TIME: u64 = 1 << 2;
    const MAP: u64 = 1 << 8;
    const NAME: u64 = 1 << 9;
    const TASK: u64 = 1 << 13;
    const WATERMARK: u64 = 1 << 14;
    const SAMPLE_ID_ALL: u64 = 1 << 18;
    const MAP2: u64 = 1 << 23;
    const NAME_AT_EXEC: u64 = 1 << 24;
    const CLOCK: u64 = 1 << 25;
    const BUILD_ID: u64 = 1 << 34;
    let flags = MAP | NAME | TASK | WATERMARK | SAMPLE_ID_ALL | MAP2 | NAME_AT_EXEC | CLOCK;
    let mut attributes = PerfAttributes {
        kind: SOFTWARE,
        config: DUMMY,
        sample_type: SAMPLE_TIME,
        flags: flags | if has_build_ids { BUILD_ID } else { 0 },
        wakeup: 1,
        clock: libc::CLOCK_MONOTONIC,
        ..PerfAttributes::default()
    };
    open_perf_event(&mut attributes, cpu)
}

impl Ring {
    fn position(&self, offset: usize) -> &AtomicU64 {
        // SAFETY: this is an aligned word in the first page, which the kernel and the reader use as
        // an atomic.
        unsafe { &*self.memory.at(offset).cast::<AtomicU64>() }
    }

    fn read(&self, scratch: &mut Vec<u8>, to: &mut Vec<Record>) {
        let head = self.position(HEAD_OFFSET).load(Ordering::Acquire);
        let mut tail = self.position(TAIL_OFFSET).load(Ordering::Relaxed);
        while tail < head {
            self.copy(tail, 8, scratch);
            let size = usize::from(u16::from_le_bytes([scratch[6], scratch[7]]));
            if size < 8 {
                break;
            }
            self.copy(tail, size, scratch);
            if let Some(record) = parse(scratch) {
                to.push(record);
            }
            tail += size as u64;
        }
        self.position(TAIL_OFFSET).store(head, Ordering::Release);
    }

    fn copy(&self, position: u64, bytes: usize, to: &mut Vec<u8>) {
        to.clear();
        for i in 0..bytes as u64 {
            let at = PAGE_BYTES + ((position + i) as usize & (RING_BYTES - 1));
            // SAFETY: the address is inside the memory, and the kernel does not write between tail
            // and head.
            to.push(unsafe { self.memory.at(at).read_volatile() });
        }
    }
}

const KIND_LOST: u32 = 2;
const KIND_NAME: u32 = 3;
const KIND_EXIT: u32 = 4;
const KIND_FORK: u32 = 7;
const KIND_MAP2: u32 = 10;
const MISC_EXEC: u16 = 1 << 13;
const MISC_BUILD_ID: u16 = 1 << 14;

fn parse(record: &[u8]) -> Option<Record> {
    let u16_at = |at: usize| Some(u16::from_le_bytes(record.get(at..at + 2)?.try_into().ok()?));
    let u32_at = |at: usize| Some(u32::from_le_bytes(record.get(at..at + 4)?.try_into().ok()?));
    let u64_at = |at: usize| Some(u64::from_le_bytes(record.get(at..at + 8)?.try_into().ok()?));
    let misc = u16_at(4)?;
    let pid = u32_at(8)?;
    let change = match u32_at(0)? {
        KIND_MAP2 => {
            let path = record.get(72..record.len().checked_sub(8)?)?;
            let path = path.split(|byte| *byte == 0).next()?.to_vec();
            let start = u64_at(16)?;
            let id_bytes = usize::from(*record.get(40)?).min(20);
            let has_id = misc & MISC_BUILD_ID != 0;
            Change::Map(NewMapping {
                pid,
                start,
                end: start.checked_add(u64_at(24)?)?,
                offset: u64_at(32)?,
                path,
                build_id: if has_id { record.get(44..44 + id_bytes)?.to_vec() } else { Vec::new() },
            })
        }
        KIND_NAME if misc & MISC_EXEC != 0 => Change::Exec { pid },
        // Records of threads have the id of their process. A process ends when its first thread
        // ends.
        KIND_FORK if pid != u32_at(12)? => Change::Fork { pid, parent: u32_at(12)? },
        KIND_EXIT if pid == u32_at(16)? => Change::Exit { pid },
        KIND_LOST => Change::Lost(u64_at(16)?),
        _ => return None,
    };
    let time = u64_at(record.len().checked_sub(8)?)?;
    Some(Record { time, change })
}
