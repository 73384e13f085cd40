//! The sampling thread: reads samples and records from the kernel, keeps tables and mappings in the
//! kernel up to date, and collects samples for its owner.
use crate::batch::{Clock, EventKind, Totals};
use crate::binaries::{Binaries, Binary, BinaryKind, Identity, vdso};
use crate::code_maps::{CodeMaps, MappedCode};
use crate::elf::Source;
use crate::kernel::{Kernel, Sizes, missing_requirements};
use crate::layout::{
    LANGUAGE_PHP, LANGUAGE_PYTHON, Line, PROCESSES_MAX, STACK_NO_MAPPING, STACK_PENDING, Sample,
    UserFrame,
};
use crate::names::Names;
use crate::options::Options;
use crate::proc_files::{
    MapsLine, is_running, open_mapped, read_details, read_maps, split_deleted,
};
use crate::processes::{Cgroup, Known};
use crate::published::{Published, interpreter_of, is_pending, v8_of};
use crate::records::{Change, NewMapping, Record, Records};
use crate::system::{
    clear_event, clock_nanos, event_descriptor, raise_thread_priority, regular_file_key,
    return_free_memory, signal_event, thread_nanos, wait,
};
use crate::table::Limits;
use crate::waiting::Waiting;
use crate::worker::{Task, Worker};
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

mod collect;
mod tables;

/// State that the sampling thread and its owner share.
struct Shared {
    waiting: Mutex<Waiting>,
    is_closed: AtomicBool,
    is_paused: AtomicBool,
    /// Processes to skip, each with the number of programs that were known when its batch was
    /// taken.
    unwanted: Mutex<Vec<(u32, u32)>>,
    /// Control groups to skip.
    unwanted_cgroups: Mutex<Vec<u64>>,
    event: Arc<OwnedFd>,
}

/// A running sampler.
pub struct Sampler {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
    boot: i64,
    batch_start: u64,
    /// Number of programs when the last batch was taken.
    program_count: u32,
    /// Files of the last batch.
    files: Vec<Arc<File>>,
}

/// Reason why a sampler cannot be opened.
pub enum OpenError {
    Options(String),
    Kernel(String),
}

const MAPPINGS: u32 = 256 * 1024;

impl Sampler {
    pub fn open(options: Options) -> Result<Sampler, OpenError> {
        options.check().map_err(OpenError::Options)?;
        let missing = missing_requirements();
        if !missing.is_empty() {
            let list = missing.join(", ");
            return Err(OpenError::Kernel(format!("cannot start sampling: missing {list}")));
        }
        Sampler::start(options)
            .map_err(|why| OpenError::Kernel(format!("cannot start sampling: {why}")))
    }

    fn start(options: Options) -> Result<Sampler, String> {
        let sizes = Sizes {
            lines: (options.table_bytes / size_of::<Line>() as u64) as u32,
            mappings: MAPPINGS,
            ring_bytes: options.ring_bytes,
            reads_cgroups: options.reads_cgroups,
        };
        let mut kernel = Kernel::load(&sizes, options.pids.as_deref())?;
        let records = Records::open()?;
        kernel.start(options.period)?;
        let event = Arc::new(event_descriptor()?);
        let lines_max = sizes.lines as usize;
        let limits = Limits { lines_max, rows_max: lines_max * 4, ..Limits::default() };
        let worker = Worker::start(event.clone(), limits)?;
        let names = Names::start()?;
        let shared = Arc::new(Shared {
            waiting: Mutex::default(),
            is_closed: AtomicBool::new(false),
            is_paused: AtomicBool::new(false),
            unwanted: Mutex::default(),
            unwanted_cgroups: Mutex::default(),
            event,
        });
        let of_thread = shared.clone();
        let thread = std::thread::Builder::new()
            .name("bpf-sampler".to_owned())
            .spawn(move || {
                let threads = (worker, names);
                Loop::new(kernel, records, threads, of_thread, &options, &sizes).run();
            })
            .map_err(|error| format!("cannot start a thread: {error}"))?;
        let now = clock_nanos(libc::CLOCK_REALTIME);
        let boot = now - clock_nanos(libc::CLOCK_BOOTTIME);
        let batch_start = now as u64;
        Ok(Sampler {
            shared,
            thread: Some(thread),
            boot,
            batch_start,
            program_count: 0,
            files: Vec::new(),
        })
    }

