//! Compiles `.eh_frame` to rows for the kernel program.
use crate::elf::{Headers, Source, UnwindSection};
use crate::layout::*;
use crate::system::thread_nanos;
use gimli::{
    BaseAddresses, CfaRule, CieOrFde, EhFrame, EndianSlice, FrameDescriptionEntry, LittleEndian,
    Operation, Register, RegisterRule, UnwindContext, UnwindExpression, UnwindSection as _,
    UnwindTableRow, X86_64,
};
use std::collections::HashMap;
use std::time::Duration;

type Reader<'a> = EndianSlice<'a, LittleEndian>;

/// Limits of a compilation. Only malicious files reach them.
#[derive(Clone, Copy)]
pub struct Limits {
    pub rows_max: usize,
    pub lines_max: usize,
    /// Limit of CPU time. It does not depend on elapsed time, so that no tables are lost on a busy
    /// host.
    pub time_max: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { rows_max: 4 << 20, lines_max: 1 << 20, time_max: Duration::from_secs(5) }
    }
}

/// Limit of the instructions of a CIE. They usually take about 20 bytes, and are executed again for
/// each function.
const CIE_BYTES_MAX: usize = 4096;
const FDE_BYTES_MAX: usize = 1 << 20;
/// Number of functions between two checks of the time.
const FUNCTIONS_OF_CHECK: usize = 64;
/// Shorter gaps between functions are padding, which is never executed.
const PADDING_BYTES_MAX: u32 = 15;
/// Bytes of unwinding information per row. No known file has fewer.
const ROW_BYTES: usize = 6;

/// A rule, valid from its address up to the address of the next row.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Row {
    pub address: u32,
    pub rule: Rule,
}

/// Rows of one file, sorted by address.
#[derive(Default)]
pub struct Table {
    /// Address in the file that row addresses are relative to.
    pub base: u64,
    pub rows: Vec<Row>,
}

/// A rule with its address range, relative to the table's base. The table of Node has 367,000 of
/// these.
struct Span {
    start: u32,
    end: u32,
    rule: Rule,
}

impl Span {
    /// Returns none for an empty range, and for addresses that a row cannot represent.
    fn of(start: u64, end: u64, base: u64, rule: Rule) -> Option<Span> {
        let relative = |address: u64| u32::try_from(address.checked_sub(base)?).ok();
        let (start, end) = (relative(start)?, relative(end)?);
        (start < end).then_some(Span { start, end, rule })
    }
}

/// Compiles the table of a file; the table has no rows if the file has no unwinding information.
pub fn compile(source: &Source, limits: Limits) -> Result<Table, String> {
    let headers = Headers::read(source)?;
    let Some((base, _)) = headers.code() else { return Ok(Table::default()) };
    match headers.unwind_section(source)? {
        Some(section) => compile_section(&section, base, limits),
        None => Ok(Table { base, rows: Vec::new() }),
    }
}

/// Compiles unwinding information. Skips functions whose rules cannot be read.
pub fn compile_section(
    section: &UnwindSection,
    base: u64,
    limits: Limits,
) -> Result<Table, String> {
    let nanos_max = u128::from(thread_nanos()) + limits.time_max.as_nanos();
    let frames = EhFrame::new(&section.bytes, LittleEndian);
    let bases = BaseAddresses::default().set_eh_frame(section.address);
    let mut cies = HashMap::new();
    let mut context = UnwindContext::new();
    let mut spans = Vec::with_capacity((section.bytes.len() / ROW_BYTES).min(limits.rows_max));
    let mut function_count = 0;
    let mut entries = frames.entries(&bases);
    while let Ok(Some(entry)) = entries.next() {
        let CieOrFde::Fde(partial) = entry else { continue };
        let found = partial.parse(|frames, bases, offset| {
            if let Some(known) = cies.get(&offset.0) {
                return Clone::clone(known);
            }
            let cie = frames.cie_from_offset(bases, offset);
            cies.insert(offset.0, cie.clone());
            cie
        });
        if let Ok(fde) = found
            && fde.cie().entry_len() <= CIE_BYTES_MAX
            && fde.entry_len() <= FDE_BYTES_MAX
        {
            add_function(&fde, &frames, (&bases, base), &mut context, &mut spans);
        }
        if spans.len() > limits.rows_max {
            return Err(format!("it has over {} rows", limits.rows_max));
        }
        function_count += 1;
        if function_count % FUNCTIONS_OF_CHECK == 0 && u128::from(thread_nanos()) > nanos_max {
            return Err(format!("it took over {} s", limits.time_max.as_secs()));
        }
    }
    spans.sort_by_key(|span| span.start);
    Ok(Table { base, rows: join_spans(&spans) })
}

fn add_function(
    fde: &FrameDescriptionEntry<Reader>,
    frames: &EhFrame<Reader>,
    (bases, base): (&BaseAddresses, u64),
    context: &mut UnwindContext<usize>,
    spans: &mut Vec<Span>,
) {
    if fde.is_signal_trampoline() {
        let rule = Rule { kind: RULE_SIGNAL, ..Rule::default() };
        spans.extend(Span::of(fde.initial_address(), fde.end_address(), base, rule));
        return;
    }
    let Ok(mut table) = fde.rows(frames, bases, context) else { return };
    while let Ok(Some(row)) = table.next_row() {
        let rule = rule_of(row, frames);
        let Some(span) = Span::of(row.start_address(), row.end_address(), base, rule) else {
            continue;
        };
        match spans.last_mut() {
            Some(last) if last.end == span.start && last.rule == rule => last.end = span.end,
            _ => spans.push(span),
        }
    }
}

