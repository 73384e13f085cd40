//! Classes and functions for Node. Few are needed, because a batch is a single buffer of bytes.
use crate::confine;
use crate::options::Options;
use crate::proc_files::open_file_of;
use crate::sampler::{OpenError, Sampler};
use crate::system;
use demangle::Mode;
use napi::bindgen_prelude::{ArrayBuffer, BigUint64Array, Env, Error, Result, Uint32Array};
use napi_derive::napi;
use std::os::fd::IntoRawFd;
use std::path::Path;

/// The `code` of an error: an `ErrorCode` of src/base/errors.ts.
pub enum Code {
    InvalidArgument,
    FailedPrecondition,
    Internal,
}

impl AsRef<str> for Code {
    fn as_ref(&self) -> &str {
        match self {
            Code::InvalidArgument => "invalid-argument",
            Code::FailedPrecondition => "failed-precondition",
            Code::Internal => "internal",
        }
    }
}

/// Options of a sampler, as declared by `SamplerOptions` in sampler.ts. Numbers that are too large
/// for their type are truncated. `Options::check` refuses values that are out of range.
#[napi(object, object_to_js = false)]
pub struct NativeOptions {
    pub period_nanos: f64,
    pub table_bytes_max: f64,
    pub ring_bytes: f64,
    pub waiting_bytes_max: f64,
    pub pids: Option<Uint32Array>,
    pub reads_cgroups: bool,
}

#[napi]
pub struct NativeSampler {
    sampler: Sampler,
}

#[napi]
impl NativeSampler {
    #[napi(constructor, catch_unwind)]
    pub fn open(options: NativeOptions) -> Result<NativeSampler, Code> {
        let options = Options {
            period: options.period_nanos as u32,
            table_bytes: options.table_bytes_max as u64,
            ring_bytes: options.ring_bytes as u32,
            waiting_bytes: options.waiting_bytes_max as u64,
            pids: options.pids.map(|pids| pids.to_vec()),
            reads_cgroups: options.reads_cgroups,
        };
        let sampler = Sampler::open(options).map_err(|error| match error {
            OpenError::Options(why) => Error::new(Code::InvalidArgument, why),
            OpenError::Kernel(why) => Error::new(Code::FailedPrecondition, why),
        })?;
        Ok(NativeSampler { sampler })
    }

    /// Returns a batch in the format of decode-batch.ts. Node owns its memory.
    #[napi(catch_unwind)]
    pub fn take<'env>(&mut self, env: &'env Env) -> Result<ArrayBuffer<'env>, Code> {
        let bytes = self.sampler.take().map_err(|why| Error::new(Code::Internal, why))?;
        ArrayBuffer::from_data(env, bytes).map_err(|error| Error::new(Code::Internal, error.reason))
    }

    #[napi(catch_unwind)]
    pub fn leave_out(&mut self, pids: Uint32Array) {
        self.sampler.leave_out(&pids);
    }

    #[napi(catch_unwind)]
    pub fn leave_out_cgroups(&mut self, ids: BigUint64Array) {
        self.sampler.leave_out_cgroups(&ids);
    }

    #[napi(catch_unwind)]
    pub fn set_paused(&mut self, is_paused: bool) {
        self.sampler.set_paused(is_paused);
    }

    #[napi(catch_unwind)]
    pub fn close(&mut self) {
        self.sampler.close();
    }
}

/// Largest size of a name that is demangled; longer names stay mangled.
const NAME_BYTES_MAX: usize = 4096;

#[napi(catch_unwind)]
pub fn demangle(name: String) -> String {
    if name.len() > NAME_BYTES_MAX { name } else { demangle::demangle(&name, Mode::Simple) }
}

#[napi(catch_unwind)]
pub fn limit_capabilities(kept: Uint32Array) -> Result<(), Code> {
    system::limit_capabilities(&kept).map_err(|why| Error::new(Code::FailedPrecondition, why))
}

#[napi(catch_unwind)]
pub fn confine() -> Result<(), Code> {
    confine::confine().map_err(|why| Error::new(Code::FailedPrecondition, why))
}

/// Returns a descriptor that the caller must close, or -1.
#[napi(catch_unwind)]
pub fn open_file_of_process(pid: u32, path: String) -> i32 {
    open_file_of(pid, Path::new(&path)).map_or(-1, IntoRawFd::into_raw_fd)
}
