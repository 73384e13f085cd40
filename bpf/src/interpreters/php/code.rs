//! Reads PHP functions from the memory of a process. The memory is untrusted: lengths are limited,
//! a check detects if an address contains another function now, and strings must match the hashes
//! that PHP keeps with them.
use super::Layout;
use crate::interpreters::{Code, mix_words};
use crate::layout::{InterpretedFrame, PHP_CHECK_WORDS, PHP_CLOSURE_MARK};
use crate::v8::Memory;

const NAME_BYTES_MAX: u64 = 1024;
const PATH_BYTES_MAX: u64 = 4096;

/// Kind of functions in C.
const IN_C: u64 = 1;

/// Offsets in a function, a string and a class.
const FUNCTION_NAME: u64 = 8;
const FUNCTION_CLASS: u64 = 16;
const STRING_HASH: u64 = 8;
const STRING_LENGTH: u64 = 16;
const STRING_BYTES: u64 = 24;
const CLASS_NAME: u64 = 8;

/// Memory of a process with PHP.
pub struct Reader<'a, M: Memory> {
    pub memory: &'a M,
    pub layout: &'a Layout,
}

/// A string in the memory.
#[derive(Clone, Copy)]
struct Text {
    /// 0 = no string.
    address: u64,
    /// 0 until PHP needs it.
    hash: u64,
}

/// The words of the check: three strings with their hashes, and the first line.
struct Function {
    name: Text,
    class_name: Text,
    /// Functions in C have none.
    file: Text,
    first_line: u32,
}

impl<M: Memory> Reader<'_, M> {
    /// Returns the function that a frame runs; none if the check shows that its memory was reused.
    pub fn read(&self, frame: &InterpretedFrame) -> Option<Code> {
        let Function { name, class_name, file, first_line } = self.function(frame)?;
        let class_name = self.text(class_name, NAME_BYTES_MAX + PATH_BYTES_MAX)?;
        let file = self.text(file, PATH_BYTES_MAX)?;
        let name = match name.address {
            // The code of a file.
            0 => file.rsplit('/').next().unwrap_or(&file).to_owned(),
            _ => qualify(self.text(name, NAME_BYTES_MAX)?, &class_name),
        };
        // The function may have been freed in the meantime.
        self.function(frame)?;
        Some(Code { name, file, first_line, lines: Box::default() })
    }

    /// Reads the function of a frame as kernel/php.h does; none if it does not match the frame's
    /// check.
    fn function(&self, frame: &InterpretedFrame) -> Option<Function> {
        let is_closure = frame.code & PHP_CLOSURE_MARK != 0;
        let function = if is_closure { self.closure(frame) } else { self.function_at(frame.code) }?;
        let Function { name, class_name, file, first_line } = &function;
        let words: [u64; PHP_CHECK_WORDS] = [
            name.address,
            name.hash,
            class_name.address,
            class_name.hash,
            file.address,
            file.hash,
            (*first_line).into(),
        ];
        (mix_words(&words) == frame.check).then_some(function)
    }

    fn closure(&self, frame: &InterpretedFrame) -> Option<Function> {
        Some(Function {
            name: self.hashed(frame.code ^ PHP_CLOSURE_MARK)?,
            class_name: self.hashed(frame.method)?,
            file: self.hashed(frame.file)?,
            first_line: frame.first_line,
        })
    }

    fn function_at(&self, address: u64) -> Option<Function> {
        let at = |offset: u64| self.word(address.checked_add(offset)?);
        let class_name = match at(FUNCTION_CLASS)? {
            0 => 0,
            class => self.word(class.checked_add(CLASS_NAME)?)?,
        };
        let (file, lines) = match at(0)? & 0xff {
            IN_C => (0, 0),
            _ => {
                let offset = u64::from(self.layout.offsets.function_file);
                (at(offset)?, at(offset + 8)?)
            }
        };
        Some(Function {
            name: self.hashed(at(FUNCTION_NAME)?)?,
            class_name: self.hashed(class_name)?,
            file: self.hashed(file)?,
            first_line: lines as u32,
        })
    }

    fn hashed(&self, address: u64) -> Option<Text> {
        let hash = match address {
            0 => 0,
            _ => self.word(address.checked_add(STRING_HASH)?)?,
        };
        Some(Text { address, hash })
    }

    /// Returns the characters of a string, '' if there is no string; none if they do not match the
    /// hash. Replaces bytes that are not UTF-8.
    fn text(&self, text: Text, max: u64) -> Option<String> {
        if text.address == 0 {
            return Some(String::new());
        }
        let length = self.word(text.address.checked_add(STRING_LENGTH)?)?;
        if length > max {
            return None;
        }
        let mut bytes = vec![0; length as usize];
        let is_read = self.memory.read(text.address.checked_add(STRING_BYTES)?, &mut bytes);
        let is_right = is_read && (text.hash == 0 || hash_of(&bytes) == text.hash);
        is_right.then(|| String::from_utf8_lossy(&bytes).into_owned())
    }

    fn word(&self, address: u64) -> Option<u64> {
        let mut bytes = [0; 8];
        self.memory.read(address, &mut bytes).then(|| u64::from_le_bytes(bytes))
    }
}

