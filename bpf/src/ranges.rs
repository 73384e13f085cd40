//! Hands out ranges of an array that the kernel reads. A range that is given back rests for a while
//! first: a program may still be reading it.
use std::collections::{BTreeMap, VecDeque};

/// Time that a range rests: longer than any program runs.
const REST_NANOS: u64 = 200_000_000;

pub struct Ranges {
    /// Lengths of free ranges by start; no two touch.
    free: BTreeMap<u32, u32>,
    resting: VecDeque<(u64, u32, u32)>,
    resting_length: u32,
    used: u32,
}

impl Ranges {
    pub fn new(length: u32) -> Ranges {
        let free = BTreeMap::from([(0, length)]);
        Ranges { free, resting: VecDeque::new(), resting_length: 0, used: 0 }
    }

    /// Number of elements handed out or resting.
    pub fn used(&self) -> u32 {
        self.used
    }

    /// Number of elements handed out.
    pub fn taken(&self) -> u32 {
        self.used - self.resting_length
    }

    /// Returns the start of a range of `length`; none where no free one is long enough.
    pub fn take(&mut self, length: u32, now: u64) -> Option<u32> {
        while let Some(&(since, start, length)) = self.resting.front()
            && now.saturating_sub(since) > REST_NANOS
        {
            self.resting.pop_front();
            self.resting_length -= length;
            self.add_free(start, length);
        }
        let (&start, &free) = self.free.iter().find(|(_, free)| **free >= length)?;
        self.free.remove(&start);
        if free > length {
            self.free.insert(start + length, free - length);
        }
        self.used += length;
        Some(start)
    }

    pub fn give_back(&mut self, start: u32, length: u32, now: u64) {
        self.resting.push_back((now, start, length));
        self.resting_length += length;
    }

    fn add_free(&mut self, mut start: u32, mut length: u32) {
        self.used -= length;
        if let Some(after) = self.free.remove(&(start + length)) {
            length += after;
        }
        if let Some((&before, &free)) = self.free.range(..start).next_back()
            && before + free == start
        {
            self.free.remove(&before);
            start = before;
            length += free;
        }
        self.free.insert(start, length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_come_back_whole() {
        let mut ranges = Ranges::new(100);
        let starts: Vec<u32> = (0..10).map(|_| ranges.take(10, 0).expect("free")).collect();
        assert_eq!(starts, [0, 10, 20, 30, 40, 50, 60, 70, 80, 90]);
        assert_eq!(ranges.take(1, 0), None);
        for start in [10, 30, 20, 0, 90, 80, 40, 60, 50, 70] {
            ranges.give_back(start, 10, 1);
        }
        assert_eq!(ranges.take(100, REST_NANOS), None, "ranges rest");
        assert_eq!((ranges.used(), ranges.taken()), (100, 0));
        assert_eq!(ranges.take(100, REST_NANOS + 2), Some(0));
        assert_eq!((ranges.used(), ranges.taken()), (100, 100));
    }
}
