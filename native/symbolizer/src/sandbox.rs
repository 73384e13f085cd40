//! Removes all rights of this process that are not needed to read an open file.
use libc::{c_long, sock_filter, sock_fprog};

/// Allowed system calls: for memory, for reading and writing open files, and for exiting.
const ALLOWED: &[c_long] = &[
    libc::SYS_read,
    libc::SYS_write,
    libc::SYS_writev,
    libc::SYS_close,
    libc::SYS_fstat,
    libc::SYS_lseek,
    libc::SYS_mmap,
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_mprotect,
    libc::SYS_madvise,
    libc::SYS_brk,
    libc::SYS_futex,
    libc::SYS_getrandom,
    libc::SYS_clock_gettime,
    libc::SYS_sched_yield,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sigaltstack,
    libc::SYS_exit,
    libc::SYS_exit_group,
];

#[cfg(target_arch = "x86_64")]
const ARCHITECTURE: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const ARCHITECTURE: u32 = 0xc000_00b7;

/// Enters the sandbox. Errors: the kernel refuses a limit or the filter.
pub fn enter(data_bytes_max: u64, cpu_seconds_max: u64) -> Result<(), String> {
    limit(libc::RLIMIT_DATA, data_bytes_max)?;
    limit(libc::RLIMIT_CPU, cpu_seconds_max)?;
    limit(libc::RLIMIT_FSIZE, 0)?;
    limit(libc::RLIMIT_CORE, 0)?;
    forbid_calls()
}

fn limit(resource: libc::__rlimit_resource_t, value: u64) -> Result<(), String> {
    let limit = libc::rlimit { rlim_cur: value, rlim_max: value };
    // SAFETY: the structure lives as long as the call.
    if unsafe { libc::setrlimit(resource, &limit) } != 0 {
        return Err(format!("limit {resource}: {}", std::io::Error::last_os_error()));
    }
    Ok(())
}

fn forbid_calls() -> Result<(), String> {
    const LOAD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
    const JUMP_EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
    const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;
    let step = |code, k, jt, jf| sock_filter { code, jt, jf, k };
    let kill = libc::SECCOMP_RET_KILL_PROCESS;
    // seccomp_data: the number of the call at 0, the architecture at 4.
    let mut program = vec![
        step(LOAD, 4, 0, 0),
        step(JUMP_EQUAL, ARCHITECTURE, 1, 0),
        step(RETURN, kill, 0, 0),
        step(LOAD, 0, 0, 0),
    ];
    for &call in ALLOWED {
        program.push(step(JUMP_EQUAL, call as u32, 0, 1));
        program.push(step(RETURN, libc::SECCOMP_RET_ALLOW, 0, 0));
    }
    program.push(step(RETURN, kill, 0, 0));
    let filter = sock_fprog { len: program.len() as u16, filter: program.as_mut_ptr() };
    // SAFETY: the filter lives as long as the calls, and the kernel copies it.
    unsafe {
        if libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0
            || libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &filter) != 0
        {
            return Err(format!("filter of calls: {}", std::io::Error::last_os_error()));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the wait status of a child that runs `act` in the sandbox.
    fn status_of(act: impl FnOnce() -> bool) -> i32 {
        // SAFETY: the child makes system calls and allocates, which is allowed here although its
        // parent has other threads.
        unsafe {
            let child = libc::fork();
            if child == 0 {
                let is_inside = enter(64 << 20, 2).is_ok();
                libc::_exit(if is_inside && act() { 0 } else { 1 });
            }
            let mut status = 0;
            assert_eq!(libc::waitpid(child, &mut status, 0), child);
            status
        }
    }

    fn signal_of(act: impl FnOnce() -> bool) -> Option<i32> {
        let status = status_of(act);
        libc::WIFSIGNALED(status).then(|| libc::WTERMSIG(status))
    }

    #[test]
    fn opening_connecting_and_starting_end_the_process() {
        let path = c"/dev/null".as_ptr();
        // SAFETY: the string and the null pointers live as long as the calls.
        unsafe {
            assert_eq!(signal_of(|| libc::open(path, libc::O_RDONLY) >= 0), Some(libc::SIGSYS));
            assert_eq!(
                signal_of(|| libc::socket(libc::AF_INET, libc::SOCK_STREAM, 0) >= 0),
                Some(libc::SIGSYS)
            );
            assert_eq!(signal_of(|| libc::fork() >= 0), Some(libc::SIGSYS));
            let none = [std::ptr::null()];
            assert_eq!(
                signal_of(|| libc::execve(path, none.as_ptr(), none.as_ptr()) >= 0),
                Some(libc::SIGSYS)
            );
        }
    }

    #[test]
    fn memory_has_a_limit() {
        assert_eq!(status_of(|| Vec::<u8>::new().try_reserve_exact(16 << 20).is_ok()), 0);
        assert_eq!(status_of(|| Vec::<u8>::new().try_reserve_exact(65 << 20).is_err()), 0);
    }

    #[test]
    fn time_has_a_limit() {
        let signal = signal_of(|| {
            loop {
                std::hint::spin_loop();
            }
        });
        assert!(matches!(signal, Some(libc::SIGKILL | libc::SIGXCPU)), "{signal:?}");
    }

    #[test]
    fn files_that_are_open_cannot_grow() {
        let path = std::env::temp_dir().join(format!("parca-sandbox-{}", std::process::id()));
        let file = std::fs::File::create(&path).expect("a file");
        let status = signal_of(|| std::io::Write::write(&mut &file, b"x").is_ok());
        assert_eq!(status, Some(libc::SIGXFSZ));
        assert_eq!(std::fs::metadata(&path).expect("the file").len(), 0);
        std::fs::remove_file(&path).expect("the file");
    }
}
