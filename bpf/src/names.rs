//! The thread that reads names of JavaScript, Python and Ruby functions. A process can delay reads
//! of its memory, so the sampling thread does not read names itself.
use crate::interpreters::{Code, InProcess};
use crate::layout::InterpretedFrame;
use crate::system::{ProcessMemory, raise_thread_priority, thread_nanos};
use crate::v8::{Function, Functions, Layout};
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock};

/// A function, set after it was read. Contains None if there is no function at its address.
pub type Slot = Arc<OnceLock<Option<Named>>>;

/// A function that was read.
#[derive(Clone)]
pub enum Named {
    Script(Function),
    Interpreted(Arc<Code>),
}

/// A request to the thread.
pub struct Request {
    pid: u32,
    subject: Subject,
    slot: Slot,
}

enum Subject {
    /// Function with its description at `shared`.
    Script {
        layout: Arc<Layout>,
        shared: u64,
        functions: Arc<Mutex<Functions>>,
    },
    Interpreted {
        interpreter: InProcess,
        frame: InterpretedFrame,
    },
}

/// Functions of a program, by the address of their description. They are dropped with the program.
#[derive(Default)]
pub struct Slots {
    made: u64,
    known: HashMap<u64, Slot>,
    /// State that the thread keeps between requests for the program.
    functions: Arc<Mutex<Functions>>,
    /// Code objects of an interpreter by address, method and check.
    codes: HashMap<(u64, u64, u64), Slot>,
}

/// Time after which a name is read again, because the garbage collector may move another function
/// to the address.
const KEPT_NANOS: u64 = 30_000_000_000;
const FUNCTIONS_MAX: usize = 8192;
/// Largest number of waiting requests. It is reached only if reads from a process hang.
const REQUESTS_MAX: usize = 8192;

pub struct Names {
    requests: Sender<Vec<Request>>,
    counts: Arc<Counts>,
}

#[derive(Default)]
struct Counts {
    waiting: AtomicUsize,
    thread_nanos: AtomicU64,
}

impl Names {
    /// Starts the thread. It ends when this object has been dropped and the last read has returned.
    pub fn start() -> Result<Names, String> {
        let (requests, received) = channel();
        let counts = Arc::new(Counts::default());
        let of_thread = counts.clone();
        std::thread::Builder::new()
            .name("bpf-names".to_owned())
            .spawn(move || answer(&received, &of_thread))
            .map_err(|error| format!("cannot start a thread: {error}"))?;
        Ok(Names { requests, counts })
    }

    /// Returns the CPU time of the thread.
    pub fn thread_nanos(&self) -> u64 {
        self.counts.thread_nanos.load(Ordering::Relaxed)
    }

    /// Returns the slot for a JavaScript function; None if there are too many requests.
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
        let (layout, functions) = (layout.clone(), slots.functions.clone());
        let request = self.request(pid, Subject::Script { layout, shared, functions })?;
        let slot = request.slot.clone();
        slots.known.insert(shared, slot.clone());
        self.send(vec![request]);
        Some(slot)
    }

    /// Returns the slot for the code object of a frame. It stays empty if there are too many
    /// requests. The check identifies the code object, so each is read only once: the caller sends
    /// what was added to `requests`, all of a sample together, because each wakes the thread.
    pub fn find_code(
        &self,
        slots: &mut Slots,
        pid: u32,
        interpreter: &InProcess,
        frame: &InterpretedFrame,
        requests: &mut Vec<Request>,
    ) -> Slot {
        if slots.codes.len() >= FUNCTIONS_MAX {
            slots.codes = HashMap::new();
        }
        let key = (frame.code, frame.method, frame.check);
        if let Some(slot) = slots.codes.get(&key) {
            return slot.clone();
        }
        let subject = Subject::Interpreted { interpreter: interpreter.clone(), frame: *frame };
        let Some(request) = self.request(pid, subject) else { return Slot::default() };
        let slot = request.slot.clone();
        slots.codes.insert(key, slot.clone());
        requests.push(request);
        slot
    }

    /// Sends requests to the thread.
    pub fn send(&self, requests: Vec<Request>) {
        if !requests.is_empty() {
            // The thread runs as long as this object exists.
            let _ = self.requests.send(requests);
        }
    }

    fn request(&self, pid: u32, subject: Subject) -> Option<Request> {
        if self.counts.waiting.load(Ordering::Relaxed) >= REQUESTS_MAX {
            return None;
        }
        self.counts.waiting.fetch_add(1, Ordering::Relaxed);
        Some(Request { pid, subject, slot: Slot::default() })
    }
}

fn answer(requests: &Receiver<Vec<Request>>, counts: &Counts) {
    raise_thread_priority();
    let mut codes = Codes::default();
    for Request { pid, subject, slot } in requests.iter().flatten() {
        let memory = ProcessMemory(pid);
        let found = match subject {
            Subject::Script { layout, shared, functions } => {
                let mut functions = functions.lock().expect("only this thread locks it");
                functions.read(&memory, &layout, shared).map(Named::Script)
            }
            Subject::Interpreted { interpreter, frame } => {
                let code = interpreter.read(&memory, &frame);
                code.map(|code| Named::Interpreted(codes.share(code)))
            }
        };
        // Set only once, because each request has its own slot.
        let _ = slot.set(found);
        counts.waiting.fetch_sub(1, Ordering::Relaxed);
        counts.thread_nanos.store(thread_nanos(), Ordering::Relaxed);
    }
}

/// Code objects that processes share, because many processes run the same program.
#[derive(Default)]
struct Codes {
    known: HashSet<Arc<Code>>,
    next_look: usize,
}

const CODES_LOOK_MIN: usize = 1024;

impl Codes {
    fn share(&mut self, code: Code) -> Arc<Code> {
        if let Some(known) = self.known.get(&code) {
            return known.clone();
        }
        if self.known.len() >= self.next_look {
            self.known.retain(|code| Arc::strong_count(code) > 1);
            self.next_look = CODES_LOOK_MIN.max(self.known.len() * 2);
        }
        let shared = Arc::new(code);
        self.known.insert(shared.clone());
        shared
    }
}
