//! Names of symbols, by which C functions are known. Ruby's table of them has no symbol of its own,
//! but the code of `rb_id2str` reads it.
use super::objects::Objects;
use crate::v8::Memory;

const NAME_BYTES_MAX: usize = 256;
/// Symbols of a part of the table; each has its name and an object.
const PART_SYMBOLS: u64 = 512;
const SYMBOL_WORDS: u64 = 2;
/// Bits of a symbol below its number, unless it is an operator.
const NUMBER_SHIFT: u64 = 4;
/// Operators of one character have its code.
const OPERATORS: [char; 4] = ['+', '-', '<', '!'];

impl<M: Memory> Objects<'_, M> {
    /// Name of a symbol, by the table of them that knows operators.
    pub fn symbol_name(&self, symbol: u64, bias: u64) -> Option<String> {
        let is_table = |table: u64| {
            OPERATORS.iter().all(|one| {
                self.name_in(table, u64::from(*one)).is_some_and(|name| name == one.to_string())
            })
        };
        let tables = self.layout.symbol_tables.iter();
        let table = tables.filter_map(|at| self.word(at.wrapping_add(bias))).find(|t| is_table(*t));
        self.name_in(table?, symbol)
    }

    fn name_in(&self, table: u64, symbol: u64) -> Option<String> {
        let is_operator = symbol <= self.layout.fields.last_operator;
        let number = if is_operator { symbol } else { symbol >> NUMBER_SHIFT };
        let part = self.element(table, number / PART_SYMBOLS)?;
        let name = self.element(part, number % PART_SYMBOLS * SYMBOL_WORDS)?;
        self.string(name, NAME_BYTES_MAX).filter(|name| !name.is_empty())
    }
}