/// Returns PHP's hash of a string, which is never 0.
fn hash_of(bytes: &[u8]) -> u64 {
    let hash = bytes
        .iter()
        .fold(5381u64, |hash, byte| hash.wrapping_mul(33).wrapping_add(u64::from(*byte)));
    hash | 1 << 63
}

/// Puts the class before the name of a method or closure. From PHP 8.4 on, names of closures
/// already have it: `{closure:Shop::pay():3}`. Classes without a name have the file and the line
/// after a zero byte.
fn qualify(name: String, class: &str) -> String {
    let class = class.split('\0').next().unwrap_or_default();
    let is_complete = class.is_empty() || name.starts_with("{closure:");
    if is_complete { name } else { format!("{class}::{name}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interpreters::php::tests::layout_of;
    use crate::interpreters::tests::Words;

    const IN_PHP: u64 = 2;
    const FUNCTION: u64 = 0x20_0000;
    const CLASS: u64 = 0x20_1000;
    const NAME: u64 = 0x20_2000;
    const CLASS_TEXT: u64 = 0x20_3000;
    const FILE: u64 = 0x20_4000;
    const PATH: &str = "/srv/shop/till.php";
    const FIRST_LINE: u32 = 70_003;

    /// Writes a string unless it is ''; returns its address and hash.
    fn put_string(words: &mut Words, at: u64, text: &str) -> [u64; 2] {
        if text.is_empty() {
            return [0; 2];
        }
        let hash = hash_of(text.as_bytes());
        words.put_word(at, 1);
        words.put_word(at + STRING_HASH, hash);
        words.put_word(at + STRING_LENGTH, text.len() as u64);
        words.put(at + STRING_BYTES, text.as_bytes());
        [at, hash]
    }

    /// Creates memory with a function of PHP 8.2, and its frame.
    fn function(kind: u64, class: &str, name: &str) -> (Words, InterpretedFrame) {
        let mut words = Words::default();
        let [name, name_hash] = put_string(&mut words, NAME, name);
        let [class, class_hash] = put_string(&mut words, CLASS_TEXT, class);
        let mut check = [name, name_hash, class, class_hash, 0, 0, 0];
        words.put_word(FUNCTION, kind | 0x1234 << 32);
        words.put_word(FUNCTION + FUNCTION_NAME, name);
        words.put_word(FUNCTION + FUNCTION_CLASS, if class == 0 { 0 } else { CLASS });
        words.put_word(CLASS + CLASS_NAME, class);
        if kind != IN_C {
            let [file, file_hash] = put_string(&mut words, FILE, PATH);
            words.put_word(FUNCTION + 152, file);
            words.put_word(FUNCTION + 160, u64::from(FIRST_LINE) | 70_009 << 32);
            check[4..].copy_from_slice(&[file, file_hash, FIRST_LINE.into()]);
        }
        let check = mix_words(&check);
        (words, InterpretedFrame { code: FUNCTION, check, ..InterpretedFrame::default() })
    }

    /// Returns the frame of the function as a closure, which does not need the function.
    fn as_closure(words: &mut Words, frame: InterpretedFrame) -> InterpretedFrame {
        words.0.retain(|address, _| *address >= NAME);
        let class = if words.0.contains_key(&CLASS_TEXT) { CLASS_TEXT } else { 0 };
        InterpretedFrame {
            code: NAME | PHP_CLOSURE_MARK,
            method: class,
            file: FILE,
            first_line: FIRST_LINE,
            ..frame
        }
    }

    fn read(words: &Words, frame: &InterpretedFrame) -> Option<Code> {
        Reader { memory: words, layout: &layout_of("8.2.36") }.read(frame)
    }

    #[test]
    fn functions_have_the_names_of_the_language() {
        let check = |want: &str, kind: u64, class: &str, name: &str| {
            let (mut words, frame) = function(kind, class, name);
            let code = read(&words, &frame).expect("it is there");
            let place = if kind == IN_C { ("", 0) } else { (PATH, FIRST_LINE) };
            assert_eq!((&*code.name, (&*code.file, code.first_line)), (want, place));
            if kind != IN_C && !name.is_empty() {
                let closure = as_closure(&mut words, frame);
                assert_eq!(read(&words, &closure), Some(code));
            }
        };
        check("Shop\\Till::pay", IN_PHP, "Shop\\Till", "pay");
        check("Shop\\pay", IN_PHP, "", "Shop\\pay");
        check("till.php", IN_PHP, "", "");
        check("till.php", IN_PHP, "Shop", "");
        check("Shop::{closure}", IN_PHP, "Shop", "{closure}");
        check("{closure:Shop::pay():3}", IN_PHP, "Shop", "{closure:Shop::pay():3}");
        check("class@anonymous::pay", IN_PHP, "class@anonymous\0/srv/a.php:3$0", "pay");
        check("usort", IN_C, "", "usort");
        check("Generator::next", IN_C, "Generator", "next");
    }

    #[test]
    fn the_hash_is_that_of_php() {
        // Read from the memory of PHP 8.2.36.
        assert_eq!(hash_of(b"deep"), 0x8000_0001_7c95_a083);
        assert_eq!(hash_of(b"usort"), 0x8000_0031_1085_2a02);
        assert_eq!(hash_of(b"{closure}"), 0x8377_e2af_cc3d_851a);
    }

    /// With each word missing or damaged in turn, the result must be correct or none.
    #[test]
    fn damaged_memory_gives_no_wrong_name() {
        let (mut of_closure, frame) = function(IN_PHP, "Shop", "{closure}");
        let closure = as_closure(&mut of_closure, frame);
        let cases =
            [function(IN_PHP, "Shop", "pay"), function(IN_C, "Shop", "pay"), (of_closure, closure)];
        for (whole, frame) in cases {
            let want = read(&whole, &frame);
            assert!(want.is_some());
            let other = InterpretedFrame { check: frame.check ^ 1, ..frame };
            assert_eq!(read(&whole, &other), None, "another one is there");
            for address in whole.0.keys().copied() {
                let mut damaged = whole.clone();
                damaged.0.remove(&address);
                let mut found = vec![read(&damaged, &frame)];
                for value in [0, 8, !0, 0x1234_5678, FUNCTION, FILE + 4, 1 << 47, 65] {
                    damaged.0.insert(address, value);
                    found.push(read(&damaged, &frame));
                }
                for code in found.into_iter().flatten() {
                    assert_eq!(Some(code), want, "by {address:x}");
                }
            }
        }
    }
}
