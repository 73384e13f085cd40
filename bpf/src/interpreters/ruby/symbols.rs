//! Reads the names of Ruby's symbols, because C functions have a symbol as their name. The ELF file
//! does not give the address of Ruby's symbol table, but the code of `rb_id2str` reads the table.
use super::objects::Objects;
use crate::v8::Memory;

const NAME_BYTES_MAX: usize = 256;
/// Number of symbols in a part of the table; each has its name and an object.
const PART_SYMBOLS: u64 = 512;
const SYMBOL_WORDS: u64 = 2;
/// Number of bits below a symbol's number, except in operators.
const NUMBER_SHIFT: u64 = 4;
/// Operators of one character, whose code is the symbol's number.
const OPERATORS: [char; 4] = ['+', '-', '<', '!'];

impl<M: Memory> Objects<'_, M> {
    /// Returns the name of a symbol. Of the candidate tables, the table that contains the operators
    /// is the right one.
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
