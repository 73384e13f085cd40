//! The threads that read files: they identify binaries and compile their tables.
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

#[derive(Default)]
struct Queue {
    tasks: VecDeque<Task>,
    done: Vec<Done>,
    is_closed: bool,
}

/// A file system that does not answer must not keep the files of others.
const THREADS: usize = 2;

/// Queue of the threads. Tasks wait in order, but identifying comes first, as it is short.
pub struct Worker {
    queue: Mutex<Queue>,
    has_tasks: Condvar,
    /// Readable when something is done.
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
        let mut queue = self.queue.lock().expect("no panic holds it");
        match task {
            Task::Identify(_) => queue.tasks.push_front(task),
            Task::Compile(_) => queue.tasks.push_back(task),
        }
        self.has_tasks.notify_one();
    }

    pub fn take_done(&self) -> Vec<Done> {
        std::mem::take(&mut self.queue.lock().expect("no panic holds it").done)
    }

    /// Ends the threads after their current tasks.
    pub fn close(&self) {
        let mut queue = self.queue.lock().expect("no panic holds it");
        queue.is_closed = true;
        queue.tasks.clear();
        self.has_tasks.notify_all();
    }

    fn next(&self) -> Option<Task> {
        let mut queue = self.queue.lock().expect("no panic holds it");
        loop {
            if queue.is_closed {
                return None;
            }
            if let Some(task) = queue.tasks.pop_front() {
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
            self.queue.lock().expect("no panic holds it").done.push(done);
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
            // A parser that panics on a hostile file costs that file its table, nothing else.
            let compile = std::panic::AssertUnwindSafe(|| binary.compile(limits));
            let result = std::panic::catch_unwind(compile)
                .unwrap_or_else(|_| Err("the compiler of tables failed".to_owned()));
            let nanos = (clock_nanos(libc::CLOCK_MONOTONIC) - start) as u64;
            Done::Compiled { binary, result, nanos }
        }
    }
}
