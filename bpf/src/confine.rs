//! Forbids system calls that the agent never makes, but that an attacker inside it might make to
//! change other programs or the host, or to start programs.
use crate::system::failure;

/// Calls that fail with EPERM. A list of allowed calls would be stricter, but would have to be
/// updated for each version of Node.
const FORBIDDEN: &[libc::c_long] = &[
    // Other programs.
    libc::SYS_execve,
    libc::SYS_execveat,
    libc::SYS_ptrace,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_pidfd_getfd,
    libc::SYS_move_pages,
    libc::SYS_migrate_pages,
    // The kernel and its settings.
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_kexec_file_load,
    libc::SYS_reboot,
    libc::SYS_syslog,
    libc::SYS_acct,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_quotactl,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_iopl,
    libc::SYS_ioperm,
    libc::SYS_modify_ldt,
    // File systems and namespaces.
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_setns,
    libc::SYS_unshare,
    libc::SYS_open_by_handle_at,
    libc::SYS_mknod,
    libc::SYS_mknodat,
    // Kernel interfaces with a long history of vulnerabilities. Node works without the last of
    // these.
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    libc::SYS_userfaultfd,
    libc::SYS_io_uring_setup,
];

/// `AUDIT_ARCH_X86_64`, and the bit that marks calls of the x32 ABI.
const ARCHITECTURE: u32 = 0xc000_003e;
const X32_BIT: u32 = 0x4000_0000;

/// Permanently forbids these calls, and new privileges, in all threads of this process.
pub fn confine() -> Result<(), String> {
    const LOAD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
    const JUMP_EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
    const JUMP_FROM: u16 = (libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K) as u16;
    const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;
    let step = |code, k, jt, jf| libc::sock_filter { code, jt, jf, k };
    let refuse = libc::SECCOMP_RET_ERRNO | libc::EPERM as u32;
    // seccomp_data: the number of the call at 0, the architecture at 4.
    let mut program = vec![
        step(LOAD, 4, 0, 0),
        step(JUMP_EQUAL, ARCHITECTURE, 1, 0),
        step(RETURN, refuse, 0, 0),
        step(LOAD, 0, 0, 0),
        step(JUMP_FROM, X32_BIT, 0, 1),
        step(RETURN, refuse, 0, 0),
    ];
    for &call in FORBIDDEN {
        program.push(step(JUMP_EQUAL, call as u32, 0, 1));
        program.push(step(RETURN, refuse, 0, 0));
    }
    program.push(step(RETURN, libc::SECCOMP_RET_ALLOW, 0, 0));
    let filter = libc::sock_fprog { len: program.len() as u16, filter: program.as_mut_ptr() };
    // SAFETY: the arguments are plain numbers.
    if unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) } != 0 {
        return Err(failure("prctl of new privileges"));
    }
    // SAFETY: the filter lives as long as the call, and the kernel copies it.
    let result = unsafe {
        libc::syscall(
            libc::SYS_seccomp,
            libc::SECCOMP_SET_MODE_FILTER,
            libc::SECCOMP_FILTER_FLAG_TSYNC,
            &raw const filter,
        )
    };
    // A positive number is the id of a thread that has another filter.
    if result == 0 { Ok(()) } else { Err(failure("seccomp")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the exit status of a child that confines itself and then acts.
    fn status_of(act: impl FnOnce() -> bool) -> i32 {
        // SAFETY: the child makes system calls and allocates, which is allowed here although its
        // parent has other threads.
        unsafe {
            let child = libc::fork();
            if child == 0 {
                let is_confined = confine().is_ok();
                libc::_exit(if is_confined && act() { 0 } else { 1 });
            }
            let mut status = -1;
            libc::waitpid(child, &mut status, 0);
            status
        }
    }

    fn is_refused(call: libc::c_long) -> bool {
        // SAFETY: no argument is a valid address, so a call that is allowed does nothing.
        let result = unsafe { libc::syscall(call, -1, 0, 0, 0, 0, 0) };
        result == -1 && std::io::Error::last_os_error().raw_os_error() == Some(libc::EPERM)
    }

    #[test]
    fn forbidden_calls_fail_and_others_work() {
        let all = || FORBIDDEN.iter().all(|&call| is_refused(call));
        assert_eq!(status_of(all), 0);
        assert_eq!(status_of(|| std::fs::read("/proc/self/status").is_ok()), 0);
        assert_eq!(status_of(|| std::process::Command::new("/bin/true").status().is_err()), 0);
        let starts_thread = || std::thread::spawn(|| 7).join().is_ok_and(|seven| seven == 7);
        assert_eq!(status_of(starts_thread), 0);
    }
}
