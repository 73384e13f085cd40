//! The thread that reads names of JavaScript functions. A process can delay whoever reads its
//! memory, so the sampling thread leaves this to it.
use crate::system::{ProcessMemory, raise_thread_priority, thread_nanos};
use crate::v8::{Function, Functions, Layout};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, OnceLock};

/// A function once it is read; None if there is none.
pub type Slot = Arc<OnceLock<Option<Function>>>;

/// A question for the thread.
struct Request {
    pid: u32,
    layout: Arc<Layout>,
    /// Address of the description of a function.
    shared: u64,
    slot: Slot,
    functions: Arc<Mutex<Functions>>,
}

/// Functions of one program, by the address of their descriptions. They are dropped with the
/// program.
#[derive(Default)]
pub struct Slots {
    made: u64,
    known: HashMap<u64, Slot>,
    /// State that the thread keeps between questions.
    functions: Arc<Mutex<Functions>>,
}

/// The collector of garbage may put another function at an address, so names are read again.
const KEPT_NANOS: u64 = 30_000_000_000;
const FUNCTIONS_MAX: usize = 8192;
/// Number of requests that may wait; more do only if a process does not answer.
const REQUESTS_MAX: usize = 8192;

pub struct Names {
    requests: SyncSender<Request>,
    pub thread_nanos: Arc<AtomicU64>,
}

impl Names {
    /// Starts the thread, which ends when this is dropped and its last read returns.
    pub fn start() -> Result<Names, String> {
        let (requests, received) = sync_channel(REQUESTS_MAX);
        let nanos = Arc::new(AtomicU64::new(0));
        let of_thread = nanos.clone();
        std::thread::Builder::new()
            .name("bpf-names".to_owned())
            .spawn(move || answer(&received, &of_thread))
            .map_err(|error| format!("cannot start a thread: {error}"))?;
        Ok(Names { requests, thread_nanos: nanos })
    }

    /// Returns the slot that will hold a function; None if too many are requested.
    pub fn find(
        &self,
        slots: &mut Slots,
        pid: u32,
        layout: &Arc<Layout>,
        shared: u64,
        now: u64,
    ) -> Option<Slot> {
        if now.saturating_sub(slots.made) > KEPT_NANOS || slots.known.len() >= FUNCTIONS_MAX {
            slots.made = now;
            slots.known = HashMap::new();
        }
        if let Some(slot) = slots.known.get(&shared) {
            return Some(slot.clone());
        }
        let (layout, slot, functions) = (layout.clone(), Slot::default(), slots.functions.clone());
        let request = Request { pid, layout, shared, slot: slot.clone(), functions };
        self.requests.try_send(request).ok()?;
        slots.known.insert(shared, slot.clone());
        Some(slot)
    }
}

fn answer(requests: &Receiver<Request>, nanos: &AtomicU64) {
    raise_thread_priority();
    while let Ok(request) = requests.recv() {
        let memory = ProcessMemory(request.pid);
        let mut functions = request.functions.lock().expect("only this thread locks it");
        let found = functions.read(&memory, &request.layout, request.shared);
        // Set once: each request has a slot of its own.
        let _ = request.slot.set(found);
        nanos.store(thread_nanos(), Ordering::Relaxed);
    }
}
