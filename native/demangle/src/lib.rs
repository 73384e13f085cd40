//! Demangles names of C++ (Itanium) and Rust (legacy and v0).
use cpp_demangle::{DemangleOptions, ParseOptions, Symbol};
use std::fmt::Write;

/// Largest length of a demangled name. Without it, malicious names could grow without bound.
const NAME_LENGTH_MAX: usize = 16_384;

/// Largest number of nested levels in a C++ name. Some names in V8 have 150 levels. 256 levels need
/// 2 MiB of stack.
const NESTING_MAX: u32 = 256;

/// Form of a demangled name, as in Parca's --symbolizer-demangle-mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// The mangled name.
    None,
    /// Without parameters and template arguments.
    Simple,
    /// With template arguments, without parameters.
    Templates,
    Full,
}

impl Mode {
    /// Parses a mode. Errors: an unknown mode.
    pub fn parse(text: &str) -> Result<Self, String> {
        match text {
            "none" => Ok(Mode::None),
            "simple" => Ok(Mode::Simple),
            "templates" => Ok(Mode::Templates),
            "full" => Ok(Mode::Full),
            _ => Err(format!("argument: demangle mode {text:?} is unknown")),
        }
    }
}

/// Returns the demangled name. A name that is not mangled is returned unchanged.
pub fn demangle(system_name: &str, mode: Mode) -> String {
    if mode == Mode::None {
        return system_name.to_string();
    }
    // Legacy Rust names and C++ names both begin with _ZN; Rust names end with a hash.
    if let Ok(name) = rustc_demangle::try_demangle(system_name) {
        let mut text = Limited(String::new());
        if write!(text, "{name:#}").is_ok() {
            return if mode == Mode::Simple { without_turbofish(&text.0) } else { text.0 };
        }
    }
    let is_cpp = system_name.starts_with("_Z") || system_name.starts_with("___Z");
    if is_cpp && let Some(name) = demangle_cpp(system_name, mode) {
        return name;
    }
    system_name.to_string()
}

fn demangle_cpp(system_name: &str, mode: Mode) -> Option<String> {
    // Suffixes of clones (.isra.0, .cold, .part.1) and versions (@@GLIBCXX) are not part of the
    // mangled name.
    let end = system_name.find(['.', '@']).unwrap_or(system_name.len());
    let parse = ParseOptions::default().recursion_limit(NESTING_MAX);
    let symbol = Symbol::new_with_options(&system_name[..end], &parse).ok()?;
    let options = match mode {
        Mode::Full => DemangleOptions::new(),
        _ => DemangleOptions::new().no_params().no_return_type(),
    }
    .recursion_limit(NESTING_MAX);
    let mut text = Limited(String::new());
    symbol.structured_demangle(&mut text, &options).ok()?;
    Some(match mode {
        Mode::Full | Mode::None => text.0,
        Mode::Templates => without_qualifiers(&text.0).to_string(),
        Mode::Simple => without_templates(without_qualifiers(&text.0)),
    })
}

/// Removes qualifiers such as `const` after the parameters. The library keeps them for some
/// functions.
fn without_qualifiers(mut name: &str) -> &str {
    const QUALIFIERS: [&str; 4] = [" const", " volatile", " &&", " &"];
    while let Some(rest) = QUALIFIERS.iter().find_map(|one| name.strip_suffix(one)) {
        name = rest;
    }
    name
}

/// Removes template arguments in angle brackets, but not the brackets of operators.
fn without_templates(name: &str) -> String {
    let bytes = name.as_bytes();
    let mut kept = String::with_capacity(name.len());
    let mut depth = 0usize;
    let mut at = 0;
    while at < bytes.len() {
        if name[at..].starts_with("operator") && !is_word(bytes, at) {
            let signs = name[at + 8..]
                .find(|sign: char| !"<>=-!".contains(sign))
                .map_or(bytes.len(), |length| at + 8 + length);
            let end = operator_end(&name[at + 8..signs]) + at + 8;
            if depth == 0 {
                kept.push_str(&name[at..end]);
            }
            at = end;
            continue;
        }
        let sign = name[at..].chars().next().unwrap_or(' ');
        match sign {
            '<' => {
                // Removes the space in `operator< <char>`.
                if depth == 0 {
                    kept.truncate(kept.trim_end().len());
                }
                depth += 1;
            }
            '>' if depth > 0 => depth -= 1,
            _ if depth == 0 => kept.push(sign),
            _ => {}
        }
        at += sign.len_utf8();
    }
    kept
}

