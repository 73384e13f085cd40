//! Tables of sampled binaries: requests them, finds kernel memory for them, and evicts unused
//! tables.
use super::{HOUSEKEEPING_NANOS, Loop};
use crate::binaries::{Binary, BuildId, IN_USE_NANOS, Identity, TableState};
use crate::code_maps::MappedCode;
use crate::lines::Lines;
use crate::proc_files::open_mapped;
use crate::system::regular_file_key;
use crate::worker::{Done, Task};
use std::collections::HashSet;
use std::rc::Rc;
use std::sync::Arc;

/// One of this number of lines is kept free for new tables. By default, this is 8 MiB; the table of
/// Node takes 5 MiB.
const FREE_SHARE: u32 = 8;

impl Loop {
    /// Requests the table for an address again if it was evicted. The file may have been closed in
    /// the meantime.
    pub(super) fn request_again(&mut self, pid: u32, address: u64) {
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
                    TableState::NoSpace { .. } | TableState::Without => {
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

    /// Assigns a binary to all processes that map a file with the binary's build id. This includes
    /// processes that are never sampled, so that their children start with tables.
    fn resolve_waiting(&mut self, binary: &Arc<Binary>) {
        let Some(Identity { build_id: BuildId::Gnu(id), .. }) = binary.identified() else { return };
        for (pid, known) in &mut self.processes {
            if known.is_pending && known.maps.has_unknown(id) {
                Rc::make_mut(&mut known.maps).resolve(id, binary);
                self.changed.insert(*pid);
            }
        }
    }

    /// Copies a table to the kernel if there is space.
    fn place(&mut self, lines: &Lines) -> TableState {
        if let Some(state) = self.published.add_table(&self.kernel, lines, self.now) {
            return state;
        }
        self.make_room(lines.list.len() as u32)
    }

    /// Evicts idle tables to make space for a new table of `count` lines, if that frees enough
    /// space. Returns the state that the new table has until the space is free.
    fn make_room(&mut self, count: u32) -> TableState {
        let chosen = self.published.choose_tables(&self.idle_tables(), count);
        // Evicted ranges cannot be reused immediately.
        let nanos = if chosen.is_some() { HOUSEKEEPING_NANOS } else { IN_USE_NANOS };
        self.evict(&chosen.unwrap_or_default());
        TableState::NoSpace { count, until: self.now + nanos }
    }

    /// Returns the tables that are not in use, as (first line, count), least used first.
    fn idle_tables(&self) -> Vec<(u32, u32)> {
        let idle = self.binaries.iter().filter_map(|entry| match entry.table {
            TableState::Ready { first, count, .. } if !entry.is_in_use(self.now) => {
                Some((entry.used, entry.binary.id, first, count))
            }
            _ => None,
        });
        let mut idle: Vec<_> = idle.collect();
        idle.sort_unstable();
        idle.into_iter().map(|(_, _, first, count)| (first, count)).collect()
    }

    /// Evicts tables.
    fn evict(&mut self, tables: &[(u32, u32)]) {
        if tables.is_empty() {
            return;
        }
        let mut ids = HashSet::new();
        for entry in self.binaries.iter_mut() {
            if let TableState::Ready { first, count, .. } = entry.table
                && tables.contains(&(first, count))
            {
                entry.table = TableState::Evicted;
                ids.insert(entry.binary.id);
            }
        }
        self.totals.tables_evicted += ids.len() as u64;
        self.change_users(&ids);
        let users = self.changed.clone();
        self.publish_changes();
        // The lines can be freed only when no published mapping refers to them.
        for pid in users.intersection(&self.changed) {
            self.kernel.remove_process(*pid);
            let known = self.processes.get_mut(pid).expect("it has changed");
            if let Some(run) = known.run.take() {
                self.published.release_run(&self.kernel, run, self.now);
            }
        }
        for (first, count) in tables {
            self.published.free_table(*first, *count, self.now);
        }
    }

    /// Keeps space free for requested tables, and retries tables that did not fit. A table is
    /// compiled again only when there is enough space for it.
    pub(super) fn keep_space(&mut self) {
        let wanted = (self.published.line_capacity() / FREE_SHARE)
            .saturating_sub(self.published.free_lines());
        let mut sum = 0;
        let mut tables = self.idle_tables();
        tables.retain(|(_, count)| {
            let goes = sum < wanted;
            sum += if goes { *count } else { 0 };
            goes
        });
        self.evict(&tables);
        let mut ids = HashSet::new();
        for (id, count, is_in_use) in self.binaries.without_space(self.now) {
            let table = if self.published.has_space(count, self.now) {
                ids.insert(id);
                TableState::Evicted
            } else if is_in_use {
                self.make_room(count)
            } else {
                TableState::NoSpace { count, until: self.now + IN_USE_NANOS }
            };
            self.binaries.get_mut(id).expect("it is without room").table = table;
        }
        self.change_users(&ids);
    }

    /// Marks the processes that use the tables of these binaries as changed.
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
