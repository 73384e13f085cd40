//! Safe functions for system calls that the standard library does not have.
use crate::v8::Memory;
use std::ffi::CString;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::path::Path;

/// Formats an error of a system call with its name.
pub fn failure(call: &str) -> String {
    format!("{call}: {}", io::Error::last_os_error())
}

/// Shared memory that was mapped from a descriptor. It is unmapped when this value is dropped.
pub struct SharedMemory {
    start: *mut u8,
    bytes: usize,
}

// SAFETY: the value owns the memory, and the only owner of the value synchronizes reads and writes.
unsafe impl Send for SharedMemory {}

impl SharedMemory {
    /// Maps `bytes` from `offset` on, which must be a multiple of the page size.
    pub fn map(
        descriptor: BorrowedFd,
        offset: usize,
        bytes: usize,
    ) -> Result<SharedMemory, String> {
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let (fd, place) = (descriptor.as_raw_fd(), offset as libc::off_t);
        // SAFETY: this makes a new mapping at an address that the kernel chooses.
        let start =
            unsafe { libc::mmap(std::ptr::null_mut(), bytes, access, libc::MAP_SHARED, fd, place) };
        if start == libc::MAP_FAILED {
            return Err(failure("mmap"));
        }
        Ok(SharedMemory { start: start.cast(), bytes })
    }

    /// Returns the address of a byte, for volatile and atomic access. The offset must be inside the
    /// memory.
    pub fn at(&self, offset: usize) -> *mut u8 {
        assert!(offset < self.bytes, "offset {offset} is outside of {} bytes", self.bytes);
        // SAFETY: the offset is inside the memory, as checked.
        unsafe { self.start.add(offset) }
    }

    /// Copies values to an offset. They must fit, and be aligned for their type.
    pub fn write<T: Copy>(&self, offset: usize, values: &[T]) {
        let bytes = size_of_val(values);
        assert!(offset.checked_add(bytes).is_some_and(|end| end <= self.bytes));
        assert!(offset.is_multiple_of(align_of::<T>()));
        // SAFETY: the values are inside the memory and aligned, as checked, and nobody has a
        // reference to it.
        unsafe {
            std::ptr::copy_nonoverlapping(
                values.as_ptr(),
                self.start.add(offset).cast(),
                values.len(),
            );
        }
    }
}

const PAGE_BYTES: usize = 4096;

/// An array of the kernel that user space can write to. Only the part to be written is mapped,
/// because a mapping of the whole array would count as memory of this process.
pub struct SharedArray {
    pub descriptor: OwnedFd,
    pub bytes: usize,
}

impl SharedArray {
    /// Maps the whole array. The mapping exists as long as the result.
    pub fn map(&self) -> Result<SharedMemory, String> {
        SharedMemory::map(self.descriptor.as_fd(), 0, self.bytes.next_multiple_of(PAGE_BYTES))
    }

    /// Copies values to an offset. They must fit, and be aligned for their type.
    pub fn write<T: Copy>(&self, offset: usize, values: &[T]) -> Result<(), String> {
        let end = offset.checked_add(size_of_val(values)).filter(|end| *end <= self.bytes);
        let end = end.expect("the caller has taken a range of the array");
        let first_page = offset & !(PAGE_BYTES - 1);
        let bytes = end.next_multiple_of(PAGE_BYTES) - first_page;
        let window = SharedMemory::map(self.descriptor.as_fd(), first_page, bytes)?;
        window.write(offset - first_page, values);
        Ok(())
    }
}

impl Drop for SharedMemory {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours, and no pointer to it outlives the value.
        unsafe { libc::munmap(self.start.cast(), self.bytes) };
    }
}