    /// Returns the collected samples as bytes. Fails if the thread has failed.
    pub fn take(&mut self) -> Result<Vec<u8>, String> {
        if self.thread.as_ref().is_none_or(JoinHandle::is_finished) {
            return Err("cannot take samples: the sampling thread has failed".to_owned());
        }
        let now = clock_nanos(libc::CLOCK_REALTIME);
        let mut waiting = self.shared.waiting.lock().map_err(|error| error.to_string())?;
        let taken = waiting.take(now as u64);
        self.program_count = waiting.program_count;
        drop(waiting);
        let monotonic = now - clock_nanos(libc::CLOCK_MONOTONIC);
        let (start, end) = (self.batch_start, taken.end);
        let clock = Clock { start, end, monotonic, boot: self.boot };
        self.batch_start = end;
        let (bytes, files) = taken.batch.write(&clock, &taken.totals, taken.has_more);
        self.files = files;
        Ok(bytes)
    }

    /// Stops sampling these processes of the last batch until they run other programs. After
    /// UNWANTED_NANOS, all of them are sampled again, because their labels may have changed.
    pub fn leave_out(&mut self, pids: &[u32]) {
        let Ok(mut unwanted) = self.shared.unwanted.lock() else { return };
        unwanted.extend(pids.iter().map(|pid| (*pid, self.program_count)));
        drop(unwanted);
        signal_event(&self.shared.event);
    }

    /// Stops sampling these control groups for UNWANTED_NANOS.
    pub fn leave_out_cgroups(&mut self, ids: &[u64]) {
        let Ok(mut unwanted) = self.shared.unwanted_cgroups.lock() else { return };
        unwanted.extend_from_slice(ids);
        drop(unwanted);
        signal_event(&self.shared.event);
    }

    /// Pauses or resumes sampling.
    pub fn set_paused(&mut self, is_paused: bool) {
        self.shared.is_paused.store(is_paused, Ordering::Relaxed);
        signal_event(&self.shared.event);
    }

    /// Stops the threads, and waits for the thread that owns the kernel programs.
    pub fn close(&mut self) {
        self.shared.is_closed.store(true, Ordering::Relaxed);
        signal_event(&self.shared.event);
        if let Some(thread) = self.thread.take() {
            // An error means that the thread has failed, and so has ended, too.
            let _ = thread.join();
        }
    }
}

impl Drop for Sampler {
    fn drop(&mut self) {
        self.close();
    }
}

/// State of the sampling thread.
struct Loop {
    kernel: Kernel,
    records: Records,
    worker: Arc<Worker>,
    names: Names,
    shared: Arc<Shared>,
    waiting_bytes: usize,
    totals: Totals,
    published: Published,
    binaries: Binaries,
    anonymous: Arc<Binary>,
    unknown: Arc<Binary>,
    vdso: Arc<Binary>,
    processes: HashMap<u32, Known>,
    /// Processes whose published mappings must be updated, because their maps or tables have
    /// changed.
    changed: HashSet<u32>,
    program_count: u32,
    no_path: Arc<str>,
    now: u64,
    next_housekeeping: u64,
    /// Number of tables at the last housekeeping.
    tables_read: u64,
    /// True if tables were read since free memory was returned.
    has_free_memory: bool,
    is_only_listed: bool,
    is_paused: bool,
    next_take_in: u64,
    /// True if records were lost since the last housekeeping.
    has_lost_records: bool,
}

