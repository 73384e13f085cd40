//! Files with code: their identity, and the state of their tables.
use crate::elf::{Headers, Load, Source};
use crate::interpreters;
use crate::lines::Lines;
use crate::system::{FileKey, reopen};
use crate::table::{self, Limits};
use crate::v8::Layout;
use sha2::{Digest, Sha256};
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex, OnceLock};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryKind {
    File,
    Vdso,
    Anonymous,
    Unknown,
}

/// A file with code. Batches share it, and may keep it longer than the sampling thread does.
pub struct Binary {
    /// Index in `Binaries`.
    pub id: u32,
    pub kind: BinaryKind,
    pub identity: OnceLock<Result<Identity, String>>,
    /// The file, opened only as a path (O_PATH) until it is identified or its table is compiled
    /// again.
    pub unread: Mutex<Option<OwnedFd>>,
    /// The file, open for reading after its identification. It is closed when the descriptor is
    /// needed for other files.
    pub file: Mutex<Option<Arc<File>>>,
    /// Set when the table is compiled.
    pub v8: OnceLock<Option<Arc<Layout>>>,
    pub interpreter: OnceLock<Option<Result<Arc<interpreters::Layout>, String>>>,
}

pub struct Identity {
    pub loads: Vec<Load>,
    pub code: (u64, u64),
    pub build_id: BuildId,
    pub is_go: bool,
    pub bytes: u64,
    /// Size of the unwinding information in bytes.
    pub unwind_bytes: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BuildId {
    Gnu(Vec<u8>),
    Go(String),
    Hash(Vec<u8>),
}

const NOTE_GNU_BUILD_ID: u32 = 3;
const NOTE_GO_BUILD_ID: u32 = 4;
const HASHED_BYTES: u64 = 4096;

impl Identity {
    pub fn read(source: &Source, bytes: u64) -> Result<Identity, String> {
        let headers = Headers::read(source)?;
        let of_go = headers.note(source, b"Go\0\0", NOTE_GO_BUILD_ID);
        let is_go = of_go.is_some();
        let build_id = match headers.note(source, b"GNU\0", NOTE_GNU_BUILD_ID) {
            Some(id) if !id.is_empty() => BuildId::Gnu(id),
            _ => match of_go {
                Some(id) => BuildId::Go(String::from_utf8_lossy(&id).into_owned()),
                None => BuildId::Hash(hash(source, bytes)?),
            },
        };
        let code = headers.code().unwrap_or((0, 0));
        let unwind_bytes = headers.unwind_bytes(source);
        Ok(Identity { loads: headers.loads, code, build_id, is_go, bytes, unwind_bytes })
    }
}

fn hash(source: &Source, bytes: u64) -> Result<Vec<u8>, String> {
    let length = bytes.min(HASHED_BYTES);
    let digest = Sha256::new()
        .chain_update(source.read(0, length, HASHED_BYTES)?)
        .chain_update(source.read(bytes - length, length, HASHED_BYTES)?)
        .chain_update(bytes.to_le_bytes())
        .finalize();
    Ok(digest.to_vec())
}

impl Binary {
    pub fn new(id: u32, kind: BinaryKind, unread: Option<OwnedFd>) -> Arc<Binary> {
        Arc::new(Binary {
            id,
            kind,
            identity: OnceLock::new(),
            unread: Mutex::new(unread),
            file: Mutex::new(None),
            v8: OnceLock::new(),
            interpreter: OnceLock::new(),
        })
    }

    pub fn identified(&self) -> Option<&Identity> {
        self.identity.get()?.as_ref().ok()
    }

    /// Returns true for ELF files and for files that are not read yet. Other mapped files exist,
    /// because shared memory may contain compiled code.
    pub fn is_elf(&self) -> bool {
        let has_file = matches!(self.kind, BinaryKind::File | BinaryKind::Vdso);
        has_file && self.identity.get().is_none_or(Result::is_ok)
    }