fn own(fd: RawFd, call: &str) -> Result<OwnedFd, String> {
    if fd < 0 {
        return Err(failure(call));
    }
    // SAFETY: a system call has just returned it to us.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

/// Opens a file only to identify it. This neither wakes a device or pipe nor reads from the file
/// system.
pub fn open_path(path: &Path) -> Result<OwnedFd, String> {
    let text = CString::new(path.as_os_str().as_encoded_bytes()).map_err(|e| e.to_string())?;
    // SAFETY: the string ends with a zero byte.
    own(unsafe { libc::open(text.as_ptr(), libc::O_PATH | libc::O_CLOEXEC) }, "open")
}

#[repr(C)]
struct OpenHow {
    flags: u64,
    mode: u64,
    resolve: u64,
}

const RESOLVE_NO_MAGICLINKS: u64 = 0x02;
const RESOLVE_IN_ROOT: u64 = 0x10;

/// Opens a path inside another root folder, like `open_path`. Links cannot lead out of that folder.
pub fn open_path_in_root(root: &OwnedFd, path: &Path) -> Result<OwnedFd, String> {
    let text = CString::new(path.as_os_str().as_encoded_bytes()).map_err(|e| e.to_string())?;
    let how = OpenHow {
        flags: (libc::O_PATH | libc::O_CLOEXEC) as u64,
        mode: 0,
        resolve: RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
    };
    // SAFETY: the string ends with a zero byte; the structure has the size that is given.
    let fd = unsafe {
        libc::syscall(
            libc::SYS_openat2,
            root.as_raw_fd(),
            text.as_ptr(),
            &raw const how,
            size_of::<OpenHow>(),
        )
    };
    own(fd as RawFd, "openat2")
}

/// Key of a file that changes when the content of the file changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FileKey {
    pub device: (u32, u32),
    pub inode: u64,
    pub changed_seconds: i64,
    pub changed_nanos: u32,
    pub bytes: u64,
}

/// Returns metadata that the kernel already has, without a request to a file system.
fn known_facts(descriptor: &OwnedFd) -> Option<libc::statx> {
    // SAFETY: all zero is a valid statx.
    let mut found: libc::statx = unsafe { std::mem::zeroed() };
    // SAFETY: the path is empty and ends with a zero byte, and `found` is a valid address to write
    // to.
    let result = unsafe {
        libc::statx(
            descriptor.as_raw_fd(),
            c"".as_ptr(),
            libc::AT_EMPTY_PATH | libc::AT_STATX_DONT_SYNC,
            libc::STATX_BASIC_STATS,
            &raw mut found,
        )
    };
    (result == 0).then_some(found)
}

pub fn inode_of(descriptor: &OwnedFd) -> Option<u64> {
    known_facts(descriptor).map(|facts| facts.stx_ino)
}

/// Returns the key of a regular file; none for other files, such as devices and pipes.
pub fn regular_file_key(descriptor: &OwnedFd) -> Option<FileKey> {
    let found = known_facts(descriptor)?;
    let is_file = u32::from(found.stx_mode) & libc::S_IFMT == libc::S_IFREG;
    is_file.then_some(FileKey {
        device: (found.stx_dev_major, found.stx_dev_minor),
        inode: found.stx_ino,
        changed_seconds: found.stx_mtime.tv_sec,
        changed_nanos: found.stx_mtime.tv_nsec,
        bytes: found.stx_size,
    })
}

/// Opens a regular file from `open_path` for reading.
pub fn reopen(descriptor: &OwnedFd) -> Result<File, String> {
    let path = format!("/proc/self/fd/{}\0", descriptor.as_raw_fd());
    let flags = libc::O_RDONLY | libc::O_CLOEXEC | libc::O_NONBLOCK | libc::O_NOCTTY;
    // SAFETY: the string ends with a zero byte.
    Ok(File::from(own(unsafe { libc::open(path.as_ptr().cast(), flags) }, "open")?))
}

/// Returns the nanoseconds of a system clock.
pub fn clock_nanos(clock: libc::clockid_t) -> i64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a valid address to write to.
    unsafe { libc::clock_gettime(clock, &raw mut time) };
    time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// Returns a descriptor that another thread can make readable once.
