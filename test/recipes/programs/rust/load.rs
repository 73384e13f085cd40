//! Does the same work forever, at fixed intervals: `hot` takes three times as long as `cool`.
use std::collections::HashMap;
use std::hint::black_box;
use std::thread;
use std::time::{Duration, Instant};

#[inline(never)]
fn hot(steps: u64, mut state: u64) -> u64 {
    for _ in 0..3 * steps {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
    }
    state
}

#[inline(never)]
fn cool(steps: u64, mut state: u64) -> u64 {
    for _ in 0..steps {
        state ^= state << 7;
        state ^= state >> 9;
        state ^= state << 8;
    }
    state
}

/// Allocates and frees memory, so that signals also interrupt the allocator.
#[inline(never)]
fn count_words(count: usize) -> usize {
    let mut words: HashMap<String, usize> = HashMap::new();
    for i in 0..count {
        *words.entry(format!("word-{}", i % 100)).or_default() += i;
    }
    words.values().sum()
}

pub fn work() {
    thread::spawn(|| loop {
        black_box(count_words(500));
        thread::sleep(Duration::from_millis(10));
    });
    let mut state = 1;
    let mut next = Instant::now();
    loop {
        state = cool(450_000, hot(450_000, black_box(state)));
        black_box(thread::spawn(|| count_words(100)).join().ok());
        next += Duration::from_millis(50);
        thread::sleep(next.saturating_duration_since(Instant::now()));
    }
}
