// Sorts by closures, catches panics and grows maps for 20 seconds.
use std::collections::HashMap;
use std::time::{Duration, Instant};

#[inline(never)]
fn sort_texts(count: u64) -> usize {
    let mut texts: Vec<String> = (0..count).map(|i| (i * 7919 % count).to_string()).collect();
    texts.sort_by(|left, right| right.len().cmp(&left.len()).then_with(|| left.cmp(right)));
    let mut counts: HashMap<String, usize> = HashMap::new();
    for text in texts {
        *counts.entry(text).or_default() += 1;
    }
    counts.len()
}

#[inline(never)]
fn fail(depth: u32) -> u32 {
    if depth == 0 {
        panic!("caught");
    }
    fail(depth - 1) + 1
}

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    let end = Instant::now() + Duration::from_secs(20);
    let mut sum = 0;
    while Instant::now() < end {
        sum += sort_texts(500);
        sum += std::panic::catch_unwind(|| fail(20)).is_err() as usize;
    }
    println!("{sum}");
}
