//! Threads that read files: they identify binaries and compile their tables.
use crate::binaries::Binary;
use crate::lines::Lines;
use crate::system::{clock_nanos, raise_thread_priority, signal_event, thread_nanos};
use crate::table::Limits;
use std::collections::VecDeque;
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex};

pub enum Task {
    Identify(Arc<Binary>),
    Compile(Arc<Binary>),
}

pub enum Done {
    Identified(Arc<Binary>),
    Compiled { binary: Arc<Binary>, result: Result<Lines, String>, nanos: u64 },
}

/// Number of threads. With several, a file system that does not respond does not block files on
/// other file systems.
const THREADS: usize = 3;

/// Queued tasks. Identification comes first, because it is short. Then comes the smallest table, so
/// that programs that start together with Node do not wait for Node's table, which takes a hundred
/// times as long as most tables.
#[derive(Default)]
struct Tasks {
    identify: VecDeque<Arc<Binary>>,
    /// Binaries whose tables must be compiled, with the size of their unwinding information in
    /// bytes.
    compile: Vec<(u64, Arc<Binary>)>,
    /// Number of large tables that are being compiled.
    large_count: usize,
}

/// Size of the unwinding information, in bytes, above which a table counts as large. Such a table
/// takes more than 15 ms of CPU time; the table of Node takes 80 ms.
const LARGE_BYTES: u64 = 1 << 20;
/// Largest number of large tables that are compiled at the same time. One thread is left for
/// smaller tables.
const LARGE_AT_ONCE: usize = THREADS - 1;

impl Tasks {
    fn add(&mut self, task: Task) {
        match task {
            Task::Identify(binary) => self.identify.push_back(binary),
            Task::Compile(binary) => self.compile.push((unwind_bytes(&binary), binary)),
        }
    }

    /// Takes the next task; None if there is none, or all tasks must wait.
    fn take(&mut self) -> Option<Task> {
        if let Some(binary) = self.identify.pop_front() {
            return Some(Task::Identify(binary));
        }
        let sizes = self.compile.iter().map(|(bytes, _)| *bytes);
        let (at, bytes) = sizes.enumerate().min_by_key(|(_, bytes)| *bytes)?;
        let is_large = bytes > LARGE_BYTES;
        if is_large && self.large_count == LARGE_AT_ONCE {
            return None;
        }
        self.large_count += usize::from(is_large);
        Some(Task::Compile(self.compile.remove(at).1))
    }

    /// Records that the compilation of a table has ended, with or without success.
    fn end_compile(&mut self, binary: &Binary) {
        if unwind_bytes(binary) > LARGE_BYTES {
            self.large_count -= 1;
        }
    }
}

fn unwind_bytes(binary: &Binary) -> u64 {
    binary.identified().map_or(0, |identity| identity.unwind_bytes)
}

#[derive(Default)]
struct Queue {
    tasks: Tasks,
    done: Vec<Done>,
    is_closed: bool,
}

/// Task queue of the threads.
pub struct Worker {
    queue: Mutex<Queue>,
    has_tasks: Condvar,
    /// Becomes readable when a task is done.
    pub event: Arc<OwnedFd>,
    pub thread_nanos: AtomicU64,
}

impl Worker {
    pub fn start(event: Arc<OwnedFd>, limits: Limits) -> Result<Arc<Worker>, String> {
        let worker = Arc::new(Worker {
            queue: Mutex::default(),
            has_tasks: Condvar::new(),
            event,
            thread_nanos: AtomicU64::new(0),
        });
        for _ in 0..THREADS {
            let own = worker.clone();
            std::thread::Builder::new()
                .name("bpf-tables".to_owned())
                .spawn(move || own.run(limits))
                .map_err(|error| format!("cannot start a thread: {error}"))?;
        }
        Ok(worker)
    }

    pub fn add(&self, task: Task) {
        self.queue.lock().expect("no panic holds it").tasks.add(task);
        self.has_tasks.notify_one();
    }