    /// Reads the identity; may block on the disk.
    pub fn identify(&self) {
        let Some(unread) = self.unread.lock().expect("no panic holds it").take() else { return };
        let result = reopen(&unread).and_then(|file| {
            let bytes = file.metadata().map_err(|error| error.to_string())?.len();
            let identity = Identity::read(&Source::File(&file), bytes)?;
            *self.file.lock().expect("no panic holds it") = Some(Arc::new(file));
            Ok(identity)
        });
        // Set only once, because only the worker identifies files.
        let _ = self.identity.set(result);
    }

    /// Describes the interpreter in the binary, and whether its frames can be unwound; '' if there
    /// is none.
    pub fn describe_interpreter(&self) -> String {
        match self.interpreter.get() {
            Some(Some(Ok(layout))) => format!("{}: names and lines", layout.title()),
            Some(Some(Err(why))) => format!("only native frames: {why}"),
            _ => String::new(),
        }
    }

    pub fn is_open(&self) -> bool {
        self.file.lock().expect("no panic holds it").is_some()
    }

    /// Returns the file, opened for reading; may block on the disk.
    fn opened(&self) -> Option<Arc<File>> {
        let unread = self.unread.lock().expect("no panic holds it").take();
        if let Some(file) = unread.and_then(|unread| reopen(&unread).ok()) {
            *self.file.lock().expect("no panic holds it") = Some(Arc::new(file));
        }
        self.file.lock().expect("no panic holds it").clone()
    }

    /// Compiles the table; may block on the disk.
    pub fn compile(&self, limits: Limits) -> Result<Lines, String> {
        if self.kind == BinaryKind::Vdso {
            let table = table::compile(&Source::Bytes(vdso()), limits)?;
            return Lines::pack(&table, limits.lines_max);
        }
        match self.opened() {
            Some(file) => {
                let source = Source::File(&file);
                self.v8.get_or_init(|| {
                    let headers = Headers::read(&source).ok()?;
                    Layout::read(&headers, &source).map(Arc::new)
                });
                self.interpreter.get_or_init(|| {
                    let headers = Headers::read(&source).ok()?;
                    Some(interpreters::Layout::read(&headers, &source)?.map(Arc::new))
                });
                Lines::pack(&table::compile(&source, limits)?, limits.lines_max)
            }
            None => Err("it is not open".to_owned()),
        }
    }
}

/// Returns the vDSO of this process, which is the same in all 64-bit processes.
pub fn vdso() -> &'static [u8] {
    static IMAGE: OnceLock<Vec<u8>> = OnceLock::new();
    IMAGE.get_or_init(|| {
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
        let range = maps.lines().find(|line| line.ends_with("[vdso]")).and_then(|line| {
            let (start, end) = line.split_once(' ')?.0.split_once('-')?;
            Some((usize::from_str_radix(start, 16).ok()?, usize::from_str_radix(end, 16).ok()?))
        });
        match range {
            // SAFETY: mapped and readable in this process until it ends.
            Some((start, end)) => unsafe {
                std::slice::from_raw_parts(start as *const u8, end - start).to_vec()
            },
            None => Vec::new(),
        }
    })
}

/// State of a binary's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableState {
    /// The table is not needed yet.
    Absent,
    Requested,
    /// The table was evicted to make space for other tables. A sample in the binary requests it
    /// again.
    Evicted,
    /// There was no space for the table. Frame pointers are used until the next attempt, which is
    /// made after this time.
    NoSpace {
        count: u32,
        until: u64,
    },
    Ready {
        first: u32,
        count: u32,
        block_shift: u8,
        block_count: u32,
        base: u64,
    },
    /// The file has no readable unwinding information, so frame pointers are used.
    Without,
}

pub struct Entry {
    pub binary: Arc<Binary>,
    pub key: Option<FileKey>,
    pub table: TableState,
    /// True if the table should be built after the file is identified.
    pub is_wanted: bool,
    /// A binary with the same content, whose table serves both.
    pub same_as: Option<u32>,
    /// Time of the last sample in the binary.
    pub used: u64,
}

impl Entry {
    pub fn has_table(&self) -> bool {
        matches!(self.table, TableState::Ready { .. })
    }