/// Returns true if the character before `at` belongs to the same word.
fn is_word(bytes: &[u8], at: usize) -> bool {
    at > 0 && (bytes[at - 1].is_ascii_alphanumeric() || bytes[at - 1] == b'_')
}

/// Returns the length of the operator at the start of `signs`. Template arguments may follow the
/// operator.
fn operator_end(signs: &str) -> usize {
    for operator in ["<=>", "<<=", ">>=", "->", "<<", ">>", "<=", ">=", "<", ">"] {
        if signs.starts_with(operator) {
            return operator.len();
        }
    }
    0
}

/// Removes the arguments from `f::<A>`, but keeps `<A as B>::f`.
fn without_turbofish(name: &str) -> String {
    let mut kept = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(start) = rest.find("::<") {
        kept.push_str(&rest[..start]);
        let mut depth = 0usize;
        let mut before = ' ';
        let end = rest[start + 2..].char_indices().find_map(|(at, sign)| {
            match sign {
                '<' => depth += 1,
                '>' if before != '-' => depth -= 1,
                _ => {}
            }
            before = sign;
            (depth == 0).then_some(start + 2 + at + 1)
        });
        match end {
            Some(end) => rest = &rest[end..],
            None => return name.to_string(),
        }
    }
    kept.push_str(rest);
    kept
}

struct Limited(String);

impl Write for Limited {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        if self.0.len() + text.len() > NAME_LENGTH_MAX {
            return Err(std::fmt::Error);
        }
        self.0.push_str(text);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(system_name: &str, mode: Mode, want: &str) {
        assert_eq!(demangle(system_name, mode), want, "{system_name}");
    }

    #[test]
    fn names_by_mode() {
        let vector = "_ZNSt6vectorIiSaIiEE9push_backERKi";
        check(vector, Mode::None, vector);
        check(vector, Mode::Simple, "std::vector::push_back");
        check(vector, Mode::Templates, "std::vector<int, std::allocator<int> >::push_back");
        check(vector, Mode::Full, "std::vector<int, std::allocator<int> >::push_back(int const&)");
        check("main", Mode::Simple, "main");
        check("_Z3foov.isra.0", Mode::Simple, "foo");
    }

    #[test]
    fn operators_keep_their_signs() {
        check("_ZlsRSoi", Mode::Simple, "operator<<");
        check("_ZZ4mainENKUlcE_clEc", Mode::Simple, "main::{lambda(char)#1}::operator()");
        check("_ZNKR1A1bEi", Mode::Templates, "A::b");
        check("_ZNK1AltERKS_", Mode::Simple, "A::operator<");
        check("_ZNK1AIiEptEv", Mode::Simple, "A::operator->");
        check("_ZStltIcSt11char_traitsIcEEbv", Mode::Simple, "std::operator<");
    }

    #[test]
    fn rust_names() {
        check(
            "_ZN4core3fmt5Write9write_str17h0123456789abcdefE",
            Mode::Simple,
            "core::fmt::Write::write_str",
        );
        check("_RNvC6_123foo3bar", Mode::Simple, "123foo::bar");
        check("_RINvC3foo3barmE", Mode::Simple, "foo::bar");
        check("_RINvC3foo3barmE", Mode::Full, "foo::bar::<u32>");
    }

    #[test]
    fn deep_names_are_read_up_to_a_limit() {
        let nested = |depth| format!("_Z1fI{}i{}Evv", "1AI".repeat(depth), "E".repeat(depth));
        check(&nested(35), Mode::Simple, "f");
        for name in [nested(5_000), format!("_Z1f{}i", "P".repeat(100_000))] {
            check(&name, Mode::Simple, &name);
        }
    }

    #[test]
    fn names_that_are_none_stay() {
        for name in ["_Z", "_ZN", "_R", "", "_ZNSt", "ü"] {
            check(name, Mode::Simple, name);
        }
    }
}
