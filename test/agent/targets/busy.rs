// Burns CPU time: three quarters in hot_loop, the rest in warm_loop. The second argument is the
// number of frames above the loops.
use std::hint::black_box;

#[inline(never)]
fn hot_loop(rounds: u64) -> f64 {
    let mut value = 1.5;
    for _ in 0..rounds {
        value = value * 1.0000001 + 0.5;
    }
    value
}

#[inline(never)]
fn warm_loop(rounds: u64) -> f64 {
    let mut value = 2.5;
    for _ in 0..rounds {
        value = value * 1.0000003 + 0.25;
    }
    value
}

/// Returns the user and system time from /proc/self/stat, which counts in ticks of 10 ms.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("own stat");
    let after_name = stat.rsplit(") ").next().expect("fields");
    let field = |at: usize| after_name.split(' ').nth(at).expect("field");
    let ticks = |at: usize| -> f64 { field(at).parse().expect("ticks") };
    (ticks(11) + ticks(12)) / 100.0
}

#[inline(never)]
fn descend(depth: u32) -> f64 {
    if depth > 0 {
        return black_box(descend(depth - 1)) + 1.0;
    }
    (0..20)
        .map(|_| black_box(hot_loop(black_box(300_000)) + warm_loop(black_box(100_000))))
        .sum()
}

fn main() {
    let argument = |at: usize| std::env::args().nth(at).and_then(|text| text.parse().ok());
    let (seconds, depth) = (argument(1).unwrap_or(1.0), argument(2).unwrap_or(0.0));
    while cpu_seconds() < seconds {
        black_box(descend(depth as u32));
    }
}
