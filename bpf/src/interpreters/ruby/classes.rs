//! Reads names of classes and modules, such as `Shop::Door`.
use super::objects::{Objects, TYPE_CLASS, TYPE_INCLUDED, TYPE_MASK, TYPE_MODULE};
use super::versions::ClassNames;
use crate::v8::Memory;

const NAME_BYTES_MAX: usize = 256;
const SINGLETON: u64 = 1 << 12;
/// Offset of the pointer to an object's class.
const CLASS: u64 = 8;

/// Offsets of two words in a hash table of instance variables: the number of its entries, and the
/// pointer to them.
const TABLE_END: u64 = 40;
const TABLE_ENTRIES: u64 = 48;
const ENTRY_WORDS: usize = 3;
const VARIABLES_MAX: u64 = 512;

/// Hash of a deleted entry.
const DELETED_HASH: u64 = !0;

impl<M: Memory> Objects<'_, M> {
    /// Returns the prefix of a method's name: `Shop#`, or `Shop.` for a method of the class itself.
    /// None for classes without a name, and for methods of a single object.
    pub fn owner(&self, class: u64, bias: u64) -> Option<String> {
        let flags = self.flags(class)?;
        if flags & TYPE_MASK == TYPE_INCLUDED {
            let module = self.field(class, CLASS)?;
            return Some(format!("{}#", self.class_name(module, bias)?));
        }
        if flags & TYPE_MASK == TYPE_CLASS && flags & SINGLETON != 0 {
            let attached = self.attached(class, bias)?;
            return Some(format!("{}.", self.class_name(attached, bias)?));
        }
        Some(format!("{}#", self.class_name(class, bias)?))
    }

    fn class_name(&self, class: u64, bias: u64) -> Option<String> {
        let kind = self.flags(class)? & TYPE_MASK;
        if kind != TYPE_CLASS && kind != TYPE_MODULE {
            return None;
        }
        let name = match self.layout.fields.class_names {
            ClassNames::Fields { name, .. } => self.field(class, name)?,
            ClassNames::Variables { .. } => {
                let object = self.word(self.layout.object_class.wrapping_add(bias))?;
                let string = self.word(self.layout.string_class.wrapping_add(bias))?;
                let key = self.key(object, |value| self.is_string(value, "Object"))?;
                // The key is right only if the same variable of the class String contains "String".
                if !self.is_string(self.variable(string, key)?, "String") {
                    return None;
                }
                self.variable(class, key)?
            }
        };
        self.string(name, NAME_BYTES_MAX).filter(|name| !name.is_empty())
    }

    /// Returns the object that a singleton class belongs to.
    fn attached(&self, class: u64, bias: u64) -> Option<u64> {
        match self.layout.fields.class_names {
            ClassNames::Fields { attached, .. } => self.field(class, attached),
            ClassNames::Variables { .. } => {
                let object = self.word(self.layout.object_class.wrapping_add(bias))?;
                let string = self.word(self.layout.string_class.wrapping_add(bias))?;
                let key = self.key(self.field(object, CLASS)?, |value| value == object)?;
                let other = self.variable(self.field(string, CLASS)?, key)?;
                if other == string { self.variable(class, key) } else { None }
            }
        }
    }

    fn is_string(&self, value: u64, want: &str) -> bool {
        self.string(value, NAME_BYTES_MAX).is_some_and(|text| text == want)
    }

    /// Returns the key of the variable whose value is wanted.
    fn key(&self, class: u64, is_wanted: impl Fn(u64) -> bool) -> Option<u64> {
        let variables = self.variables(class)?;
        variables.into_iter().find(|(_, value)| is_wanted(*value)).map(|(key, _)| key)
    }

    fn variable(&self, class: u64, key: u64) -> Option<u64> {
        let variables = self.variables(class)?;
        variables.into_iter().find(|(own, _)| *own == key).map(|(_, value)| value)
    }

    fn variables(&self, class: u64) -> Option<Vec<(u64, u64)>> {
        let ClassNames::Variables { extension, table } = self.layout.fields.class_names else {
            return None;
        };
        let table = self.field(self.field(class, extension)?, table)?;
        let count = self.field(table, TABLE_END)?.min(VARIABLES_MAX) as usize;
        let mut bytes = vec![0; count * ENTRY_WORDS * 8];
        if !self.memory.read(self.field(table, TABLE_ENTRIES)?, &mut bytes) {
            return None;
        }
        let words = bytes.chunks_exact(8).map(|word| word.try_into().expect("8 bytes"));
        let words: Vec<u64> = words.map(u64::from_le_bytes).collect();
        let entries = words.chunks_exact(ENTRY_WORDS).filter(|entry| entry[0] != DELETED_HASH);
        Some(entries.map(|entry| (entry[1], entry[2])).collect())
    }
}