/// Time between two checks for samples. New processes wake the thread earlier. It is short, because
/// JavaScript names must be read before a process ends.
const WAIT_MILLIS: i32 = 50;
/// The same time on an idle host. It is longer, because wake-ups are most of the cost there.
const IDLE_WAIT_MILLIS: i32 = 250;
/// Delay after which the records of one exec are read together.
const GATHER_MILLIS: i32 = 1;
/// Largest number of samples in a turn. If the thread gets so little time that samples come faster
/// than it reads them, the kernel drops and counts them, and memory does not grow.
const SAMPLES_AT_ONCE_MAX: usize = 1024;
const HOUSEKEEPING_NANOS: u64 = 1_000_000_000;
/// Time after which skipped processes are sampled again: 10 minutes.
const UNWANTED_NANOS: u64 = 600_000_000_000;
/// Time for which an ended process is kept, because its samples may be read later.
const KEPT_NANOS: u64 = 2_000_000_000;
/// Largest number of samples at which the names of a process are read again while it has no command
/// line.
const NAME_READINGS_MAX: u8 = 10;

fn monotonic() -> u64 {
    clock_nanos(libc::CLOCK_MONOTONIC) as u64
}

impl Loop {
    fn new(
        kernel: Kernel,
        records: Records,
        (worker, names): (Arc<Worker>, Names),
        shared: Arc<Shared>,
        options: &Options,
        sizes: &Sizes,
    ) -> Loop {
        let mut binaries = Binaries::default();
        let vdso_binary = binaries.add(BinaryKind::Vdso, None, None);
        let identity = Identity::read(&Source::Bytes(vdso()), vdso().len() as u64);
        // This cannot fail, because the binary is new.
        let _ = vdso_binary.identity.set(identity);
        Loop {
            kernel,
            records,
            worker,
            names,
            shared,
            waiting_bytes: options.waiting_bytes as usize,
            totals: Totals::default(),
            published: Published::new(sizes.lines, sizes.mappings),
            anonymous: binaries.add(BinaryKind::Anonymous, None, None),
            unknown: binaries.add(BinaryKind::Unknown, None, None),
            vdso: vdso_binary,
            binaries,
            processes: HashMap::new(),
            changed: HashSet::new(),
            program_count: 0,
            no_path: Arc::from(""),
            now: monotonic(),
            next_housekeeping: 0,
            tables_read: 0,
            has_free_memory: false,
            is_only_listed: options.pids.is_some(),
            is_paused: false,
            next_take_in: monotonic() + UNWANTED_NANOS,
            has_lost_records: false,
        }
    }

    fn run(mut self) {
        raise_thread_priority();
        let mut descriptors: Vec<RawFd> =
            vec![self.kernel.ring_descriptor(), self.shared.event.as_raw_fd()];
        descriptors.extend(self.records.descriptors());
        let mut millis = WAIT_MILLIS;
        while !self.shared.is_closed.load(Ordering::Relaxed) {
            wait(&descriptors, millis);
            let (sample_count, record_count) = self.turn();
            millis = if sample_count > 0 { WAIT_MILLIS } else { IDLE_WAIT_MILLIS };
            if record_count > 0 {
                wait(&descriptors[..2], GATHER_MILLIS);
            }
        }
        self.worker.close();
    }

