//! Prints the mappings and unwinding tables of a process: `process-tables PID`.
use parca_bpf::process_tables::process_tables;

fn main() -> Result<(), String> {
    let pid = std::env::args().nth(1).and_then(|text| text.parse().ok());
    let pid = pid.ok_or("usage: process-tables PID")?;
    print!("{}", process_tables(pid)?);
    Ok(())
}
