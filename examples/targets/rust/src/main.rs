//! A Rust program to profile: heavy does three times the work of light.
//!
//!     cargo run --release -- --listen 127.0.0.1:6062
//!
//! With --audit it behaves like a second release, in which audit takes twice the time of light.
use std::error::Error;
use std::hint::black_box;
use std::io::Write;
use std::net::SocketAddr;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use flate2::{write::GzEncoder, Compression};
use pprof::protos::Message;
use pprof::ProfilerGuardBuilder;
use tiny_http::{Request, Response, Server};

/// Number of steps that take about 6 ms; a round is three shares of heavy and one of light.
const STEPS_PER_SHARE: u64 = 4_000_000;
/// Pause after each round, so that the program uses less than half of a core.
const PAUSE: Duration = Duration::from_millis(36);

/// Samples per second of CPU time; a prime, so that samples do not coincide with a rhythm of the
/// program.
const SAMPLES_PER_SECOND: i32 = 199;
const SECONDS_MAX: u64 = 300;
/// Held by the request that takes a profile.
static PROFILER: Mutex<()> = Mutex::new(());

struct Options {
    address: SocketAddr,
    audits: bool,
}

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let Options { address, audits } = options()?;
    let server = Server::http(address)?;
    println!("listening on {}", server.server_addr());
    thread::Builder::new()
        .name("work".into())
        .spawn(move || work(audits))?;
    for request in server.incoming_requests() {
        thread::spawn(|| {
            if let Err(error) = answer(request) {
                eprintln!("cannot answer: {error}");
            }
        });
    }
    Ok(())
}

fn options() -> Result<Options, Box<dyn Error + Send + Sync>> {
    let mut address = "127.0.0.1:6062".to_string();
    let mut audits = false;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match (argument.split_once('='), argument.as_str()) {
            (Some(("--listen", value)), _) => address = value.to_string(),
            (None, "--listen") => address = arguments.next().ok_or("--listen needs host:port")?,
            (None, "--audit") => audits = true,
            _ => return Err(format!("unknown argument {argument}").into()),
        }
    }
    Ok(Options {
        address: address.parse()?,
        audits,
    })
}

fn work(audits: bool) {
    let mut state = 1;
    loop {
        // The length varies, equally for both functions, so that they have no fixed rhythm with the
        // sampling.
        let steps = STEPS_PER_SHARE / 2 + state % STEPS_PER_SHARE;
        state = heavy(steps, state);
        state = light(steps, state);
        if audits {
            state = audit(2 * steps, state);
        }
        thread::sleep(PAUSE);
    }
}

#[inline(never)]
fn heavy(steps: u64, mut state: u64) -> u64 {
    for _ in 0..3 * steps {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
    }
    black_box(state)
}

#[inline(never)]
fn light(steps: u64, mut state: u64) -> u64 {
    for _ in 0..steps {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
    }
    black_box(state)
}

#[inline(never)]
fn audit(steps: u64, mut state: u64) -> u64 {
    for _ in 0..steps {
        // The numbers differ from those of light, because the compiler would merge equal functions.
        state ^= state << 7;
        state ^= state >> 9;
        state ^= state << 8;
    }
    black_box(state)
}

fn answer(request: Request) -> Result<(), Box<dyn Error + Send + Sync>> {
    let url = request.url().to_string();
    let (path, query) = url.split_once('?').unwrap_or((&url, ""));
    if path != "/debug/pprof/profile" {
        return Ok(request.respond(Response::from_string("not found\n").with_status_code(404))?);
    }
    let seconds = query
        .split('&')
        .find_map(|pair| pair.strip_prefix("seconds="));
    // A process has one profiler. If several servers scrape, more and more requests would wait for
    // it.
    let Ok(_turn) = PROFILER.try_lock() else {
        let why = "another profile is being taken\n";
        return Ok(request.respond(Response::from_string(why).with_status_code(503))?);
    };
    match seconds.unwrap_or("10").parse() {
        Ok(seconds @ 1..=SECONDS_MAX) => {
            Ok(request.respond(Response::from_data(profile(seconds)?))?)
        }
        _ => {
            let why = format!("seconds must be a whole number from 1 to {SECONDS_MAX}\n");
            Ok(request.respond(Response::from_string(why).with_status_code(400))?)
        }
    }
}

/// Returns the CPU time by function over the next `seconds`, as gzipped pprof.
fn profile(seconds: u64) -> Result<Vec<u8>, Box<dyn Error + Send + Sync>> {
    let guard = ProfilerGuardBuilder::default()
        .frequency(SAMPLES_PER_SECOND)
        .blocklist(&["libc", "libgcc", "pthread", "vdso"])
        .build()?;
    thread::sleep(Duration::from_secs(seconds));
    let profile = guard.report().build()?.pprof()?;
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(&profile.encode_to_vec())?;
    Ok(gzip.finish()?)
}