    pub fn take_done(&self) -> Vec<Done> {
        std::mem::take(&mut self.queue.lock().expect("no panic holds it").done)
    }

    /// Stops the threads after their current tasks.
    pub fn close(&self) {
        let mut queue = self.queue.lock().expect("no panic holds it");
        queue.is_closed = true;
        queue.tasks = Tasks::default();
        self.has_tasks.notify_all();
    }

    fn next(&self) -> Option<Task> {
        let mut queue = self.queue.lock().expect("no panic holds it");
        loop {
            if queue.is_closed {
                return None;
            }
            if let Some(task) = queue.tasks.take() {
                return Some(task);
            }
            queue = self.has_tasks.wait(queue).expect("no panic holds it");
        }
    }

    fn run(&self, limits: Limits) {
        raise_thread_priority();
        while let Some(task) = self.next() {
            let start = thread_nanos();
            let done = perform(task, limits);
            let mut queue = self.queue.lock().expect("no panic holds it");
            if let Done::Compiled { binary, .. } = &done {
                queue.tasks.end_compile(binary);
            }
            queue.done.push(done);
            drop(queue);
            self.thread_nanos.fetch_add(thread_nanos() - start, Ordering::Relaxed);
            signal_event(&self.event);
        }
    }
}

fn perform(task: Task, limits: Limits) -> Done {
    match task {
        Task::Identify(binary) => {
            binary.identify();
            Done::Identified(binary)
        }
        Task::Compile(binary) => {
            let start = clock_nanos(libc::CLOCK_MONOTONIC);
            // If the parser panics on a malicious file, only that file lacks a table.
            let compile = std::panic::AssertUnwindSafe(|| binary.compile(limits));
            let result = std::panic::catch_unwind(compile)
                .unwrap_or_else(|_| Err("the compiler of tables failed".to_owned()));
            let nanos = (clock_nanos(libc::CLOCK_MONOTONIC) - start) as u64;
            Done::Compiled { binary, result, nanos }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::binaries::{BinaryKind, BuildId, Identity};

    fn binary(id: u32, unwind_bytes: u64) -> Arc<Binary> {
        let binary = Binary::new(id, BinaryKind::File, None);
        let build_id = BuildId::Gnu(vec![id as u8]);
        let identity = Identity {
            loads: Vec::new(),
            code: (0, 0),
            build_id,
            is_go: false,
            bytes: 0,
            unwind_bytes,
        };
        // This cannot fail, because the binary is new.
        let _ = binary.identity.set(Ok(identity));
        binary
    }

    fn take_id(tasks: &mut Tasks) -> Option<u32> {
        tasks.take().map(|task| match task {
            Task::Identify(binary) | Task::Compile(binary) => binary.id,
        })
    }

    #[test]
    fn no_table_waits_for_a_large_one() {
        let mut tasks = Tasks::default();
        let large = [binary(1, 3_500_000), binary(2, 2_700_000), binary(8, 3_600_000)];
        let small = [binary(3, 400_000), binary(4, 200), binary(5, 200)];
        for binary in large.iter().chain(&small) {
            tasks.add(Task::Compile(binary.clone()));
        }
        tasks.add(Task::Identify(binary(6, 0)));
        let order: Vec<_> = (0..7).map(|_| take_id(&mut tasks)).collect();
        assert_eq!(order, [Some(6), Some(4), Some(5), Some(3), Some(2), Some(1), None]);
        // Two threads compile large binaries, and the third processes small binaries.
        tasks.add(Task::Compile(binary(7, 300_000)));
        assert_eq!(take_id(&mut tasks), Some(7));
        tasks.end_compile(&small[0]);
        assert_eq!(take_id(&mut tasks), None);
        tasks.end_compile(&large[1]);
        assert_eq!(take_id(&mut tasks), Some(8));
        assert_eq!(take_id(&mut tasks), None);
    }
}
