//! Reads descriptions of the code that Ruby runs, which is instruction sequences and C functions,
//! from the memory of a process. The memory is untrusted: types of objects are checked, lengths are
//! limited, and a check shows whether an address now contains another object.
use super::Layout;
use super::objects::{INTERNAL_MASK, METHOD_ENTRY, Objects, SEQUENCE};
use crate::interpreters::{Code, mix_words};
use crate::layout::InterpretedFrame;
use crate::v8::Memory;

const LABEL_BYTES_MAX: usize = 256;
const PATH_BYTES_MAX: usize = 4096;

/// Number of words of the check. The first six are from an instruction sequence: size,
/// instructions, path, the label of its method, its own label, first line. The last three are from
/// a method entry.
const WORDS: usize = 9;
const SEQUENCE_WORDS: usize = 6;

/// Memory of a process with Ruby.
pub struct Reader<'a, M: Memory> {
    pub memory: &'a M,
    pub layout: &'a Layout,
    /// Number to add to addresses in the file.
    pub bias: u64,
}

impl<M: Memory> Reader<'_, M> {
    /// Returns the code that a frame runs; none if the check shows that its memory was reused.
    pub fn read(&self, frame: &InterpretedFrame) -> Option<Code> {
        let objects = Objects { memory: self.memory, layout: self.layout };
        let words = self.words(&objects, frame)?;
        let owner = match words[8] {
            0 => None,
            class => objects.owner(class, self.bias),
        };
        let owner = owner.unwrap_or_default();
        let code = if frame.code == frame.method {
            let name = objects.field(words[6], self.layout.fields.definition_name)?;
            let name = objects.symbol_name(name, self.bias)?;
            Code { name: owner + &name, file: String::new(), first_line: 0, lines: Box::default() }
        } else {
            self.read_sequence(&objects, frame, &words, &owner)?
        };
        // The code may have been freed in the meantime.
        self.words(&objects, frame)?;
        Some(code)
    }

    /// Returns the words of the check, as in add_ruby_code in kernel/ruby.h; none if they do not
    /// match the frame's check.
    fn words(&self, objects: &Objects<M>, frame: &InterpretedFrame) -> Option<[u64; WORDS]> {
        let offsets = &self.layout.offsets;
        let mut words = [0; WORDS];
        let (of_sequence, of_method) = words.split_at_mut(SEQUENCE_WORDS);
        if frame.code != frame.method {
            if objects.flags(frame.code)? & INTERNAL_MASK != SEQUENCE {
                return None;
            }
            let body = objects.field(frame.code, offsets.sequence_body.into())?;
            let (size, location) = (offsets.body_size.into(), offsets.body_location.into());
            let places = [size, size + 8, location, location + 8, location + 16, location + 24];
            for (word, place) in of_sequence.iter_mut().zip(places) {
                *word = objects.field(body, place)?;
            }
        }
        if frame.method != 0 {
            if objects.flags(frame.method)? & INTERNAL_MASK != METHOD_ENTRY {
                return None;
            }
            let definition = u64::from(offsets.method_definition);
            for (i, word) in of_method.iter_mut().enumerate() {
                *word = objects.field(frame.method, definition + i as u64 * 8)?;
            }
        }
        (mix_words(&words) == frame.check).then_some(words)
    }

    fn read_sequence(
        &self,
        objects: &Objects<M>,
        frame: &InterpretedFrame,
        words: &[u64; WORDS],
        owner: &str,
    ) -> Option<Code> {
        let [size, _, path, base, label, line, ..] = *words;
        let body = objects.field(frame.code, self.layout.offsets.sequence_body.into())?;
        let base = objects.string(base, LABEL_BYTES_MAX)?;
        let label = objects.string(label, LABEL_BYTES_MAX)?;
        let first_line = if self.layout.fields.is_first_line_object { line >> 1 } else { line };
        Some(Code {
            name: qualify(&label, &base, owner),
            file: self.path(objects, path)?,
            first_line: first_line as u32,
            lines: objects.lines(body, size >> 32)?,
        })
    }

    /// Returns the absolute path if there is one. Code that was passed to `eval` has the absolute
    /// path of the file that called `eval`. That file does not contain the code's lines, so the
    /// given path is returned instead.
    fn path(&self, objects: &Objects<M>, path: u64) -> Option<String> {
        if let Some(path) = objects.string(path, PATH_BYTES_MAX) {
            return Some(path);
        }
        let given = objects.string(objects.element(path, 0)?, PATH_BYTES_MAX)?;
        let absolute = objects.element(path, 1).and_then(|at| objects.string(at, PATH_BYTES_MAX));
        let name = |path: &str| path.rsplit('/').next().map(str::to_owned);
        let is_same = |absolute: &String| name(absolute) == name(&given);
        Some(absolute.filter(is_same).unwrap_or(given))
    }
}

