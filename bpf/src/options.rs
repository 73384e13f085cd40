//! Options of a sampler, and their ranges.
use crate::layout::RING_BYTES_MIN;

pub struct Options {
    /// Nanoseconds between two samples of a CPU.
    pub period: u32,
    pub table_bytes: u64,
    pub ring_bytes: u32,
    pub waiting_bytes: u64,
    pub pids: Option<Vec<u32>>,
    pub reads_cgroups: bool,
}

impl Options {
    pub fn check(&self) -> Result<(), String> {
        let wants = |name: &str, value: u64, want: &str| {
            Err(format!("cannot start sampling: {name} is {value}, which is not {want}"))
        };
        if !(100_000..=1_100_000_000).contains(&self.period) {
            return wants("periodNanos", u64::from(self.period), "0.1 ms to 1.1 s");
        }
        if !(1 << 20..=16 << 30).contains(&self.table_bytes) {
            return wants("tableBytesMax", self.table_bytes, "1 MiB to 16 GiB");
        }
        if (self.ring_bytes as usize) < RING_BYTES_MIN || !self.ring_bytes.is_power_of_two() {
            return wants("ringBytes", u64::from(self.ring_bytes), "a power of two from 64 KiB on");
        }
        if self.waiting_bytes < 1 << 20 {
            return wants("waitingBytesMax", self.waiting_bytes, "at least 1 MiB");
        }
        Ok(())
    }
}
