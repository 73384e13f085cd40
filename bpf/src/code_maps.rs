//! Code in the memory of a process: sorted ranges, and the file that is mapped in each range.
use crate::binaries::{Binary, BinaryKind};
use crate::proc_files::MapsLine;
use std::sync::Arc;

#[derive(Clone)]
pub struct MappedCode {
    pub start: u64,
    pub end: u64,
    pub offset: u64,
    pub path: Arc<str>,
    pub is_deleted: bool,
    /// The file. If the kernel's record does not identify it, it is none until /proc is read.
    pub binary: Option<Arc<Binary>>,
    /// Id of a file that is not known yet, from the kernel's record.
    pub unknown_build_id: Option<Arc<[u8]>>,
}

impl MappedCode {
    /// Returns the corresponding line of /proc/PID/maps.
    pub fn line(&self, inode: u64) -> MapsLine {
        let &MappedCode { start, end, offset, is_deleted, .. } = self;
        MapsLine { start, end, offset, inode, path: self.path.to_string(), is_deleted }
    }
}

/// Largest number of mappings with code; only a process that keeps creating mappings has more.
const MAPPINGS_MAX: usize = 4096;

#[derive(Clone, Default)]
pub struct CodeMaps {
    /// Sorted by start, without overlaps.
    list: Vec<MappedCode>,
}

impl CodeMaps {
    pub fn list(&self) -> &[MappedCode] {
        &self.list
    }

    pub fn find(&self, address: u64) -> Option<&MappedCode> {
        let next = self.list.partition_point(|mapped| mapped.start <= address);
        let mapped = self.list[..next].last()?;
        (address < mapped.end).then_some(mapped)
    }

    /// Returns true if exactly this mapping is already known. This is frequent, because
    /// just-in-time compilers often change the protection of their memory.
    pub fn has(&self, start: u64, end: u64, offset: u64, path: &str) -> bool {
        self.find(start).is_some_and(|mapped| {
            let is_same_place = start - mapped.start == offset.wrapping_sub(mapped.offset);
            let is_anonymous =
                mapped.binary.as_ref().is_some_and(|b| b.kind == BinaryKind::Anonymous);
            end <= mapped.end && (is_same_place || is_anonymous) && *mapped.path == *path
        })
    }

    /// Adds a mapping, which replaces the mappings that it overlaps.
    pub fn add(&mut self, new: MappedCode) {
        if new.start >= new.end {
            return;
        }
        let first = self.list.partition_point(|mapped| mapped.end <= new.start);
        let last = self.list.partition_point(|mapped| mapped.start < new.end);
        let mut parts = Vec::with_capacity(3);
        for covered in self.list[first..last].iter() {
            if covered.start < new.start {
                parts.push(MappedCode { end: new.start, ..covered.clone() });
            }
            if covered.end > new.end {
                let offset = covered.offset.wrapping_add(new.end - covered.start);
                parts.push(MappedCode { start: new.end, offset, ..covered.clone() });
            }
        }
        parts.push(new);
        parts.sort_by_key(|part| part.start);
        self.list.splice(first..last, parts);
        self.list.truncate(MAPPINGS_MAX);
    }

    pub fn has_unresolved(&self) -> bool {
        self.list.iter().any(|mapped| mapped.binary.is_none())
    }

    pub fn has_unknown(&self, build_id: &[u8]) -> bool {
        self.list.iter().any(|mapped| mapped.unknown_build_id.as_deref() == Some(build_id))
    }

    /// Sets the binary in all mappings that wait for its id.
    pub fn resolve(&mut self, build_id: &[u8], binary: &Arc<Binary>) {
        for mapped in &mut self.list {
            if mapped.unknown_build_id.as_deref() == Some(build_id) {
                mapped.binary = Some(binary.clone());
                mapped.unknown_build_id = None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(start: u64, end: u64, path: &str) -> MappedCode {
        let binary = Some(Binary::new(0, BinaryKind::File, None));
        MappedCode {
            start,
            end,
            offset: start,
            path: path.into(),
            is_deleted: false,
            binary,
            unknown_build_id: None,
        }
    }

    #[test]
    fn a_new_mapping_replaces_what_it_covers() {
        let mut maps = CodeMaps::default();
        for (start, end, path) in [(10, 20, "a"), (30, 40, "b"), (20, 30, "c"), (15, 35, "d")] {
            maps.add(code(start, end, path));
        }
        maps.add(code(5, 5, "empty"));
        maps.add(code(20, 25, "e"));
        let list: Vec<_> =
            maps.list().iter().map(|m| (m.start, m.end, m.offset, &*m.path)).collect();
        let want = [
            (10, 15, 10, "a"),
            (15, 20, 15, "d"),
            (20, 25, 20, "e"),
            (25, 35, 25, "d"),
            (35, 40, 35, "b"),
        ];
        assert_eq!(list, want);
        assert_eq!(maps.find(9).map(|m| m.start), None);
        assert_eq!(maps.find(34).map(|m| m.start), Some(25));
        assert_eq!(maps.find(40).map(|m| m.start), None);
        assert!(maps.has(26, 30, 26, "d"));
        assert!(!maps.has(26, 30, 27, "d"));
        assert!(!maps.has(26, 36, 26, "d"));
    }
}
