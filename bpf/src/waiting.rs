//! Batches of samples that are waiting to be taken. Their total size is limited. Each batch is
//! small enough to be converted to JavaScript objects.
use crate::batch::{Batch, Totals};
use std::collections::VecDeque;

/// Size at which a batch is full and the next batch begins. The agent needs ten times as much
/// memory to process it.
const BATCH_BYTES_MAX: usize = 4 << 20;

#[derive(Default)]
pub struct Waiting {
    /// Full batches with their end times in CLOCK_REALTIME, the oldest batch first.
    full: VecDeque<(Batch, u64)>,
    full_bytes: usize,
    pub batch: Batch,
    pub totals: Totals,
    /// Number of programs that have run so far.
    pub program_count: u32,
}

/// A taken batch.
pub struct Taken {
    pub batch: Batch,
    pub end: u64,
    pub has_more: bool,
    pub totals: Totals,
}

impl Waiting {
    /// Returns the batch to which the next sample is added; None while `bytes_max` bytes are
    /// waiting. `now` returns the end time of a batch that has become full.
    pub fn batch_for_sample(
        &mut self,
        bytes_max: usize,
        now: impl FnOnce() -> u64,
    ) -> Option<&mut Batch> {
        let bytes = self.batch.bytes();
        if self.full_bytes + bytes >= bytes_max {
            return None;
        }
        if bytes >= BATCH_BYTES_MAX {
            self.full_bytes += bytes;
            self.full.push_back((std::mem::take(&mut self.batch), now()));
        }
        Some(&mut self.batch)
    }

    /// Takes the oldest batch; a batch that is not full ends at `now`.
    pub fn take(&mut self, now: u64) -> Taken {
        let totals = self.totals.clone();
        match self.full.pop_front() {
            Some((batch, end)) => {
                self.full_bytes -= batch.bytes();
                Taken { batch, end, has_more: true, totals }
            }
            None => {
                let batch = std::mem::take(&mut self.batch);
                Taken { batch, end: now, has_more: false, totals }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::SampledProcess;
    use std::sync::Arc;

    fn process(pid: u32) -> SampledProcess {
        SampledProcess {
            pid,
            start: 0,
            parent: 0,
            name: String::new(),
            details: Arc::default(),
            cgroup: 0,
            is_kernel_thread: false,
            binary: 0,
        }
    }

    #[test]
    fn batches_are_parted_and_limited() {
        let mut waiting = Waiting::default();
        let bytes_max = 3 * BATCH_BYTES_MAX;
        let mut count = 0;
        while let Some(batch) = waiting.batch_for_sample(bytes_max, || u64::from(count)) {
            batch.add_process((count, 0, 0), process(count));
            count += 1;
        }
        let end = u64::from(count);
        let mut taken = Vec::new();
        while taken.last().is_none_or(|last: &Taken| last.has_more) {
            taken.push(waiting.take(end));
        }
        let bytes: Vec<usize> = taken.iter().map(|one| one.batch.bytes()).collect();
        assert_eq!(bytes, [BATCH_BYTES_MAX; 3]);
        let ends: Vec<u64> = taken.iter().map(|one| one.end).collect();
        assert_eq!(ends, [end / 3, end / 3 * 2, end]);
        // Now there is enough space again.
        assert!(waiting.batch_for_sample(bytes_max, || end).is_some());
    }
}