    /// Processes new samples and records; returns their numbers.
    fn turn(&mut self) -> (usize, usize) {
        clear_event(&self.shared.event);
        self.now = monotonic();
        self.follow_wishes();
        for done in self.worker.take_done() {
            self.note_done(done);
        }
        // Samples are read first, so that all records from before a sample can be read afterwards.
        let mut samples = Vec::new();
        while samples.len() < SAMPLES_AT_ONCE_MAX
            && let Some(record) = self.kernel.ring.next()
        {
            samples.extend(Sample::read(&record));
        }
        let mut records = Vec::new();
        self.records.read(&mut records);
        // Most records are sorted already, because each CPU writes in order of time.
        records.sort_by_key(|record| record.time);
        samples.sort_by_key(|sample| sample.head.time);
        let counts = (samples.len(), records.len());
        self.request_names(&samples, &records);
        let mut records = records.into_iter().peekable();
        for sample in samples {
            while let Some(record) = records.next_if(|record| record.time <= sample.head.time) {
                self.note_record(record);
            }
            self.note_sample(&sample);
        }
        for record in records {
            self.note_record(record);
        }
        self.prepare_new_code();
        self.publish_changes();
        if self.now >= self.next_housekeeping {
            self.next_housekeeping = self.now + HOUSEKEEPING_NANOS;
            self.keep_house();
        }
        self.totals.thread_nanos = thread_nanos()
            + self.worker.thread_nanos.load(Ordering::Relaxed)
            + self.names.thread_nanos();
        let mut waiting = self.shared.waiting.lock().expect("no panic holds it");
        waiting.totals = self.totals.clone();
        waiting.program_count = self.program_count;
        drop(waiting);
        counts
    }

    /// Processes the requests of the sampler's owner.
    fn follow_wishes(&mut self) {
        let is_paused = self.shared.is_paused.load(Ordering::Relaxed);
        if is_paused != self.is_paused && self.kernel.set_paused(is_paused).is_ok() {
            self.is_paused = is_paused;
        }
        let unwanted =
            std::mem::take(&mut *self.shared.unwanted.lock().expect("no panic holds it"));
        for (pid, program_count) in unwanted {
            // The process may have started another program in the meantime.
            let is_same = |known: &Known| known.ended == 0 && known.program <= program_count;
            if self.processes.get(&pid).is_some_and(is_same) {
                self.kernel.leave_out(pid);
            }
        }
        let groups =
            std::mem::take(&mut *self.shared.unwanted_cgroups.lock().expect("no panic holds it"));
        for id in groups {
            self.kernel.leave_out_cgroup(id);
        }
        if self.now >= self.next_take_in {
            self.next_take_in = self.now + UNWANTED_NANOS;
            self.kernel.take_in_all();
        }
    }

    fn next_program(&mut self) -> u32 {
        self.program_count += 1;
        self.program_count
    }

    fn note_record(&mut self, record: Record) {
        match record.change {
            Change::Map(new) => self.note_mapping(&new),
            Change::Exec { pid } => {
                self.kernel.take_in(pid);
                let old = self.processes.get(&pid);
                let details = old.and_then(|known| known.details.clone());
                let cgroup = old.map_or(Cgroup::default(), |known| known.cgroup);
                self.forget(pid);
                let mut known = Known::new(self.next_program());
                known.has_all_maps = true;
                known.details = details.map(|old| Arc::new(old.after_exec()));
                known.cgroup = cgroup;
                self.processes.insert(pid, known);
                self.note_event(EventKind::Exec, pid, record.time);
            }
            Change::Fork { pid, parent } => {
                self.forget(pid);
                let program = self.next_program();
                let Some(child) = self.processes.get(&parent).map(|known| known.forked(program))
                else {
                    return;
                };
                if self.changed.contains(&parent) {
                    self.changed.insert(pid);
                }
                if let Some(run) = &child.run {
                    // If the map is full, the process is unwound by frame pointers.
                    let _ = self.kernel.set_process(pid, run.process(false));
                }
                self.processes.insert(pid, child);
            }
            Change::Exit { pid } => self.end(pid, record.time),
            Change::Lost(count) => {
                self.totals.lost_records += count;
                self.has_lost_records = true;
                for known in self.processes.values_mut() {
                    known.has_all_maps = false;
                }
            }
        }
    }

    fn note_event(&self, kind: EventKind, pid: u32, time: u64) {
        let mut waiting = self.shared.waiting.lock().expect("no panic holds it");
        waiting.batch.add_event(kind, pid, time);
    }