pub fn event_descriptor() -> Result<OwnedFd, String> {
    // SAFETY: the call has no pointers as arguments.
    own(unsafe { libc::eventfd(0, libc::EFD_CLOEXEC | libc::EFD_NONBLOCK) }, "eventfd")
}

pub fn signal_event(descriptor: &OwnedFd) {
    let one = 1u64;
    // SAFETY: 8 bytes are read. A full counter is readable anyway, so a failed write does no harm.
    unsafe { libc::write(descriptor.as_raw_fd(), (&raw const one).cast(), 8) };
}

pub fn clear_event(descriptor: &OwnedFd) {
    let mut value = 0u64;
    // SAFETY: 8 bytes are written.
    unsafe { libc::read(descriptor.as_raw_fd(), (&raw mut value).cast(), 8) };
}

/// Waits until a descriptor is readable, but at most `millis`.
pub fn wait(descriptors: &[RawFd], millis: i32) {
    let mut list: Vec<libc::pollfd> = descriptors
        .iter()
        .map(|&fd| libc::pollfd { fd, events: libc::POLLIN, revents: 0 })
        .collect();
    // SAFETY: the list has the given length. An interrupted wait only ends early.
    unsafe { libc::poll(list.as_mut_ptr(), list.len() as libc::nfds_t, millis) };
}

#[repr(C)]
#[derive(Default)]
pub struct PerfAttributes {
    pub kind: u32,
    pub bytes: u32,
    pub config: u64,
    pub sample_period: u64,
    pub sample_type: u64,
    pub read_format: u64,
    pub flags: u64,
    pub wakeup: u32,
    pub breakpoint_type: u32,
    pub config1: u64,
    pub config2: u64,
    pub branch_sample_type: u64,
    pub sample_registers: u64,
    pub sample_stack: u32,
    pub clock: i32,
    pub sample_interrupt_registers: u64,
    pub auxiliary_watermark: u32,
    pub stack_max: u16,
    pub unused: u16,
}

/// Opens a perf event on a CPU, for all processes.
pub fn open_perf_event(attributes: &mut PerfAttributes, cpu: u32) -> Result<OwnedFd, String> {
    attributes.bytes = size_of::<PerfAttributes>() as u32;
    const CLOSE_ON_EXEC: libc::c_ulong = 8;
    // SAFETY: the structure has the size that its first field contains.
    let fd = unsafe {
        libc::syscall(
            libc::SYS_perf_event_open,
            &raw const *attributes,
            -1,
            cpu as libc::c_int,
            -1,
            CLOSE_ON_EXEC,
        )
    };
    if fd < 0 {
        let error = io::Error::last_os_error();
        let why = if error.kind() == io::ErrorKind::PermissionDenied { refusal() } else { "" };
        return Err(format!("perf_event_open on CPU {cpu}: {error}{why}"));
    }
    // SAFETY: a system call has just returned it to us.
    Ok(unsafe { OwnedFd::from_raw_fd(fd as RawFd) })
}

/// Returns a likely reason why a perf event was refused, or "". The setting has values above 2 only
/// in kernels of some distributions, such as Debian.
fn refusal() -> &'static str {
    let setting = std::fs::read_to_string("/proc/sys/kernel/perf_event_paranoid");
    let value = setting.ok().and_then(|text| text.trim().parse::<i32>().ok());
    if value.is_some_and(|value| value > 2) {
        " (kernel.perf_event_paranoid is over 2, which takes CAP_SYS_ADMIN)"
    } else {
        ""
    }
}