/// Converts sorted rules to rows. Each gap becomes a row without a rule.
fn join_spans(spans: &[Span]) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::with_capacity(spans.len() + spans.len() / 8);
    let mut covered = 0u32;
    let mut push = |address: u32, rule: Rule| match rows.last_mut() {
        Some(last) if last.address == address => last.rule = rule,
        Some(last) if last.rule == rule => {}
        _ => rows.push(Row { address, rule }),
    };
    for span in spans {
        if span.start > covered.saturating_add(PADDING_BYTES_MAX) && covered > 0 {
            push(covered, Rule::default());
        }
        push(span.start, span.rule);
        covered = covered.max(span.end);
    }
    if covered > 0 {
        push(covered, Rule::default());
    }
    rows
}

const UNSUPPORTED: Rule = Rule { cfa: 0, rbp: 0, kind: RULE_UNSUPPORTED };

/// Translates a row from gimli.
pub fn rule_of(row: &UnwindTableRow<usize>, frames: &EhFrame<Reader>) -> Rule {
    match row.register(X86_64::RA) {
        None | Some(RegisterRule::Undefined) => return Rule { kind: RULE_STOP, ..Rule::default() },
        Some(RegisterRule::Offset(-8)) => {}
        Some(_) => return UNSUPPORTED,
    }
    let Some(mut rule) = cfa_rule(row, frames) else { return UNSUPPORTED };
    let saved = match row.register(X86_64::RBP) {
        None | Some(RegisterRule::Undefined | RegisterRule::SameValue) => return rule,
        Some(RegisterRule::Offset(offset)) => Some((RULE_RBP_AT_CFA, offset)),
        Some(RegisterRule::Expression(expression)) => {
            match operations(&expression, frames).as_deref() {
                Some(&[Operation::RegisterOffset { register: X86_64::RBP, offset, .. }]) => {
                    Some((RULE_RBP_AT_RBP, offset))
                }
                _ => None,
            }
        }
        Some(_) => None,
    };
    let Some((kind, offset)) = saved else { return UNSUPPORTED };
    let Some(words) = words(offset).and_then(|words| i8::try_from(words).ok()) else {
        return UNSUPPORTED;
    };
    rule.kind |= kind;
    rule.rbp = words;
    rule
}

fn cfa_rule(row: &UnwindTableRow<usize>, frames: &EhFrame<Reader>) -> Option<Rule> {
    let (kind, cfa) = match row.cfa() {
        &CfaRule::RegisterAndOffset { register, offset } => {
            let words = u32::try_from(words(offset)?).ok().filter(|words| *words < 1 << 18)?;
            let high = (words >> 16) as u8;
            match register {
                X86_64::RSP => (RULE_RSP | high << RULE_HIGH_SHIFT, words as u16),
                X86_64::RBP => (RULE_RBP | high << RULE_HIGH_SHIFT, words as u16),
                Register(number) if number < 16 && words < 1 << 12 => {
                    (RULE_REGISTER, number << 12 | words as u16)
                }
                _ => return None,
            }
        }
        CfaRule::Expression(expression) => {
            return expression_rule(&operations(expression, frames)?);
        }
    };
    Some(Rule { cfa, rbp: 0, kind })
}

fn expression_rule(operations: &[Operation<Reader>]) -> Option<Rule> {
    use Operation::{And, Deref, Ge, PlusConstant, RegisterOffset, Shl, UnsignedConstant};
    let (register, offset, added) = match *operations {
        [RegisterOffset { register, offset, .. }, Deref { size: 8, .. }] => (register, offset, 0),
        [
            RegisterOffset { register, offset, .. },
            Deref { size: 8, .. },
            PlusConstant { value: added @ (0 | 8 | 16 | 24) },
        ] => (register, offset, (added / 8) as u8),
        // This is the expression that linkers write for procedure linkage tables.
        [
            RegisterOffset { register: X86_64::RSP, offset: 8, .. },
            RegisterOffset { register: X86_64::RA, offset: 0, .. },
            UnsignedConstant { value: 15 },
            And,
            UnsignedConstant { value: threshold @ 0..=15 },
            Ge,
            UnsignedConstant { value: 3 },
            Shl,
            Operation::Plus,
        ] => return Some(Rule { cfa: threshold as u16, kind: RULE_PLT, ..Rule::default() }),
        _ => return None,
    };
    let kind = match register {
        X86_64::RBP => RULE_DEREF_RBP,
        X86_64::RSP => RULE_DEREF_RSP,
        _ => return None,
    };
    let cfa = i16::try_from(words(offset)?).ok()? as u16;
    Some(Rule { cfa, rbp: 0, kind: kind | added << RULE_HIGH_SHIFT })
}

fn words(bytes: i64) -> Option<i64> {
    (bytes % 8 == 0).then_some(bytes / 8)
}

/// Returns the operations of a short expression; none if it is long or malformed.
fn operations<'a>(
    expression: &UnwindExpression<usize>,
    frames: &EhFrame<Reader<'a>>,
) -> Option<Vec<Operation<Reader<'a>>>> {
    let encoding = gimli::Encoding { address_size: 8, format: gimli::Format::Dwarf32, version: 4 };
    let mut operations = expression.get(frames).ok()?.operations(encoding);
    let mut list = Vec::new();
    while let Some(operation) = operations.next().ok()? {
        list.push(operation);
        if list.len() > 16 {
            return None;
        }
    }
    Some(list)
}