/// Puts the owner of a method into its label: `block in pay` becomes `block in Shop#pay`. Labels
/// such as `<main>` and `<class:Shop>` do not belong to a method, but `<=>` does.
fn qualify(label: &str, base: &str, owner: &str) -> String {
    let is_method =
        !base.strip_prefix('<').is_some_and(|rest| rest.starts_with(char::is_alphabetic));
    match label.strip_suffix(base) {
        Some(around) if is_method => format!("{around}{owner}{base}"),
        _ => label.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interpreters::ruby::lines;
    use crate::interpreters::ruby::tests::layout_of;
    use crate::interpreters::tests::Words;

    const BIAS: u64 = 0x10_0000;
    const SEQUENCE_AT: u64 = 0x20_0000;
    const BODY: u64 = 0x20_1000;
    const METHOD: u64 = 0x20_2000;
    const DEFINITION: u64 = 0x20_3000;
    const PATH: u64 = 0x20_4000;
    const BASE: u64 = 0x20_5000;
    const LABEL: u64 = 0x20_6000;
    const LINES: u64 = 0x20_7000;
    const OWNER: u64 = 0x20_8000;
    const STRING_CLASS: u64 = 0x20_9000;
    const OBJECT_CLASS: u64 = 0x20_a000;
    const SYMBOLS: u64 = 0x20_b000;
    const KEY: u64 = 0x7771;
    const NAME: u64 = 300 << 4 | 1;

    fn put_string(words: &mut Words, at: u64, text: &str) {
        let long = text.len() > 23;
        let length = text.len() as u64;
        words.put_word(at, if long { 5 | 1 << 13 } else { 5 | length << 14 });
        if long {
            words.put_word(at + 16, length);
            words.put_word(at + 24, at + 0x100);
        }
        words.put(if long { at + 0x100 } else { at + 16 }, text.as_bytes());
    }

    /// Writes a class with two instance variables, one of which is its name.
    fn put_class(words: &mut Words, at: u64, name: &str) {
        let (extension, table, entries, text) = (at + 0x100, at + 0x200, at + 0x300, at + 0x400);
        words.put_word(at, 2);
        words.put_word(at + 24, extension);
        words.put_word(extension + 8, table);
        words.put_word(table + 40, 2);
        words.put_word(table + 48, entries);
        let values = [1, KEY + 16, text + 0x200, 2, KEY, text];
        for (i, value) in values.into_iter().enumerate() {
            words.put_word(entries + i as u64 * 8, value);
        }
        put_string(words, text, name);
        put_string(words, text + 0x200, "other");
    }

    /// Creates memory with a block in a method; the same method entry is also used as a C function.
    fn memory() -> Words {
        let mut words = Words::default();
        words.put_word(SEQUENCE_AT, SEQUENCE);
        words.put_word(SEQUENCE_AT + 16, BODY);
        let body = [3 << 32, 0x5000, 0, 0, 0, 0, 0, 0, PATH, BASE, LABEL, 7 << 1 | 1, 0, 0, 0];
        for (i, value) in body.into_iter().enumerate() {
            words.put_word(BODY + i as u64 * 8, value);
        }
        for (i, value) in [LINES, 0, 1, 0].into_iter().enumerate() {
            words.put_word(BODY + 120 + i as u64 * 8, value);
        }
        words.put_word(LINES, 9);
        words.put_word(LINES + 8, 0);
        for (i, value) in [METHOD_ENTRY, 0, DEFINITION, NAME, OWNER].into_iter().enumerate() {
            words.put_word(METHOD + i as u64 * 8, value);
        }
        words.put_word(DEFINITION + 32, NAME);
        put_string(&mut words, PATH, "/srv/shop/with/a/long/path/app.rb");
        put_string(&mut words, BASE, "pay");
        put_string(&mut words, LABEL, "block in pay");
        put_class(&mut words, OWNER, "Shop::Till");
        put_class(&mut words, STRING_CLASS, "String");
        put_class(&mut words, OBJECT_CLASS, "Object");
        for (i, value) in [OBJECT_CLASS, STRING_CLASS, BODY, SYMBOLS].into_iter().enumerate() {
            words.put_word(BIAS + 0x8000 + i as u64 * 8, value);
        }
        // The table of symbols is an array with one element, which is a part of the table.
        let (part, names) = (SYMBOLS + 0x100, SYMBOLS + 0x1000);
        words.put_word(SYMBOLS, 7 | 1 << 13 | 1 << 15);
        words.put_word(SYMBOLS + 16, part);
        words.put_word(part, 7);
        words.put_word(part + 16, 1024);
        words.put_word(part + 32, names);
        let known = [(43, "+"), (45, "-"), (60, "<"), (33, "!"), (300, "pay")];
        for (number, name) in known {
            let at = SYMBOLS + 0x8000 + number * 0x40;
            words.put_word(names + number * 16, at);
            put_string(&mut words, at, name);
        }
        words
    }

    fn block(layout: &Layout, memory: &Words) -> InterpretedFrame {
        frame_of(layout, memory, SEQUENCE_AT)
    }

    fn frame_of(layout: &Layout, memory: &Words, code: u64) -> InterpretedFrame {
        let objects = Objects { memory, layout };
        let mut words = [0; WORDS];
        let of_sequence = [3 << 32, 0x5000, PATH, BASE, LABEL, 7 << 1 | 1];
        if code == SEQUENCE_AT {
            words[..SEQUENCE_WORDS].copy_from_slice(&of_sequence);
        }
        words[SEQUENCE_WORDS..].copy_from_slice(&[DEFINITION, NAME, OWNER]);
        let check = mix_words(&words);
        let frame = InterpretedFrame {
            code,
            method: METHOD,
            instruction: 1,
            check,
            ..InterpretedFrame::default()
        };
        let reader = Reader { memory, layout, bias: BIAS };
        assert_eq!(reader.words(&objects, &frame), Some(words));
        frame
    }

    fn read(layout: &Layout, memory: &Words, frame: &InterpretedFrame) -> Option<Code> {
        Reader { memory, layout, bias: BIAS }.read(frame)
    }

    #[test]
    fn blocks_and_c_functions_have_their_class() {
        let layout = layout_of("3.1.2");
        let whole = memory();
        let frame = block(&layout, &whole);
        let code = read(&layout, &whole, &frame).expect("it is there");
        assert_eq!(code.name, "block in Shop::Till#pay");
        assert_eq!((&*code.file, code.first_line), ("/srv/shop/with/a/long/path/app.rb", 7));
        assert_eq!(lines::line(&code.lines, frame.instruction), 9);
        let of_c = frame_of(&layout, &whole, METHOD);
        let code = read(&layout, &whole, &of_c).expect("it is there");
        assert_eq!((&*code.name, &*code.file), ("Shop::Till#pay", ""));
        let other = InterpretedFrame { check: frame.check ^ 1, ..frame };
        assert_eq!(read(&layout, &whole, &other), None, "another one is there");
    }

    #[test]
    fn labels_of_methods_have_their_class() {
        let check = |want: &str, label: &str, base: &str| {
            assert_eq!(qualify(label, base, "Shop."), want);
        };
        check("Shop.pay", "pay", "pay");
        check("block (2 levels) in Shop.pay", "block (2 levels) in pay", "pay");
        check("Shop.<=>", "<=>", "<=>");
        check("rescue in Shop.<<", "rescue in <<", "<<");
        check("block in <class:Shop>", "block in <class:Shop>", "<class:Shop>");
        check("<top (required)>", "<top (required)>", "<top (required)>");
        check("odd", "odd", "pay");
    }

    /// Removes or damages one word at a time. The result must be correct, lack the class, or be
    /// none.
    #[test]
    fn damaged_memory_gives_no_wrong_name() {
        let layout = layout_of("3.1.2");
        let whole = memory();
        // Characters, lengths and numbers of lines may have any value.
        let is_free = |address: u64| {
            let of_string = |at: u64| (at..at + 0x200).contains(&address);
            let classes = [OWNER, STRING_CLASS, OBJECT_CLASS].map(|class| class + 0x400);
            let strings = [PATH, BASE, LABEL].into_iter().chain(classes);
            let names = SYMBOLS + 0x8000..SYMBOLS + 0x2_0000;
            strings.into_iter().any(of_string)
                || names.contains(&address)
                || address >= LINES && address < LINES + 16
        };
        for code in [SEQUENCE_AT, METHOD] {
            let frame = frame_of(&layout, &whole, code);
            let want = read(&layout, &whole, &frame).expect("it is there");
            let without_class = want.name.replace("Shop::Till#", "");
            for address in whole.0.keys().copied() {
                let mut damaged = whole.clone();
                damaged.0.remove(&address);
                let mut found = vec![read(&layout, &damaged, &frame)];
                if !is_free(address) {
                    for value in [0, 8, !0, 0x1234_5678, SEQUENCE_AT, PATH + 4, 1 << 47] {
                        damaged.0.insert(address, value);
                        found.push(read(&layout, &damaged, &frame));
                    }
                }
                for code in found.into_iter().flatten() {
                    let is_right = code.name == want.name || code.name == without_class;
                    assert!(is_right, "{} by {address:x}", code.name);
                }
            }
        }
    }
}
