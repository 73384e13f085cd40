//! Burns CPU time while Pyroscope's SDK for Rust profiles it, a third of it with a tag. Prints the
//! main thread's CPU time in nanoseconds.
use pyroscope::backend::{pprof_backend, BackendConfig, PprofConfig};
use pyroscope::pyroscope::PyroscopeAgentBuilder;
use std::hint::black_box;
use std::time::{Duration, Instant};

#[inline(never)]
fn burn(time: Duration) -> u64 {
    let end = Instant::now() + time;
    let mut sum = 0u64;
    while Instant::now() < end {
        for i in 0..100_000u64 {
            sum = black_box(sum.wrapping_mul(31).wrapping_add(i));
        }
    }
    sum
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(url), Some(seconds)) = (arguments.next(), arguments.next()) else {
        return Err("usage: pyroscope-rust URL SECONDS".into());
    };
    let end = Instant::now() + Duration::from_secs(seconds.parse()?);
    let backend = pprof_backend(PprofConfig::default(), BackendConfig::default());
    let agent =
        PyroscopeAgentBuilder::new(url, "rust.shop", 100, "pyroscope-rs", "0.0.0", backend)
            .tags(vec![("region", "eu")])
            .build()?;
    let running = agent.start()?;
    let (add_tag, remove_tag) = running.tag_wrapper();
    while Instant::now() < end {
        burn(Duration::from_millis(200));
        add_tag("endpoint".to_string(), "/cart".to_string())?;
        burn(Duration::from_millis(100));
        remove_tag("endpoint".to_string(), "/cart".to_string())?;
    }
    let scheduled = std::fs::read_to_string("/proc/self/schedstat")?;
    running.stop()?.shutdown();
    println!("{}", scheduled.split(' ').next().unwrap_or_default());
    Ok(())
}