/// Returns true if perf events can be opened with only these capabilities.
fn can_open_events_with(kept: &[u32]) -> bool {
    let mask = kept.iter().fold(0u64, |mask, number| mask | 1 << number);
    // Capabilities belong to a thread, so the test uses a separate thread.
    let thread = std::thread::spawn(move || {
        let version = [0x2008_0522u32, 0];
        // Each set has bits for effective, permitted and inheritable capabilities. The first set is
        // for numbers below 32, the second for higher numbers.
        let mut sets = [[0u32; 3]; 2];
        // SAFETY: both structures have the sizes that this version requires.
        unsafe { libc::syscall(libc::SYS_capget, &raw const version, &raw mut sets) };
        for (set, half) in sets.iter_mut().zip([mask as u32, (mask >> 32) as u32]) {
            set[0] &= half;
        }
        // SAFETY: as above.
        unsafe { libc::syscall(libc::SYS_capset, &raw const version, &raw const sets) };
        const SOFTWARE: u32 = 1;
        const DUMMY: u64 = 9;
        let mut attributes =
            PerfAttributes { kind: SOFTWARE, config: DUMMY, ..PerfAttributes::default() };
        open_perf_event(&mut attributes, 0).is_ok()
    });
    thread.join().unwrap_or(false)
}

/// Attaches a program to an event, and starts it.
pub fn start_perf_event(event: &OwnedFd, program: BorrowedFd) -> Result<(), String> {
    const SET_PROGRAM: libc::c_ulong = 0x4004_2408;
    const ENABLE: libc::c_ulong = 0x2400;
    // SAFETY: both arguments are numbers.
    let results = unsafe {
        [
            libc::ioctl(event.as_raw_fd(), SET_PROGRAM, program.as_raw_fd()),
            libc::ioctl(event.as_raw_fd(), ENABLE, 0),
        ]
    };
    if results == [0, 0] { Ok(()) } else { Err(failure("ioctl of a perf event")) }
}

/// Enables or disables the samples of an event.
pub fn set_perf_event(event: &OwnedFd, is_on: bool) -> Result<(), String> {
    const ENABLE: libc::c_ulong = 0x2400;
    const DISABLE: libc::c_ulong = 0x2401;
    // SAFETY: the argument is a plain number.
    let result = unsafe { libc::ioctl(event.as_raw_fd(), if is_on { ENABLE } else { DISABLE }, 0) };
    if result == 0 { Ok(()) } else { Err(failure("ioctl of a perf event")) }
}

/// Raises the limit of locked memory, because kernels before 5.11 count maps as locked memory. If
/// this fails, loading the programs reports an error.
pub fn raise_locked_memory() {
    let limit = libc::rlimit { rlim_cur: libc::RLIM_INFINITY, rlim_max: libc::RLIM_INFINITY };
    // SAFETY: the call only reads the structure.
    unsafe { libc::setrlimit(libc::RLIMIT_MEMLOCK, &raw const limit) };
}

/// Raises the priority of the calling thread, which does little work but must react fast. If the
/// capability for this is missing, samples of new processes stay incomplete for longer on a busy
/// machine.
pub fn raise_thread_priority() {
    const NICENESS: libc::c_int = -10;
    // SAFETY: the arguments are plain numbers. 0 means the calling thread.
    let niceness = unsafe { libc::getpriority(libc::PRIO_PROCESS, 0) }.min(NICENESS);
    // SAFETY: as above.
    unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, niceness) };
    request_short_slices(niceness);
}

/// Asks the scheduler for time slices of 0.1 ms, the shortest, because a thread with shorter slices
/// runs sooner. Kernels before 6.12 ignore the number.
fn request_short_slices(niceness: i32) {
    const SLICE_NANOS: u64 = 100_000;
    /// `struct sched_attr` of the kernel.
    #[repr(C)]
    struct Attributes {
        size: u32,
        policy: u32,
        flags: u64,
        niceness: i32,
        priority: u32,
        runtime: u64,
        deadline: u64,
        period: u64,
    }
    let attributes = Attributes {
        size: size_of::<Attributes>() as u32,
        policy: libc::SCHED_OTHER as u32,
        flags: 0,
        niceness,
        priority: 0,
        runtime: SLICE_NANOS,
        deadline: 0,
        period: 0,
    };
    // SAFETY: the kernel reads `size` bytes of the structure; 0 is the calling thread.
    unsafe { libc::syscall(libc::SYS_sched_setattr, 0, &raw const attributes, 0) };
}

