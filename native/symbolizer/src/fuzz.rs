//! Damages programs, requests and compressed symbols at random. Each input must result in an answer
//! or an error, without a panic, within five seconds of CPU time.
//!
//! FUZZ_SECONDS sets the duration (default 2), FUZZ_SEED repeats a run, and FUZZ_KIND selects a
//! type of input: 0 is xz, 1 is requests, 2 is names and Go tables, 3 is files.
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use demangle::{Mode, demangle};

use crate::{answer, answer_code, go_table, symbols, wire};

/// Largest CPU time of an input, in seconds. Most inputs take a millisecond.
const SECONDS_MAX: u64 = 5;
/// Equal to symbolizerMemoryBytesMax of the server.
const MEMORY_BYTES_MAX: u64 = 400 << 20;
const PAGE_BYTES: u64 = 4096;

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }
}

/// Builds a program with DWARF from testdata.
fn program(folder: &Path, name: &str, flags: &[&str]) -> Vec<u8> {
    let path = folder.join(name);
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/tables.c");
    let status = Command::new("cc").args(flags).arg(&source).arg("-o").arg(&path).status();
    assert!(status.expect("cc is there").success());
    std::fs::read(path).expect("it was built")
}

/// Changes some bytes. In half of the cases, changes only DWARF and headers.
fn damage(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..1 + random.below(40) {
        let from = if random.below(4) == 0 { 0 } else { bytes.len() / 3 };
        let at = from + random.below(bytes.len() - from);
        let value = [0, 1, 0x7f, 0x80, 0xff][random.below(5)];
        bytes[at] = if random.below(2) == 0 { value } else { random.below(256) as u8 };
    }
    if random.below(20) == 0 {
        let length = random.below(bytes.len());
        bytes.truncate(length);
    }
}

fn check(
    kind: usize,
    random: &mut Random,
    programs: &[Vec<u8>],
    packed: &[u8],
    counts: &mut [u64; 4],
) {
    counts[kind.min(3)] += 1;
    match kind {
        0 => {
            let mut bytes = packed.to_vec();
            damage(&mut bytes, random);
            symbols::decompress(&bytes);
        }
        1 => {
            let length = random.below(200);
            let request: Vec<u8> = (0..length).map(|_| random.below(256) as u8).collect();
            assert_eq!(wire::read_addresses(&request).is_ok(), length.is_multiple_of(8));
            // Random lengths are nearly always past the end, so small lengths are tried, too.
            let small: Vec<u8> = request.iter().map(|byte| byte % 4).collect();
            for bytes in [request, small] {
                let read =
                    wire::read_names(&bytes).map(|names| names.iter().map(|n| n.len() + 4).sum());
                assert!(read.is_err() || read == Ok(bytes.len()));
            }
        }
        2 if random.below(2) == 0 => {
            let mut bytes = go_table::tests::make();
            damage(&mut bytes, random);
            go_table::tests::use_table(&bytes);
        }
        2 => {
            let letters = b"_ZRNKSt12345IEvilcXLpFDpT0_.$u20h";
            let mut name = ["_Z", "_R", "_ZN"][random.below(3)].to_string();
            for _ in 0..random.below(200) {
                name.push(letters[random.below(letters.len())] as char);
            }
            for mode in [Mode::Simple, Mode::Full, Mode::Templates] {
                demangle(&name, mode);
            }
        }
        _ => {
            // Decompressed data stays in memory until the process ends.
            let which = if random.below(16) == 0 { 2 } else { random.below(2) };
            let mut bytes = programs[which].clone();
            damage(&mut bytes, random);
            let addresses: Vec<u64> =
                (0..50).map(|_| 0x1000 + random.below(0x1000) as u64).collect();
            // The same files contain code. Sometimes the names come from a different file.
            if random.below(2) == 0 {
                let _ = answer(&bytes, None, &addresses, Mode::Simple);
            } else {
                let names = &programs[random.below(2)];
                let names = (random.below(4) == 0).then_some(names.as_slice());
                let _ = answer_code(&bytes, names, &addresses, Mode::Simple);
            }
        }
    }
}

/// Limits the memory of this process to its current size plus the memory of one run. Without a
/// limit, a section that claims to have gigabytes would be filled with zeros, which takes seconds.
fn limit_memory() {
    let pages = std::fs::read_to_string("/proc/self/statm").expect("this process is there");
    // The sixth number is the size of data and stacks in pages.
    let data = pages.split(' ').nth(5).and_then(|text| text.parse::<u64>().ok());
    let wanted = data.expect("a number of pages") * PAGE_BYTES + MEMORY_BYTES_MAX;
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the structure lives as long as the calls.
    unsafe {
        assert_eq!(libc::getrlimit(libc::RLIMIT_DATA, &mut limit), 0);
        // The hard limit is not changed, because it could not be raised again for later runs, which
        // need more: decompressed data stays in memory.
        limit.rlim_cur = wanted.min(limit.rlim_max);
        assert_eq!(libc::setrlimit(libc::RLIMIT_DATA, &limit), 0);
    }
}

/// CPU time of this thread.
fn cpu_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the structure lives as long as the call.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[test]
fn random_damage() {
    let number = |name: &str, otherwise: u64| {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
    };
    let seconds = number("FUZZ_SECONDS", 2);
    let folder = std::env::temp_dir().join(format!("parca-symbolizer-fuzz-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let programs = [
        program(&folder, "five", &["-O2", "-gdwarf-5"]),
        program(&folder, "four", &["-O1", "-gdwarf-4"]),
        program(&folder, "packed", &["-O2", "-g", "-gz=zlib"]),
    ];
    std::fs::remove_dir_all(&folder).expect("the folder");
    let mut packed = Vec::new();
    lzma_rs::xz_compress(&mut &programs[0][..], &mut packed).expect("it is compressed");
    let start = Instant::now();
    let mut counts = [0u64; 4];
    let mut seed = number("FUZZ_SEED", std::process::id().into());
    let only = std::env::var("FUZZ_KIND").ok().and_then(|text| text.parse().ok());
    while start.elapsed() < Duration::from_secs(seconds) {
        limit_memory();
        let began = cpu_time();
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let random = &mut Random(seed + 0x9e37_79b9_7f4a_7c15);
            let kind = only.unwrap_or(random.below(8));
            check(kind, random, &programs, &packed, &mut counts);
        }));
        assert!(outcome.is_ok(), "FUZZ_SEED={seed}: a panic");
        let took = cpu_time() - began;
        assert!(took < Duration::from_secs(SECONDS_MAX), "FUZZ_SEED={seed}: {took:?}");
        seed += 1;
    }
    let [packed, requests, names, files] = counts;
    println!("{packed} of xz, {requests} requests, {names} names, {files} files");
}
