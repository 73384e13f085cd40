//! The known processes: those sampled, and those that started after sampling did.
use crate::code_maps::CodeMaps;
use crate::names::Slots;
use crate::proc_files::Details;
use crate::published::{PythonInProcess, Run};
use crate::v8::Layout;
use std::rc::Rc;
use std::sync::Arc;

pub struct Known {
    /// CLOCK_BOOTTIME; 0 until the first sample.
    pub start: u64,
    /// 0 until the first sample.
    pub parent: u32,
    /// Number of the program: each exec takes the next.
    pub program: u32,
    pub maps: Rc<CodeMaps>,
    pub run: Option<Rc<Run>>,
    pub details: Option<Arc<Details>>,
    pub name_readings: u8,
    pub is_sampled: bool,
    /// True if the maps are complete: from /proc, or from the kernel's records since exec.
    pub has_all_maps: bool,
    /// True if a table may be missing.
    pub is_pending: bool,
    /// Time of the last look into /proc, and the number of looks that did not help.
    pub looked: u64,
    pub failed_looks: u32,
    /// Time when the process ended; 0 while it runs.
    pub ended: u64,
    pub v8: Option<Arc<Layout>>,
    pub python: Option<PythonInProcess>,
    pub functions: Slots,
}

impl Known {
    pub fn new(program: u32) -> Known {
        Known {
            start: 0,
            parent: 0,
            program,
            maps: Rc::default(),
            run: None,
            details: None,
            name_readings: 0,
            is_sampled: false,
            has_all_maps: false,
            is_pending: false,
            looked: 0,
            failed_looks: 0,
            ended: 0,
            v8: None,
            python: None,
            functions: Slots::default(),
        }
    }

    /// A child starts with the memory of its parent.
    pub fn forked(&self, program: u32) -> Known {
        Known {
            maps: self.maps.clone(),
            run: self.run.clone(),
            details: self.details.clone(),
            has_all_maps: self.has_all_maps,
            is_pending: self.is_pending,
            v8: self.v8.clone(),
            python: self.python.clone(),
            ..Known::new(program)
        }
    }

    /// Returns true if it is time to read /proc again: after 100 ms, then after twice as long each
    /// time.
    pub fn may_look(&self, now: u64) -> bool {
        self.failed_looks == 0 || now - self.looked > 50_000_000 << self.failed_looks.min(9)
    }
}
