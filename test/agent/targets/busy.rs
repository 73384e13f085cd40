// Burns CPU time: three quarters of it in hot_loop, the rest in warm_loop; then prints how much.
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

/// Ticks of user and system time in /proc/self/stat, 100 a second.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("own stat");
    let after_name = stat.rsplit(") ").next().expect("fields");
    let field = |at: usize| after_name.split(' ').nth(at).expect("field");
    let ticks = |at: usize| -> f64 { field(at).parse().expect("ticks") };
    (ticks(11) + ticks(12)) / 100.0
}

#[inline(never)]
fn work(seconds: f64) {
    while cpu_seconds() < seconds {
        for _ in 0..20 {
            black_box(hot_loop(black_box(300_000)) + warm_loop(black_box(100_000)));
        }
    }
}

fn main() {
    let seconds: f64 = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(1.0);
    work(seconds);
    println!("{:.6}", cpu_seconds());
}
