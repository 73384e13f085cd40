//! Known processes: sampled processes, and processes that started after sampling began.
use crate::code_maps::CodeMaps;
use crate::interpreters::InProcess;
use crate::names::Slots;
use crate::proc_files::Details;
use crate::published::Run;
use crate::v8::Layout;
use std::rc::Rc;
use std::sync::Arc;

/// Largest number of changes of a program's control group that are followed. If a group is
/// "threaded", the threads of a program may be in several groups, and each sample may show a
/// change.
const CGROUPS_FOLLOWED_MAX: u8 = 8;

/// Control group of the sampled threads of a process.
#[derive(Clone, Copy, Default)]
pub struct Cgroup {
    /// Id of the group; 0 if it is unknown or changes too often.
    pub id: u64,
    moves: u8,
}

impl Cgroup {
    /// Records the group of a sample. Returns true if it has changed, so that its name must be
    /// read.
    pub fn follow(&mut self, id: u64) -> bool {
        if id == self.id || self.moves > CGROUPS_FOLLOWED_MAX {
            return false;
        }
        self.moves += 1;
        self.id = if self.moves > CGROUPS_FOLLOWED_MAX { 0 } else { id };
        true
    }
}

pub struct Known {
    /// Start in CLOCK_BOOTTIME; 0 until the first sample.
    pub start: u64,
    /// 0 until the first sample.
    pub parent: u32,
    /// Number of the program, increased by each exec.
    pub program: u32,
    pub maps: Rc<CodeMaps>,
    pub run: Option<Rc<Run>>,
    pub details: Option<Arc<Details>>,
    /// Control group for which the details were read.
    pub cgroup: Cgroup,
    pub name_readings: u8,
    pub is_sampled: bool,
    /// True if the maps are complete, because they come from /proc, or from all records of the
    /// kernel since exec.
    pub has_all_maps: bool,
    /// True if a table may be missing.
    pub is_pending: bool,
    /// Time of the last read of /proc, and the number of consecutive reads that did not help.
    pub looked: u64,
    pub failed_looks: u32,
    /// End of the process; 0 while it runs.
    pub ended: u64,
    pub v8: Option<Arc<Layout>>,
    pub interpreter: Option<InProcess>,
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
            cgroup: Cgroup::default(),
            name_readings: 0,
            is_sampled: false,
            has_all_maps: false,
            is_pending: false,
            looked: 0,
            failed_looks: 0,
            ended: 0,
            v8: None,
            interpreter: None,
            functions: Slots::default(),
        }
    }

    /// Returns the entry for a child of this process. A child starts with the memory of its parent.
    pub fn forked(&self, program: u32) -> Known {
        Known {
            maps: self.maps.clone(),
            run: self.run.clone(),
            details: self.details.clone(),
            cgroup: self.cgroup,
            has_all_maps: self.has_all_maps,
            is_pending: self.is_pending,
            v8: self.v8.clone(),
            interpreter: self.interpreter.clone(),
            ..Known::new(program)
        }
    }

    /// Returns true if /proc may be read again. The delay is 100 ms after the first failure, and
    /// doubles with each further failure.
    pub fn may_look(&self, now: u64) -> bool {
        self.failed_looks == 0 || now - self.looked > 50_000_000 << self.failed_looks.min(9)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_followed_to_few_groups() {
        let mut group = Cgroup::default();
        assert!(!group.follow(0) && group.follow(7) && !group.follow(7) && group.follow(9));
        assert_eq!(group.id, 9);
        // The threads are in two groups.
        let changes = (0..40).filter(|i| group.follow(7 + i % 2)).count();
        assert_eq!(changes, usize::from(CGROUPS_FOLLOWED_MAX) - 1);
        assert_eq!(group.id, 0);
    }
}