    /// Records the end of a process.
    fn end(&mut self, pid: u32, time: u64) {
        self.kernel.take_in(pid);
        // The kernel program knows a child that user space does not know if the child got its
        // parent's mappings, but the record of its fork was lost.
        self.kernel.remove_process(pid);
        if let Some(known) = self.processes.get_mut(&pid) {
            known.ended = self.now;
            if let Some(run) = known.run.take() {
                self.published.release_run(&self.kernel, run, self.now);
            }
        }
        self.note_event(EventKind::Exit, pid, time);
    }

    /// Ends the processes whose exit record may have been lost.
    fn end_missed(&mut self) {
        let ended: Vec<u32> = self
            .processes
            .iter()
            .filter(|(pid, known)| known.ended == 0 && !is_running(**pid))
            .map(|(pid, _)| *pid)
            .collect();
        for pid in ended {
            self.end(pid, self.now);
        }
        for pid in self.kernel.process_ids() {
            if !self.processes.contains_key(&pid) {
                self.kernel.remove_process(pid);
            }
        }
    }

    /// Removes a process here and in the kernel's map.
    fn forget(&mut self, pid: u32) {
        let Some(known) = self.processes.remove(&pid) else { return };
        if let Some(run) = known.run {
            self.kernel.remove_process(pid);
            self.published.release_run(&self.kernel, run, self.now);
        }
    }

    fn note_mapping(&mut self, new: &NewMapping) {
        let Some(known) = self.processes.get_mut(&new.pid) else { return };
        let text = String::from_utf8_lossy(&new.path);
        let is_file = text.starts_with('/') && text != "//anon";
        let (path, is_deleted) = split_deleted(if is_file { &text } else { "" });
        if known.maps.has(new.start, new.end, new.offset, path) {
            return;
        }
        let binary = match &*text {
            "[vdso]" => Some(self.vdso.clone()),
            _ if !is_file => Some(self.anonymous.clone()),
            _ if new.build_id.is_empty() => None,
            _ => self.binaries.with_build_id(&new.build_id),
        };
        if is_file && known.has_all_maps && known.maps.list().is_empty() {
            // Takes the record's path, because the program may end before /proc is read.
            let mut details = known.details.as_deref().cloned().unwrap_or_default();
            details.executable = path.to_owned();
            known.details = Some(Arc::new(details));
        }
        Rc::make_mut(&mut known.maps).add(MappedCode {
            start: new.start,
            end: new.end,
            offset: new.offset,
            path: Arc::from(path),
            is_deleted,
            unknown_build_id: match binary {
                None if !new.build_id.is_empty() => Some(Arc::from(&new.build_id[..])),
                _ => None,
            },
            binary,
        });
        known.is_pending = true;
        self.changed.insert(new.pid);
    }

    fn note_sample(&mut self, sample: &Sample) {
        let head = &sample.head;
        if let Some(count) = self.totals.stacks_by_status.get_mut(usize::from(head.status)) {
            *count += 1;
        }
        let by_status = match head.language {
            LANGUAGE_PYTHON => &mut self.totals.python_by_status,
            LANGUAGE_PHP => &mut self.totals.php_by_status,
            _ => &mut self.totals.ruby_by_status,
        };
        if let Some(count) = by_status.get_mut(usize::from(head.interpreter)) {
            *count += 1;
        }
        let pid = head.pid;
        let is_other = self
            .processes
            .get(&pid)
            .is_some_and(|known| known.start != 0 && known.start != head.process_start);
        if is_other {
            self.forget(pid);
        }
        if !self.processes.contains_key(&pid) {
            let program = self.next_program();
            self.processes.insert(pid, Known::new(program));
        }
        if head.is_kernel_thread == 0 {
            self.prepare(pid, sample);
        }
        let known = self.processes.get_mut(&pid).expect("added above");
        known.start = head.process_start;
        if head.parent_pid != 0 {
            known.parent = head.parent_pid;
        }
        known.is_sampled = true;
        self.collect(sample);
    }

