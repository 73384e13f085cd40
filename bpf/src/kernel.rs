//! Loads the kernel programs, and gives the sampling thread access to their maps.
use crate::layout::{
    CpuState, Line, Mapping, PID_VERSIONS, PROCESSES_MAX, Process, UNWANTED_CGROUPS_MAX,
};
use crate::system::{
    PerfAttributes, SharedArray, SharedMemory, failure, open_perf_event, raise_locked_memory,
    set_perf_event, start_perf_event,
};
use aya::maps::{HashMap, Map, MapData, PerCpuArray, RingBuf};
use aya::programs::{PerfEvent, RawTracePoint};
use aya::{Btf, Ebpf, EbpfLoader, VerifierLogLevel, include_bytes_aligned};
use std::fs;
use std::os::fd::{AsFd, AsRawFd, OwnedFd, RawFd};
use std::sync::atomic::{AtomicU64, Ordering};

static PROGRAMS: &[u8] = include_bytes_aligned!(concat!(env!("OUT_DIR"), "/sampler.bpf.o"));

/// Sizes of the maps, and options of the programs.
pub struct Sizes {
    pub lines: u32,
    pub mappings: u32,
    pub ring_bytes: u32,
    pub reads_cgroups: bool,
}

/// The loaded programs. Sampling ends when this value is dropped.
pub struct Kernel {
    pub ring: RingBuf<MapData>,
    pub lines: SharedArray,
    pub mappings: SharedArray,
    processes: HashMap<MapData, u32, Process>,
    unwanted: HashMap<MapData, u32, u32>,
    unwanted_cgroups: HashMap<MapData, u64, u32>,
    versions: SharedMemory,
    cpu_states: PerCpuArray<MapData, CpuState>,
    events: Vec<OwnedFd>,
    program_name: &'static str,
    programs: Ebpf,
}

/// Returns the missing capabilities and kernel features that sampling needs.
pub fn missing_requirements() -> Vec<String> {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let effective = status
        .lines()
        .find_map(|line| line.strip_prefix("CapEff:"))
        .and_then(|hex| u64::from_str_radix(hex.trim(), 16).ok())
        .unwrap_or(0);
    let has = |number: u32| effective & (1 << number) != 0;
    const ADMINISTRATOR: u32 = 21;
    let needed = [
        (39, "CAP_BPF", true),
        (38, "CAP_PERFMON", true),
        (19, "CAP_SYS_PTRACE", false),
        (2, "CAP_DAC_READ_SEARCH", false),
    ];
    let mut missing: Vec<String> = needed
        .iter()
        .filter(|(number, _, is_administrators)| {
            !(has(*number) || *is_administrators && has(ADMINISTRATOR))
        })
        .map(|(_, name, _)| (*name).to_owned())
        .collect();
    if fs::metadata("/sys/kernel/btf/vmlinux").is_err() {
        missing.push("type information of the kernel (CONFIG_DEBUG_INFO_BTF)".to_owned());
    }
    // The first PID namespace has a fixed number. The kernel programs see only process ids of that
    // namespace.
    let namespace = fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    if !namespace.as_os_str().is_empty() && namespace.to_string_lossy() != "pid:[4026531836]" {
        missing.push("the PID namespace of the host (run with hostPID)".to_owned());
    }
    missing
}

impl Kernel {
    /// Loads the programs without starting them.
    pub fn load(sizes: &Sizes, pids: Option<&[u32]>) -> Result<Kernel, String> {
        raise_locked_memory();
        let program_name = if pids.is_some() { "sample_listed" } else { "sample_all" };
        let mut programs = load_programs(sizes, program_name)?;
        let lines =
            take_array(&mut programs, "table_lines", sizes.lines as usize * size_of::<Line>())?;
        let mappings_bytes = sizes.mappings as usize * size_of::<Mapping>();
        let mappings = take_array(&mut programs, "mappings", mappings_bytes)?;
        let versions_bytes = PID_VERSIONS * size_of::<u64>();
        let versions = take_array(&mut programs, "pid_versions", versions_bytes)?.map()?;
        let take = |programs: &mut Ebpf, name: &str| {
            programs.take_map(name).ok_or_else(|| format!("there is no map {name}"))
        };
        let text = |error: aya::maps::MapError| error.to_string();
        let ring = RingBuf::try_from(take(&mut programs, "ring")?).map_err(text)?;
        let processes = HashMap::try_from(take(&mut programs, "processes")?).map_err(text)?;
        let unwanted = HashMap::try_from(take(&mut programs, "unwanted_pids")?).map_err(text)?;
        let unwanted_cgroups =
            HashMap::try_from(take(&mut programs, "unwanted_cgroups")?).map_err(text)?;
        let cpu_states = PerCpuArray::try_from(take(&mut programs, "cpu_states")?).map_err(text)?;
        if let Some(pids) = pids {
            let mut listed: HashMap<MapData, u32, u32> =
                HashMap::try_from(take(&mut programs, "listed_pids")?).map_err(text)?;
            for pid in pids {
                listed.insert(pid, 1, 0).map_err(text)?;
            }
        }
        let events = Vec::new();
        Ok(Kernel {
            ring,
            lines,
            mappings,
            processes,
            unwanted,
            unwanted_cgroups,
            versions,
            cpu_states,
            events,
            program_name,
            programs,
        })
    }