/// Returns free memory of the C library's pools to the system.
pub fn return_free_memory() {
    #[cfg(target_env = "gnu")]
    // SAFETY: takes a number.
    unsafe {
        libc::malloc_trim(0);
    }
}

/// Limits the capabilities of programs that this thread starts with exec to `kept`. Keeps
/// CAP_SYS_ADMIN, too, if the kernel requires it for perf events.
pub fn limit_capabilities(kept: &[u32]) -> Result<(), String> {
    const ADMINISTRATOR: u32 = 21;
    let keeps_administrator = !can_open_events_with(kept);
    let is_kept =
        |number: u32| kept.contains(&number) || keeps_administrator && number == ADMINISTRATOR;
    // SAFETY: takes numbers.
    let call =
        |what, number: u32| unsafe { libc::prctl(what, libc::c_ulong::from(number), 0, 0, 0) };
    // There can be 64 capabilities, of which the kernel uses 41.
    for number in (0..64).filter(|number| !is_kept(*number)) {
        let has = call(libc::PR_CAPBSET_READ, number) == 1;
        if has && call(libc::PR_CAPBSET_DROP, number) != 0 {
            return Err(failure("prctl of the bounding set"));
        }
    }
    Ok(())
}

/// Returns the CPU time of the calling thread.
pub fn thread_nanos() -> u64 {
    clock_nanos(libc::CLOCK_THREAD_CPUTIME_ID) as u64
}

/// Memory of another process.
pub struct ProcessMemory(pub u32);

impl Memory for ProcessMemory {
    fn read(&self, address: u64, bytes: &mut [u8]) -> bool {
        let length = bytes.len();
        let own = libc::iovec { iov_base: bytes.as_mut_ptr().cast(), iov_len: length };
        let other = libc::iovec { iov_base: address as *mut _, iov_len: length };
        // SAFETY: the kernel writes at most `length` bytes to `bytes`; the other address belongs to
        // another process.
        let count = unsafe { libc::process_vm_readv(self.0 as libc::pid_t, &own, 1, &other, 1, 0) };
        usize::try_from(count) == Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    /// Opening a pipe would block the reader, and a link could refer to a file of the host.
    #[test]
    fn names_in_a_container_open_nothing_but_its_files() {
        let root = std::env::temp_dir().join(format!("parca-bpf-root-{}", std::process::id()));
        fs::create_dir_all(root.join("etc")).expect("a folder");
        fs::write(root.join("program"), "text").expect("a file");
        symlink("/etc/passwd", root.join("absolute")).expect("a link");
        symlink("../../../../../../etc/passwd", root.join("relative")).expect("a link");
        symlink("/proc/self/root/etc/passwd", root.join("magic")).expect("a link");
        let pipe = CString::new(root.join("pipe").as_os_str().as_encoded_bytes()).expect("text");
        // SAFETY: the string ends with a zero byte.
        assert_eq!(unsafe { libc::mkfifo(pipe.as_ptr(), 0o600) }, 0);

        let folder = open_path(&root).expect("it is there");
        let key = |name: &str| regular_file_key(&open_path_in_root(&folder, Path::new(name)).ok()?);
        assert_eq!(key("/program").map(|key| key.bytes), Some(4));
        for name in
            ["/pipe", "/etc", "/absolute", "/relative", "/magic", "/missing", "/../etc/passwd"]
        {
            assert_eq!(key(name), None, "{name}");
        }
        let device = open_path(Path::new("/dev/null")).expect("a device");
        assert_eq!(regular_file_key(&device), None);
        fs::remove_dir_all(root).expect("removed");
    }
}