    /// Reads missing data of a sampled process, and requests its missing tables.
    fn prepare(&mut self, pid: u32, sample: &Sample) {
        let known = self.processes.get_mut(&pid).expect("the caller has added it");
        // A process has no command line during exec, or after it has erased its command line.
        let has_names = known.details.as_ref().is_some_and(|it| !it.command_line.is_empty());
        let has_moved = known.cgroup.follow(sample.head.cgroup);
        let wants_names = !has_names && known.name_readings < NAME_READINGS_MAX;
        if wants_names {
            known.name_readings += 1;
        }
        if wants_names || has_moved {
            if let Some(details) = read_details(pid) {
                known.details = Some(Arc::new(details));
            }
        }
        let head = &sample.head;
        let leaf = sample.user.iter().find_map(UserFrame::address).unwrap_or(0);
        let is_known =
            head.status != STACK_NO_MAPPING || known.maps.find(head.failed_address).is_some();
        let wants_maps = !known.has_all_maps
            || known.maps.has_unresolved()
            || !is_known
            || head.status == STACK_PENDING && known.maps.find(leaf).is_none();
        if wants_maps && known.may_look(self.now) {
            self.look(pid);
            let known = self.processes.get_mut(&pid).expect("still there");
            let is_found =
                head.status != STACK_NO_MAPPING || known.maps.find(head.failed_address).is_some();
            if is_found && !known.maps.has_unresolved() {
                known.failed_looks = 0;
            }
        }
        if head.status == STACK_PENDING {
            self.request_again(pid, head.failed_address);
        }
        let known = self.processes.get(&pid).expect("still there");
        if known.is_pending || head.status == STACK_PENDING {
            self.request_tables(pid);
        }
    }

    /// Requests tables for code that sampled processes have just mapped, before there are samples
    /// in it.
    fn prepare_new_code(&mut self) {
        let changed: Vec<u32> = self.changed.iter().copied().collect();
        for pid in changed {
            let Some(known) = self.processes.get(&pid) else { continue };
            if !known.is_sampled || known.ended != 0 {
                continue;
            }
            if known.maps.has_unresolved() && known.may_look(self.now) {
                self.look(pid);
                let known = self.processes.get_mut(&pid).expect("still there");
                // A starting program maps its next library within milliseconds.
                if !known.maps.has_unresolved() {
                    known.failed_looks = 0;
                }
            }
            self.request_tables(pid);
        }
    }

    /// Reads the mappings of a process from /proc.
    fn look(&mut self, pid: u32) {
        let now = self.now;
        let lines = read_maps(pid);
        let known = self.processes.get_mut(&pid).expect("the caller has it");
        known.looked = now;
        known.failed_looks += 1;
        let Some(lines) = lines.filter(|lines| !lines.is_empty()) else { return };
        let old = known.maps.clone();
        let mut maps = CodeMaps::default();
        for line in &lines {
            maps.add(self.resolve_line(pid, line, &old));
        }
        let known = self.processes.get_mut(&pid).expect("the caller has it");
        known.maps = Rc::new(maps);
        known.has_all_maps = true;
        known.is_pending = true;
        self.changed.insert(pid);
    }

    fn resolve_line(&mut self, pid: u32, line: &MapsLine, old: &CodeMaps) -> MappedCode {
        let is_file = line.path.starts_with('/') && line.path != "//anon";
        let same = old.find(line.start).filter(|mapped| {
            mapped.start == line.start && mapped.offset == line.offset && *mapped.path == *line.path
        });
        let path = if is_file { line.path.as_str() } else { "" };
        let binary = match same.and_then(|mapped| mapped.binary.clone()) {
            Some(binary) => Some(binary),
            None if line.path == "[vdso]" => Some(self.vdso.clone()),
            None if is_file => self.open_binary(pid, line),
            None => Some(self.anonymous.clone()),
        };
        MappedCode {
            start: line.start,
            end: line.end,
            offset: line.offset,
            path: same.map_or_else(|| Arc::from(path), |mapped| mapped.path.clone()),
            is_deleted: line.is_deleted,
            binary,
            unknown_build_id: None,
        }
    }