    /// Starts sampling on all online CPUs.
    pub fn start(&mut self, period: u32) -> Result<(), String> {
        let text = |error: aya::programs::ProgramError| error.to_string();
        let fork: &mut RawTracePoint = program(&mut self.programs, "inherit_mappings")?;
        fork.attach("sched_process_fork").map_err(text)?;
        let sampling: &mut PerfEvent = program(&mut self.programs, self.program_name)?;
        let descriptor = sampling.fd().map_err(text)?.as_fd();
        for cpu in online_cpus()? {
            const SOFTWARE: u32 = 1;
            const CPU_CLOCK: u64 = 0;
            const DISABLED: u64 = 1;
            let mut attributes = PerfAttributes {
                kind: SOFTWARE,
                config: CPU_CLOCK,
                sample_period: u64::from(period),
                flags: DISABLED,
                ..PerfAttributes::default()
            };
            let event = open_perf_event(&mut attributes, cpu)?;
            start_perf_event(&event, descriptor)?;
            self.events.push(event);
        }
        Ok(())
    }

    /// Pauses or resumes sampling on all CPUs.
    pub fn set_paused(&self, is_paused: bool) -> Result<(), String> {
        self.events.iter().try_for_each(|event| set_perf_event(event, !is_paused))
    }

    /// Stops sampling a process. If the map is full, user space drops its samples.
    pub fn leave_out(&mut self, pid: u32) {
        let _ = self.unwanted.insert(pid, 1, 0);
    }

    /// Stops sampling a control group. If the map is full, user space drops its samples.
    pub fn leave_out_cgroup(&mut self, id: u64) {
        let _ = self.unwanted_cgroups.insert(id, 1, 0);
    }

    /// Samples a process again.
    pub fn take_in(&mut self, pid: u32) {
        // The entry is missing if the process was not skipped.
        let _ = self.unwanted.remove(&pid);
    }

    /// Samples all processes again.
    pub fn take_in_all(&mut self) {
        let pids: Vec<u32> = self.unwanted.keys().take(PROCESSES_MAX).flatten().collect();
        for pid in pids {
            self.take_in(pid);
        }
        let groups: Vec<u64> =
            self.unwanted_cgroups.keys().take(UNWANTED_CGROUPS_MAX).flatten().collect();
        for id in groups {
            let _ = self.unwanted_cgroups.remove(&id);
        }
    }

    /// Publishes the mappings of a process to the kernel programs.
    pub fn set_process(&mut self, pid: u32, process: Process) -> Result<(), String> {
        self.processes.insert(pid, process, 0).map_err(|error| error.to_string())?;
        self.note_change(pid);
        Ok(())
    }

    /// Returns the ids of the processes whose mappings the kernel programs have.
    pub fn process_ids(&self) -> Vec<u32> {
        // The iteration may start over if processes start or end in the meantime, so its length is
        // limited.
        self.processes.keys().take(PROCESSES_MAX).flatten().collect()
    }

    pub fn remove_process(&mut self, pid: u32) {
        // The entry is missing if the process was never published.
        let _ = self.processes.remove(&pid);
        self.note_change(pid);
    }

    /// Makes the programs look up a process again if it is cached.
    fn note_change(&mut self, pid: u32) {
        let at = self.versions.at(pid as usize % PID_VERSIONS * size_of::<u64>());
        // SAFETY: an aligned word of the array, which programs and threads share.
        let version = unsafe { AtomicU64::from_ptr(at.cast()) };
        version.fetch_add(1, Ordering::Release);
    }

    pub fn ring_descriptor(&self) -> RawFd {
        self.ring.as_raw_fd()
    }

