//! Allocates ranges in an array that the kernel reads. A freed range is not reused for a while,
//! because a program may still be reading it.
use std::collections::{BTreeMap, VecDeque};

/// Time for which a freed range is not reused, in nanoseconds. It is longer than any run of a
/// kernel program.
const REST_NANOS: u64 = 200_000_000;

pub struct Ranges {
    /// Lengths of the free ranges by their start. No two ranges touch.
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

    /// Returns the number of elements that are allocated, or freed but not reusable yet.
    pub fn used(&self) -> u32 {
        self.used
    }

    /// Returns the number of allocated elements.
    pub fn taken(&self) -> u32 {
        self.used - self.resting_length
    }

    /// Allocates a range of `length` and returns its start; none if no free range is long enough.
    pub fn take(&mut self, length: u32, now: u64) -> Option<u32> {
        self.end_rests(now);
        let (&start, &free) = self.free.iter().find(|(_, free)| **free >= length)?;
        self.free.remove(&start);
        if free > length {
            self.free.insert(start + length, free - length);
        }
        self.used += length;
        Some(start)
    }

    /// Returns true if there is a free range of `length`.
    pub fn has_space(&mut self, length: u32, now: u64) -> bool {
        self.end_rests(now);
        self.free.values().any(|free| *free >= length)
    }

    /// Returns some of the `candidates`, which are ranges in use. Releasing them results in a free
    /// range of `length`. Earlier candidates are preferred. None if releasing all of them would not
    /// be enough.
    pub fn choose(&self, candidates: &[(u32, u32)], length: u32) -> Option<Vec<(u32, u32)>> {
        let mut free = self.free.clone();
        for &(_, start, length) in &self.resting {
            join(&mut free, start, length);
        }
        if free.values().any(|count| *count >= length) {
            return Some(Vec::new());
        }
        for (i, &(start, count)) in candidates.iter().enumerate() {
            let (first, joined) = join(&mut free, start, count);
            if joined >= length {
                let is_within = |(start, _): &(u32, u32)| (first..first + joined).contains(start);
                return Some(candidates[..=i].iter().copied().filter(is_within).collect());
            }
        }
        None
    }

    pub fn give_back(&mut self, start: u32, length: u32, now: u64) {
        self.resting.push_back((now, start, length));
        self.resting_length += length;
    }

    /// Makes ranges reusable after their rest time.
    fn end_rests(&mut self, now: u64) {
        while let Some(&(since, start, length)) = self.resting.front()
            && now.saturating_sub(since) > REST_NANOS
        {
            self.resting.pop_front();
            self.resting_length -= length;
            self.used -= length;
            join(&mut self.free, start, length);
        }
    }
}

/// Adds a range to the sorted free ranges, and merges it with ranges that it touches. Returns the
/// merged range.
fn join(free: &mut BTreeMap<u32, u32>, mut start: u32, mut length: u32) -> (u32, u32) {
    if let Some(after) = free.remove(&(start + length)) {
        length += after;
    }
    if let Some((&before, &count)) = free.range(..start).next_back()
        && before + count == start
    {
        free.remove(&before);
        start = before;
        length += count;
    }
    free.insert(start, length);
    (start, length)
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

    #[test]
    fn only_ranges_that_make_room_are_chosen() {
        let mut ranges = Ranges::new(100);
        for _ in 0..9 {
            ranges.take(10, 0).expect("free");
        }
        // 90 to 100 is free; 60 to 70 is not reusable yet.
        ranges.give_back(60, 10, 0);
        let choose = |candidates: &[u32], length| {
            let candidates: Vec<_> = candidates.iter().map(|start| (*start, 10)).collect();
            let chosen = ranges.choose(&candidates, length)?;
            Some(chosen.iter().map(|(start, _)| *start).collect::<Vec<u32>>())
        };
        assert_eq!(choose(&[0, 80, 20], 20), Some(vec![80]));
        assert_eq!(choose(&[0, 20, 10], 30), Some(vec![0, 20, 10]));
        assert_eq!(choose(&[0, 50, 80, 70], 30), Some(vec![50, 80, 70]));
        assert_eq!(choose(&[0], 10), Some(vec![]));
        assert_eq!(choose(&[], 11), None);
        assert_eq!(choose(&[0, 20, 40, 80], 30), None);
        assert_eq!(choose(&[0, 10, 20, 30, 40, 50, 70, 80], 101), None);
    }

    #[test]
    fn room_is_there_after_a_rest() {
        let mut ranges = Ranges::new(20);
        let start = ranges.take(20, 0).expect("free");
        ranges.give_back(start, 20, 5);
        assert!(!ranges.has_space(1, 5 + REST_NANOS));
        assert!(ranges.has_space(20, 6 + REST_NANOS));
        assert!(!ranges.has_space(21, 6 + REST_NANOS));
    }
}