    /// Opens a mapped file; none if the mapping no longer exists.
    fn open_binary(&mut self, pid: u32, line: &MapsLine) -> Option<Arc<Binary>> {
        let descriptor = open_mapped(pid, line)?;
        let Some(key) = regular_file_key(&descriptor) else { return Some(self.unknown.clone()) };
        if let Some(binary) = self.binaries.with_key(&key) {
            return Some(binary);
        }
        let binary = self.binaries.add(BinaryKind::File, Some(key), Some(descriptor));
        self.worker.add(Task::Identify(binary.clone()));
        Some(binary)
    }

    /// Publishes the mappings of all changed processes to the kernel.
    fn publish_changes(&mut self) {
        let mut shared = HashMap::new();
        let mut without_space = Vec::new();
        for pid in std::mem::take(&mut self.changed) {
            let Some(known) = self.processes.get_mut(&pid) else { continue };
            if known.ended != 0 || known.maps.list().is_empty() {
                continue;
            }
            let same = shared.get(&Rc::as_ptr(&known.maps)).cloned();
            let run = same.or_else(|| {
                self.published.add_run(&self.kernel, &known.maps, &self.binaries, self.now)
            });
            let Some(run) = run else {
                without_space.push(pid);
                continue;
            };
            shared.insert(Rc::as_ptr(&known.maps), run.clone());
            known.is_pending = known.maps.list().iter().any(|m| is_pending(m, &self.binaries));
            known.v8 = v8_of(&known.maps, &self.binaries);
            known.interpreter = interpreter_of(&known.maps, &self.binaries);
            let sampled = known.is_sampled;
            let old = known.run.replace(run.clone());
            // If the map is full, the process is unwound by frame pointers.
            let _ = self.kernel.set_process(pid, run.process(sampled));
            if let Some(old) = old {
                self.published.release_run(&self.kernel, old, self.now);
            }
        }
        // Memory is freed continuously, so a later attempt may succeed.
        self.changed.extend(without_space);
    }

    fn keep_house(&mut self) {
        let now = self.now;
        if std::mem::take(&mut self.has_lost_records) {
            self.end_missed();
            self.kernel.take_in_all();
        }
        self.processes.retain(|_, known| known.ended == 0 || now - known.ended < KEPT_NANOS);
        if self.processes.len() > PROCESSES_MAX || self.is_only_listed {
            // Forgets processes without samples. They are read from /proc when they are sampled.
            let idle = self.processes.iter().filter(|(_, known)| !known.is_sampled);
            let pids: Vec<u32> = idle.map(|(pid, _)| *pid).collect();
            for pid in pids {
                self.forget(pid);
            }
        }
        let tables_read = self.totals.tables_built + self.totals.tables_failed;
        let has_read = tables_read != self.tables_read;
        self.tables_read = tables_read;
        // Reading a large file takes 20 MB temporarily. While programs start, memory that was
        // returned would be requested again, and names would wait for it.
        if !has_read && std::mem::take(&mut self.has_free_memory) {
            return_free_memory();
        }
        self.has_free_memory |= has_read;
        for (first, count) in self.binaries.trim() {
            self.published.free_table(first, count, now);
        }
        self.keep_space();
        let totals = &mut self.totals;
        [totals.samples, totals.lost_samples, totals.skipped_samples] = self.kernel.counts();
        (totals.program_runs, totals.program_nanos) = self.kernel.program_runs();
        totals.table_bytes = self.published.table_bytes();
        totals.table_bytes_max = self.published.table_bytes_max();
        totals.processes =
            self.processes.values().filter(|known| known.run.is_some()).count() as u64;
        totals.tables = self.binaries.iter().filter(|entry| entry.has_table()).count() as u64;
    }
}