    /// Returns the numbers of taken, lost and skipped samples.
    pub fn counts(&self) -> [u64; 3] {
        let states = self.cpu_states.get(&0, 0);
        states.map_or([0; 3], |states| {
            let add = |[samples, lost, skipped]: [u64; 3], state: &CpuState| {
                [samples + state.samples, lost + state.lost, skipped + state.skipped]
            };
            states.iter().fold([0; 3], add)
        })
    }

    /// Returns runs and nanoseconds of the sampling program; 0 if the kernel does not count them.
    pub fn program_runs(&mut self) -> (u64, u64) {
        let sampling: Result<&mut PerfEvent, _> = program(&mut self.programs, self.program_name);
        let Some(fd) = sampling.ok().and_then(|it| it.fd().ok().map(|fd| fd.as_fd().as_raw_fd()))
        else {
            return (0, 0);
        };
        let info = fs::read_to_string(format!("/proc/self/fdinfo/{fd}")).unwrap_or_default();
        let value = |name: &str| {
            let found = info.lines().find_map(|line| line.strip_prefix(name));
            found.and_then(|text| text.trim().parse().ok()).unwrap_or(0)
        };
        (value("run_cnt:"), value("run_time_ns:"))
    }
}

fn load_programs(sizes: &Sizes, program_name: &str) -> Result<Ebpf, String> {
    let btf = Btf::from_sys_fs().map_err(|error| format!("types of the kernel: {error}"))?;
    let mut programs = EbpfLoader::new()
        .btf(Some(&btf))
        .verifier_log_level(VerifierLogLevel::STATS)
        .map_max_entries("table_lines", sizes.lines)
        .map_max_entries("mappings", sizes.mappings)
        .map_max_entries("ring", sizes.ring_bytes)
        .override_global("reads_cgroups", &u32::from(sizes.reads_cgroups), true)
        .load(PROGRAMS)
        .map_err(explain)?;
    let sampling: &mut PerfEvent = program(&mut programs, program_name)?;
    sampling.load().map_err(explain)?;
    let fork: &mut RawTracePoint = program(&mut programs, "inherit_mappings")?;
    fork.load().map_err(explain)?;
    Ok(programs)
}

/// Formats an error with its causes in one line.
fn explain(error: impl std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(next) = cause {
        text = format!("{text}: {next}");
        cause = next.source();
    }
    // The last lines of the verifier's log contain the reason.
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let skipped = lines.len().saturating_sub(6);
    match lines.split_first() {
        Some((first, rest)) if skipped > 0 => format!("{first} … {}", rest[skipped..].join("; ")),
        _ => lines.join("; "),
    }
}

fn program<'a, T>(programs: &'a mut Ebpf, name: &str) -> Result<&'a mut T, String>
where
    &'a mut T: TryFrom<&'a mut aya::programs::Program>,
{
    let found = programs.program_mut(name).ok_or_else(|| format!("there is no program {name}"))?;
    found.try_into().map_err(|_| format!("program {name} has another type"))
}

fn take_array(programs: &mut Ebpf, name: &str, bytes: usize) -> Result<SharedArray, String> {
    match programs.take_map(name) {
        Some(Map::Array(data)) => {
            let descriptor = data.fd().as_fd().try_clone_to_owned();
            Ok(SharedArray { descriptor: descriptor.map_err(|error| error.to_string())?, bytes })
        }
        _ => Err(format!("there is no array {name}")),
    }
}

/// Returns the numbers of the online CPUs.
pub fn online_cpus() -> Result<Vec<u32>, String> {
    let path = "/sys/devices/system/cpu/online";
    let text = fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    let mut cpus = Vec::new();
    for range in text.trim().split(',') {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let bounds = (first.parse::<u32>(), last.parse::<u32>());
        let (Ok(first), Ok(last)) = bounds else { return Err(failure(path)) };
        cpus.extend(first..=last);
    }
    Ok(cpus)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The kernel refuses programs that take more than a million steps to verify. The test needs
    /// root, as sampling does.
    #[test]
    fn programs_are_far_from_the_verifiers_limit() {
        raise_locked_memory();
        let sizes =
            Sizes { lines: 1 << 14, mappings: 1 << 10, ring_bytes: 1 << 16, reads_cgroups: true };
        let mut programs = load_programs(&sizes, "sample_all").expect("loads");
        let sampling: &mut PerfEvent = program(&mut programs, "sample_all").expect("there");
        let info = sampling.info().expect("loaded");
        // Kernels before 5.16 do not report the steps.
        let steps = info.verified_instruction_count().unwrap_or(0);
        println!("{steps} steps");
        assert!(steps < 250_000, "{steps} steps");
    }
}
