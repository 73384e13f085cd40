//! Offsets in the structures of each Ruby version, from its headers: vm_core.h, method.h, iseq.h,
//! internal/class.h and rstring.h. testing/ruby-offsets.ts prints them.
use crate::layout::RubyOffsets;

/// Offsets for reading names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fields {
    /// True if the first line is stored as a Ruby object, false if it is stored as a plain integer.
    pub is_first_line_object: bool,
    /// Offset in the body of four words about lines: the entries, their positions, their number,
    /// and a table.
    pub body_lines: u64,
    pub line_entry_bytes: u64,
    /// Offset of the name in a method definition.
    pub definition_name: u64,
    /// Offset of a string's length; none if the flags contain the length of a string whose
    /// characters are inside the object.
    pub string_length: Option<u64>,
    pub class_names: ClassNames,
    /// Largest number of an operator. Numbers of operators are not shifted.
    pub last_operator: u64,
}

/// Location of a class's name, and of the object that a singleton class belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClassNames {
    /// In the instance variables: a hash table at offset `table`, in the structure to which the
    /// class points at offset `extension`.
    Variables { extension: u64, table: u64 },
    /// In fields of the class, at these offsets.
    Fields { name: u64, attached: u64 },
}

/// Offsets of a version.
pub struct Row {
    pub offsets: RubyOffsets,
    pub fields: Fields,
}

/// Tested versions.
const KNOWN: [(&str, fn() -> Row); 3] = [("2.7.", of_2_7), ("3.1.", of_3_1), ("3.3.", of_3_3)];

/// Returns the offsets of a version such as 3.1.2.
pub fn find(version: &str) -> Result<Row, String> {
    let known = KNOWN.iter().find(|(prefix, _)| version.starts_with(prefix));
    known.map(|(_, row)| row()).ok_or_else(|| "the version is unknown".to_owned())
}

fn of_2_7() -> Row {
    let next = of_3_1();
    Row {
        offsets: RubyOffsets { context_thread: 56, thread_id: 72, frame_bytes: 56, ..next.offsets },
        fields: Fields { line_entry_bytes: 8, last_operator: 168, ..next.fields },
    }
}

fn of_3_3() -> Row {
    let last = of_3_1();
    Row {
        offsets: RubyOffsets { frame_bytes: 56, ..last.offsets },
        fields: Fields {
            is_first_line_object: false,
            body_lines: 112,
            string_length: Some(16),
            class_names: ClassNames::Fields { name: 152, attached: 128 },
            ..last.fields
        },
    }
}

fn of_3_1() -> Row {
    Row {
        offsets: RubyOffsets {
            context_stack: 0,
            context_frame: 16,
            frame_instruction: 0,
            frame_sequence: 16,
            frame_environment: 32,
            frame_bytes: 64,
            sequence_body: 16,
            body_size: 0,
            body_location: 64,
            method_definition: 16,
            ..RubyOffsets::default()
        },
        fields: Fields {
            is_first_line_object: true,
            body_lines: 120,
            line_entry_bytes: 12,
            definition_name: 32,
            string_length: None,
            class_names: ClassNames::Variables { extension: 24, table: 8 },
            last_operator: 169,
        },
    }
}