    /// Returns true if the binary was sampled recently.
    pub fn is_in_use(&self, now: u64) -> bool {
        now.saturating_sub(self.used) < IN_USE_NANOS
    }
}

/// Time after its last use during which a table is not evicted, in nanoseconds.
pub const IN_USE_NANOS: u64 = 10_000_000_000;
/// Number of entries above which old entries are removed; a host has a few hundred.
const ENTRIES_MAX: usize = 8192;
const FILES_MAX: usize = 512;

/// All binaries that are mapped now or were mapped recently.
#[derive(Default)]
pub struct Binaries {
    entries: Vec<Option<Entry>>,
    unused_ids: Vec<u32>,
    by_key: HashMap<FileKey, u32>,
    by_build_id: HashMap<Vec<u8>, u32>,
}

impl Binaries {
    pub fn get(&self, id: u32) -> Option<&Entry> {
        self.entries.get(id as usize)?.as_ref()
    }

    pub fn get_mut(&mut self, id: u32) -> Option<&mut Entry> {
        self.entries.get_mut(id as usize)?.as_mut()
    }

    pub fn iter(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().flatten()
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Entry> {
        self.entries.iter_mut().flatten()
    }

    /// Returns the entry with the table for a binary.
    pub fn serving(&self, id: u32) -> Option<&Entry> {
        let entry = self.get(id)?;
        entry.same_as.and_then(|other| self.get(other)).or(Some(entry))
    }

    pub fn with_key(&self, key: &FileKey) -> Option<Arc<Binary>> {
        Some(self.get(*self.by_key.get(key)?)?.binary.clone())
    }

    pub fn with_build_id(&self, id: &[u8]) -> Option<Arc<Binary>> {
        Some(self.get(*self.by_build_id.get(id)?)?.binary.clone())
    }

    pub fn add(
        &mut self,
        kind: BinaryKind,
        key: Option<FileKey>,
        unread: Option<OwnedFd>,
    ) -> Arc<Binary> {
        let id = self.unused_ids.pop().unwrap_or(self.entries.len() as u32);
        let binary = Binary::new(id, kind, unread);
        let table = if kind == BinaryKind::Vdso || kind == BinaryKind::File {
            TableState::Absent
        } else {
            TableState::Without
        };
        let entry =
            Entry { binary: binary.clone(), key, table, is_wanted: false, same_as: None, used: 0 };
        if let Some(key) = key {
            self.by_key.insert(key, id);
        }
        match self.entries.get_mut(id as usize) {
            Some(slot) => *slot = Some(entry),
            None => self.entries.push(Some(entry)),
        }
        binary
    }

    /// Records the result of the worker; binaries with the same build id share a table.
    pub fn note_identity(&mut self, id: u32) {
        let Some(entry) = self.get(id) else { return };
        let Some(identity) = entry.binary.identified() else {
            let entry = self.get_mut(id).expect("it was there");
            entry.table = TableState::Without;
            return;
        };
        let BuildId::Gnu(build_id) = &identity.build_id else { return };
        let other = self.by_build_id.get(build_id).and_then(|other| self.get(*other));
        let same_as = other.and_then(|other| {
            let is_same = other.binary.identified()?.loads == identity.loads;
            (is_same && other.binary.id != id).then_some(other.binary.id)
        });
        match same_as {
            Some(_) => self.get_mut(id).expect("it was there").same_as = same_as,
            None => {
                let build_id = build_id.clone();
                self.by_build_id.insert(build_id, id);
            }
        }
    }

    /// Returns the binaries whose tables are waiting for space, as (id, lines, true if in use).
    pub fn without_space(&self, now: u64) -> Vec<(u32, u32, bool)> {
        let due = self.iter().filter_map(|entry| match entry.table {
            TableState::NoSpace { count, until } if until <= now => {
                Some((entry.binary.id, count, entry.is_in_use(now)))
            }
            _ => None,
        });
        due.collect()
    }

    /// Removes the least recently used binaries that no process maps, and closes the least recently
    /// used files. Returns the tables of the removed binaries as (first line, count).
    pub fn trim(&mut self) -> Vec<(u32, u32)> {
        let mut freed = Vec::new();
        let mut entry_count = self.iter().count();
        let mut file_count = self.iter().filter(|entry| entry.binary.is_open()).count();
        if entry_count <= ENTRIES_MAX && file_count <= FILES_MAX {
            return freed;
        }
        let shared: HashSet<u32> = self.iter().filter_map(|entry| entry.same_as).collect();
        let mut order: Vec<(u64, u32)> = self.iter().map(|e| (e.used, e.binary.id)).collect();
        order.sort_unstable();
        for (_, id) in order {
            let Some(entry) = self.get(id) else { continue };
            let may_go = Arc::strong_count(&entry.binary) == 1 && !shared.contains(&id);
            let is_building = entry.table == TableState::Requested || entry.is_wanted;
            if file_count > FILES_MAX && entry.binary.is_open() && !is_building {
                entry.binary.file.lock().expect("no panic holds it").take();
                file_count -= 1;
            }
            if entry_count > ENTRIES_MAX && may_go && !is_building {
                freed.extend(self.remove(id));
                entry_count -= 1;
            }
        }
        freed
    }

    fn remove(&mut self, id: u32) -> Option<(u32, u32)> {
        let entry = self.entries.get_mut(id as usize)?.take()?;
        self.unused_ids.push(id);
        if let Some(key) = entry.key {
            self.by_key.remove(&key);
        }
        if let Some(Identity { build_id: BuildId::Gnu(build_id), .. }) = entry.binary.identified()
            && self.by_build_id.get(build_id) == Some(&id)
        {
            self.by_build_id.remove(build_id);
        }
        match entry.table {
            TableState::Ready { first, count, .. } => Some((first, count)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::open_path;

    #[test]
    fn the_least_used_files_are_closed() {
        let executable = std::env::current_exe().expect("there is one");
        let file = Arc::new(File::open(executable).expect("opens"));
        let mut binaries = Binaries::default();
        for i in 0..FILES_MAX as u64 + 3 {
            let binary = binaries.add(BinaryKind::File, None, None);
            *binary.file.lock().expect("no panic holds it") = Some(file.clone());
            binaries.get_mut(binary.id).expect("it was added").used = 1_000 - i;
        }
        // The table of this binary has been requested, so its file is being read.
        let last = FILES_MAX as u32 + 2;
        binaries.get_mut(last).expect("it was added").table = TableState::Requested;
        assert_eq!(binaries.trim(), []);
        let closed = binaries.iter().filter(|entry| !entry.binary.is_open());
        let ids: Vec<u32> = closed.map(|entry| entry.binary.id).collect();
        assert_eq!(ids, [last - 3, last - 2, last - 1]);
    }

    #[test]
    fn space_is_looked_for_when_it_is_time() {
        let mut binaries = Binaries::default();
        let now = 2 * IN_USE_NANOS;
        for (until, used) in [(now - 2, now - 1), (now + 1, now - 1), (now, 0)] {
            let id = binaries.add(BinaryKind::File, None, None).id;
            let entry = binaries.get_mut(id).expect("it was added");
            entry.table = TableState::NoSpace { count: 10 * id, until };
            entry.used = used;
        }
        binaries.add(BinaryKind::File, None, None);
        assert_eq!(binaries.without_space(now), [(0, 0, true), (2, 20, false)]);
    }

    #[test]
    fn a_file_that_was_closed_is_opened_again() {
        let executable = std::env::current_exe().expect("there is one");
        let open = || Some(open_path(&executable).expect("opens"));
        let binary = Binary::new(1, BinaryKind::File, open());
        binary.identify();
        let closed = binary.file.lock().expect("no panic holds it").take();
        assert!(closed.is_some());
        let limits = Limits::default();
        assert_eq!(binary.compile(limits).err().as_deref(), Some("it is not open"));
        *binary.unread.lock().expect("no panic holds it") = open();
        assert!(binary.compile(limits).is_ok());
    }
}
