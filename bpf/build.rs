//! Compiles the kernel programs with clang, for src/kernel.rs to embed.
use std::env;
use std::path::PathBuf;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=kernel");
    println!("cargo:rerun-if-env-changed=CLANG");
    let clang = env::var("CLANG").unwrap_or_else(|_| "clang".to_owned());
    let output = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let status = Command::new(&clang)
        .args(["-O2", "-g", "-target", "bpf", "-mcpu=v3", "-Wall", "-Wextra", "-Werror"])
        .args(["-c", "kernel/sampler.bpf.c", "-o"])
        .arg(output.join("sampler.bpf.o"))
        .status();
    match status {
        Ok(status) if status.success() => {}
        Ok(status) => panic!("cannot compile the kernel programs: {clang} ended with {status}"),
        Err(error) => panic!("cannot compile the kernel programs: cannot run {clang}: {error}"),
    }
}
