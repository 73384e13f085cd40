//! Closures, iterators, traits and generics, whose calls are inlined into one another.
use std::collections::{BTreeMap, HashMap};
use std::fmt;

trait Weigh {
    fn weight(&self) -> u64;
}

impl Weigh for str {
    fn weight(&self) -> u64 {
        self.bytes().fold(7, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()))
    }
}

impl<T: Weigh + ?Sized> Weigh for &T {
    fn weight(&self) -> u64 {
        (**self).weight() / 2
    }
}

struct Table(BTreeMap<u64, Vec<String>>);

impl fmt::Display for Table {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (weight, words) in &self.0 {
            writeln!(out, "{weight}: {}", words.join(" "))?;
        }
        Ok(())
    }
}

fn counted<'a>(words: impl Iterator<Item = &'a str>) -> HashMap<&'a str, usize> {
    let mut counts = HashMap::new();
    words.filter(|word| !word.is_empty()).for_each(|word| *counts.entry(word).or_default() += 1);
    counts
}

fn main() {
    let text = std::env::args().collect::<Vec<_>>().join(" ");
    let mut table = Table(BTreeMap::new());
    for (word, count) in counted(text.split(|letter: char| !letter.is_alphanumeric())) {
        let words = table.0.entry((&word).weight() % 97).or_default();
        words.extend(std::iter::repeat(word.to_string()).take(count));
        words.sort_by(|a, b| b.cmp(a));
    }
    println!("{table}");
}
