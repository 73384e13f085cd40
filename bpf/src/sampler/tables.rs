//! Tables of the binaries that are sampled: asks for them, finds room for them in the kernel, and
//! evicts those that are no longer used.
use super::{HOUSEKEEPING_NANOS, Loop};
use crate::binaries::{Binary, BuildId, Identity, TableState};
use crate::code_maps::MappedCode;
use crate::lines::Lines;
use crate::proc_files::open_mapped;
use crate::system::regular_file_key;
use crate::worker::{Done, Task};
use std::collections::HashSet;
use std::rc::Rc;
use std::sync::Arc;

/// A table that was used in this time is not evicted for another.
const IN_USE_NANOS: u64 = 10_000_000_000;
/// Inverse of the share of lines that is kept free for new tables. By default, this share is 8 MiB;
/// the table of Node has 5 MiB.
const FREE_SHARE: u32 = 8;

impl Loop {
    /// Asks for the table of an address if it was evicted. Its file may have been closed since.
    pub(super) fn ask_again(&mut self, pid: u32, address: u64) {
        let known = self.processes.get(&pid).expect("the caller has it");
        let Some(mapped) = known.maps.find(address) else { return };
        let Some(binary) = &mapped.binary else { return };
        let key = self.binaries.get(binary.id).and_then(|entry| entry.key);
        let Some(serving) = self.binaries.serving(binary.id) else { return };
        if serving.table != TableState::Evicted {
            return;
        }
        if let Some(key) = key
            && !serving.binary.is_open()
        {
            let descriptor = open_mapped(pid, &mapped.line(key.inode));
            let same = descriptor.filter(|found| regular_file_key(found) == Some(key));
            *serving.binary.unread.lock().expect("no panic holds it") = same;
        }
        let id = serving.binary.id;
        self.binaries.get_mut(id).expect("it serves").table = TableState::Absent;
        self.request_table(id);
    }

    pub(super) fn request_tables(&mut self, pid: u32) {
        let known = self.processes.get_mut(&pid).expect("the caller has it");
        known.is_pending = true;
        let maps = known.maps.clone();
        for mapped in maps.list() {
            if let Some(binary) = &mapped.binary {
                self.request_table(binary.id);
            }
        }
    }

    fn request_table(&mut self, id: u32) {
        let Some(serving) = self.binaries.serving(id).map(|entry| entry.binary.id) else { return };
        let entry = self.binaries.get_mut(serving).expect("it serves");
        if entry.table != TableState::Absent {
            return;
        }
        if entry.binary.identity.get().is_some() {
            entry.table = TableState::Requested;
            self.worker.add(Task::Compile(entry.binary.clone()));
        } else {
            entry.is_wanted = true;
        }
    }

    pub(super) fn note_done(&mut self, done: Done) {
        match done {
            Done::Identified(binary) => {
                self.binaries.note_identity(binary.id);
                self.resolve_waiting(&binary);
                let Some(entry) = self.binaries.get_mut(binary.id) else { return };
                if std::mem::take(&mut entry.is_wanted) {
                    self.request_table(binary.id);
                }
                self.change_pending();
            }
            Done::Compiled { binary, result, nanos } => {
                self.totals.table_build_nanos += nanos;
                let table = result.map_or(TableState::Without, |lines| self.place(&lines));
                match table {
                    TableState::NoRoom { .. } | TableState::Without => {
                        self.totals.tables_failed += 1
                    }
                    _ => self.totals.tables_built += 1,
                }
                let now = self.now;
                if let Some(entry) = self.binaries.get_mut(binary.id) {
                    entry.table = table;
                    entry.used = now;
                }
                self.change_users(&HashSet::from([binary.id]));
            }
        }
    }

    /// Gives a binary to the processes that map a file of its build id. Parents that are never
    /// sampled are among them: their children start with tables.
    fn resolve_waiting(&mut self, binary: &Arc<Binary>) {
        let Some(Identity { build_id: BuildId::Gnu(id), .. }) = binary.identified() else { return };
        for (pid, known) in &mut self.processes {
            if known.is_pending && known.maps.has_unknown(id) {
                Rc::make_mut(&mut known.maps).resolve(id, binary);
                self.changed.insert(*pid);
            }
        }
    }

    /// Copies a table to the kernel, if there is room.
    fn place(&mut self, lines: &Lines) -> TableState {
        if let Some(state) = self.published.add_table(&self.kernel, lines, self.now) {
            return state;
        }
        // What is evicted now must rest first.
        let has_evicted = self.evict(lines.list.len() as u32);
        let nanos = if has_evicted { HOUSEKEEPING_NANOS } else { IN_USE_NANOS };
        TableState::NoRoom { until: self.now + nanos }
    }

    /// Evicts the tables that were not used for the longest time, until they had `count` lines or
    /// all others are in use. Returns true if there was one.
    fn evict(&mut self, count: u32) -> bool {
        let ready = self.binaries.iter().filter_map(|entry| match entry.table {
            TableState::Ready { first, count, .. } => {
                Some((entry.used, entry.binary.id, first, count))
            }
            _ => None,
        });
        let mut ready: Vec<_> = ready.collect();
        ready.sort_unstable();
        let mut sum = 0;
        ready.retain(|(used, _, _, lines)| {
            let goes = sum < count && self.now.saturating_sub(*used) >= IN_USE_NANOS;
            sum += if goes { *lines } else { 0 };
            goes
        });
        if ready.is_empty() {
            return false;
        }
        let ids: HashSet<u32> = ready.iter().map(|(_, id, _, _)| *id).collect();
        for id in &ids {
            self.binaries.get_mut(*id).expect("it is ready").table = TableState::Evicted;
        }
        self.totals.tables_evicted += ids.len() as u64;
        self.change_users(&ids);
        let users = self.changed.clone();
        self.publish_changes();
        // The lines may be freed only when no run refers to them.
        for pid in users.intersection(&self.changed) {
            self.kernel.remove_process(*pid);
            let known = self.processes.get_mut(pid).expect("it has changed");
            if let Some(run) = known.run.take() {
                self.published.release_run(&self.kernel, run, self.now);
            }
        }
        for (_, _, first, count) in ready {
            self.published.free_table(first, count, self.now);
        }
        true
    }

    /// Keeps room for tables that are asked for, and looks again for those that found none.
    pub(super) fn keep_room(&mut self) {
        let wanted = (self.published.line_capacity() / FREE_SHARE)
            .saturating_sub(self.published.free_lines());
        if wanted > 0 {
            self.evict(wanted);
        }
        let mut ids = HashSet::new();
        for entry in self.binaries.iter_mut() {
            if matches!(entry.table, TableState::NoRoom { until } if until <= self.now) {
                entry.table = TableState::Evicted;
                ids.insert(entry.binary.id);
            }
        }
        self.change_users(&ids);
    }

    /// Marks the processes that use the tables of binaries.
    fn change_users(&mut self, ids: &HashSet<u32>) {
        if ids.is_empty() {
            return;
        }
        let serves = |mapped: &MappedCode| {
            let binary = mapped.binary.as_ref().and_then(|it| self.binaries.serving(it.id));
            binary.is_some_and(|entry| ids.contains(&entry.binary.id))
        };
        let users = self
            .processes
            .iter()
            .filter(|(_, known)| known.run.is_some() && known.maps.list().iter().any(serves));
        self.changed.extend(users.map(|(pid, _)| *pid));
    }

    fn change_pending(&mut self) {
        let pending = self.processes.iter().filter(|(_, known)| known.is_pending);
        self.changed.extend(pending.map(|(pid, _)| *pid));
    }
}
