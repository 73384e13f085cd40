//! Data about a process from /proc: its code in memory, and its names.
use crate::system::{inode_of, open_path, open_path_in_root, regular_file_key, reopen};
use std::fs::{self, File};
use std::io::Read;
use std::os::fd::OwnedFd;
use std::path::Path;

/// An executable mapping from /proc/PID/maps.
pub struct MapsLine {
    pub start: u64,
    pub end: u64,
    pub offset: u64,
    pub inode: u64,
    /// Path of the file; '' for memory without a file, a name in brackets for mappings of the
    /// kernel.
    pub path: String,
    pub is_deleted: bool,
}

/// Limit of /proc/PID/maps in bytes. A process may have 65,530 mappings; most processes have a few
/// hundred.
const MAPS_BYTES_MAX: u64 = 16 << 20;
const TEXT_BYTES_MAX: u64 = 4096;

/// Reads the executable mappings of a process, sorted by address; none if the process has ended.
pub fn read_maps(pid: u32) -> Option<Vec<MapsLine>> {
    let bytes = read_bounded(&format!("/proc/{pid}/maps"), MAPS_BYTES_MAX)?;
    let lines = bytes.split(|byte| *byte == b'\n');
    Some(lines.filter_map(|line| parse_maps_line(&String::from_utf8_lossy(line))).collect())
}

fn parse_maps_line(line: &str) -> Option<MapsLine> {
    // The fields are range, permissions, offset, device and inode. After them come spaces and a
    // path, which may contain spaces.
    let mut fields = line.splitn(6, ' ');
    let (start, end) = fields.next()?.split_once('-')?;
    if fields.next()?.as_bytes().get(2) != Some(&b'x') {
        return None;
    }
    let offset = fields.next()?;
    let _device = fields.next()?;
    let inode = fields.next()?;
    let path = fields.next().unwrap_or("").trim_start();
    let (path, is_deleted) = split_deleted(path);
    Some(MapsLine {
        start: u64::from_str_radix(start, 16).ok()?,
        end: u64::from_str_radix(end, 16).ok()?,
        offset: u64::from_str_radix(offset, 16).ok()?,
        inode: inode.parse().ok()?,
        path: path.to_owned(),
        is_deleted,
    })
}

/// Splits off the suffix that the kernel appends to the path of a deleted file.
pub fn split_deleted(path: &str) -> (&str, bool) {
    match path.strip_suffix(" (deleted)") {
        Some(path) => (path, true),
        None => (path, false),
    }
}

/// Opens a mapped file. The mapping's own link in /proc is best, because it also works for deleted
/// files and in containers, but it needs CAP_SYS_ADMIN or CAP_CHECKPOINT_RESTORE.
pub fn open_mapped(pid: u32, line: &MapsLine) -> Option<OwnedFd> {
    let name = format!("/proc/{pid}/map_files/{:x}-{:x}", line.start, line.end);
    if let Ok(descriptor) = open_path(Path::new(&name)) {
        return Some(descriptor);
    }
    if line.is_deleted {
        return None;
    }
    let root = open_path(Path::new(&format!("/proc/{pid}/root"))).ok()?;
    let descriptor = open_path_in_root(&root, Path::new(&line.path)).ok()?;
    // Another file may have the same name now.
    (inode_of(&descriptor) == Some(line.inode)).then_some(descriptor)
}

/// Opens a regular file by its path as a process sees it. Links cannot lead out of the process's
/// root folder.
pub fn open_file_of(pid: u32, path: &Path) -> Option<File> {
    let root = open_path(Path::new(&format!("/proc/{pid}/root"))).ok()?;
    let found = open_path_in_root(&root, path).ok()?;
    regular_file_key(&found)?;
    reopen(&found).ok()
}

/// Returns false if a process has ended, even if its parent has not waited for it yet.
pub fn is_running(pid: u32) -> bool {
    let Some(bytes) = read_bounded(&format!("/proc/{pid}/stat"), TEXT_BYTES_MAX) else {
        return false;
    };
    // The state follows the name, which may contain any characters.
    let text = String::from_utf8_lossy(&bytes);
    let state = text.rsplit_once(") ").and_then(|(_, rest)| rest.chars().next());
    state.is_some_and(|state| state != 'Z' && state != 'X')
}

