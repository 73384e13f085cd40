//! Compiles the kernel programs with clang for src/kernel.rs, which embeds them, and generates
//! src/layout.rs from the types and constants in kernel/layout.h.
use bindgen::callbacks::{IntKind, ItemInfo, ItemKind, ParseCallbacks};
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=kernel");
    println!("cargo:rerun-if-env-changed=CLANG");
    let output = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    compile_programs(&output.join("sampler.bpf.o"));
    write_layout(&output.join("layout.rs"));
}

fn compile_programs(to: &Path) {
    let clang = env::var("CLANG").unwrap_or_else(|_| "clang".to_owned());
    let status = Command::new(&clang)
        .args(["-O2", "-g", "-target", "bpf", "-mcpu=v3", "-Wall", "-Wextra", "-Werror"])
        // The object file must not depend on the path of the build directory.
        .arg("-fdebug-compilation-dir=.")
        .args(["-c", "kernel/sampler.bpf.c", "-o"])
        .arg(to)
        .status();
    match status {
        Ok(status) if status.success() => {}
        Ok(status) => panic!("cannot compile the kernel programs: {clang} ended with {status}"),
        Err(error) => panic!("cannot compile the kernel programs: cannot run {clang}: {error}"),
    }
}

/// Writes the Rust types. Each type comes with assertions of its size and field offsets.
fn write_layout(to: &Path) {
    let bindings = bindgen::Builder::default()
        .header("kernel/layout.h")
        .clang_arg("--target=bpf")
        .use_core()
        .derive_default(true)
        .derive_eq(true)
        .prepend_enum_name(false)
        .translate_enum_integer_types(true)
        .parse_callbacks(Box::new(NamesOfRust))
        .generate();
    let bindings = bindings.unwrap_or_else(|error| panic!("cannot read kernel/layout.h: {error}"));
    bindings.write_to_file(to).expect("cargo's folder is writable");
}

#[derive(Debug)]
struct NamesOfRust;

impl ParseCallbacks for NamesOfRust {
    /// Converts names to Rust's conventions: `mapping_kind` becomes `MappingKind`.
    fn item_name(&self, item: ItemInfo) -> Option<String> {
        let name = item.name;
        if item.kind != ItemKind::Type || name.len() <= 3 {
            return None;
        }
        let capitalized = |word: &str| word[..1].to_uppercase() + &word[1..];
        Some(name.split('_').map(capitalized).collect())
    }

    /// Chooses the types of constants. Numbers of elements get the type of an index, and constants
    /// for a rule's `kind` get the type of that field.
    fn int_macro(&self, name: &str, value: i64) -> Option<IntKind> {
        let parts = ["RULE_", "BLOCK_SHIFT", "MAPPING_HAS_"];
        let is_part = parts.iter().any(|part| name.starts_with(part));
        let has_bits = name.ends_with("_MARK") || name.ends_with("_MASK");
        Some(match value {
            _ if is_part => IntKind::U8,
            _ if has_bits => IntKind::U64,
            ..=0xffff_ffff => IntKind::Custom { name: "usize", is_signed: false },
            _ => IntKind::U64,
        })
    }
}