/// Names of a running program.
#[derive(Clone, Default)]
pub struct Details {
    pub executable: String,
    pub command_line: Vec<String>,
    pub cgroup: String,
    pub namespace_pid: u32,
}

impl Details {
    /// Returns only the control group and the namespace's process id, which stay the same after
    /// exec.
    pub fn after_exec(&self) -> Details {
        let (cgroup, namespace_pid) = (self.cgroup.clone(), self.namespace_pid);
        Details { cgroup, namespace_pid, ..Details::default() }
    }
}

/// Reads the names of a process; none if the process has ended.
pub fn read_details(pid: u32) -> Option<Details> {
    let status = read_bounded(&format!("/proc/{pid}/status"), TEXT_BYTES_MAX)?;
    let status = String::from_utf8_lossy(&status);
    let namespaces = status.lines().find_map(|line| line.strip_prefix("NSpid:"));
    let innermost = namespaces.and_then(|ids| ids.split_whitespace().next_back());
    let executable = fs::read_link(format!("/proc/{pid}/exe")).unwrap_or_default();
    let executable = executable.to_string_lossy();
    let command = read_bounded(&format!("/proc/{pid}/cmdline"), TEXT_BYTES_MAX)?;
    let command = command.strip_suffix(b"\0").unwrap_or(&command);
    let arguments = command.split(|byte| *byte == 0).filter(|_| !command.is_empty());
    let cgroup = read_bounded(&format!("/proc/{pid}/cgroup"), TEXT_BYTES_MAX)?;
    Some(Details {
        executable: split_deleted(&executable).0.to_owned(),
        command_line: arguments.map(|text| String::from_utf8_lossy(text).into_owned()).collect(),
        cgroup: String::from_utf8_lossy(&cgroup).into_owned(),
        namespace_pid: innermost.and_then(|id| id.parse().ok()).unwrap_or(pid),
    })
}

fn read_bounded(path: &str, bytes_max: u64) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(bytes_max).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_maps() {
        let line = "7f00-8000 r-xp 00001000 fd:0a 77   /a b/lib.so (deleted)";
        let parsed = parse_maps_line(line).expect("it is executable");
        assert_eq!((parsed.start, parsed.end, parsed.offset), (0x7f00, 0x8000, 0x1000));
        assert_eq!(parsed.inode, 77);
        assert_eq!((parsed.path.as_str(), parsed.is_deleted), ("/a b/lib.so", true));
        assert!(parse_maps_line("7f00-8000 rw-p 00001000 fd:0a 77 /a").is_none());
        let anonymous = parse_maps_line("7f00-8000 rwxp 00000000 00:00 0 ").expect("executable");
        assert_eq!(anonymous.path, "");
        for bad in ["", "x", "1-2", "1-2 r-xp", "zz-2 r-xp 0 0:0 0 "] {
            assert!(parse_maps_line(bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn this_process_has_code_and_a_name() {
        let pid = std::process::id();
        let maps = read_maps(pid).expect("it runs");
        assert!(maps.iter().any(|line| line.path.ends_with("libc.so.6")));
        assert!(maps.is_sorted_by_key(|line| line.start));
        let details = read_details(pid).expect("it runs");
        assert_eq!(details.executable, std::env::current_exe().expect("known").to_string_lossy());
        assert_eq!(details.command_line, std::env::args().collect::<Vec<_>>());
        assert!(is_running(pid));
    }

    #[test]
    fn regular_files_are_opened_as_the_process_sees_them() {
        let pid = std::process::id();
        let executable = std::env::current_exe().expect("known");
        assert!(open_file_of(pid, &executable).is_some());
        for name in ["/proc", "/dev/null", "/proc/self/exe", "/missing"] {
            assert!(open_file_of(pid, Path::new(name)).is_none(), "{name}");
        }
    }

    #[test]
    fn a_process_that_nobody_waited_for_runs_no_longer() {
        let mut child = std::process::Command::new("true").spawn().expect("it is there");
        let pid = child.id();
        while is_running(pid) {
            std::thread::yield_now();
        }
        assert!(std::path::Path::new(&format!("/proc/{pid}")).exists());
        child.wait().expect("it has ended");
        assert!(!is_running(pid));
    }
}
