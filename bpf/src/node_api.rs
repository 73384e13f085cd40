//! The functions that Node sees: those of a sampler, and four small ones. Everything in a batch is
//! bytes, so little of N-API is needed.
use crate::confine::confine as confine_all;
use crate::demangle::{Mode, demangle as demangle_name};
use crate::options::Options;
use crate::proc_files::open_file_of;
use crate::sampler::{OpenError, Sampler};
use crate::system::limit_capabilities as limit_to;
use std::ffi::{CString, c_char, c_void};
use std::os::fd::IntoRawFd;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::ptr::null_mut;
use std::sync::Mutex;

type Env = *mut c_void;
type Value = *mut c_void;
type CallbackInfo = *mut c_void;
type Callback = extern "C" fn(Env, CallbackInfo) -> Value;
type Finalizer = extern "C" fn(Env, *mut c_void, *mut c_void);

unsafe extern "C" {
    fn napi_create_function(
        env: Env,
        name: *const c_char,
        length: usize,
        callback: Callback,
        data: *mut c_void,
        result: *mut Value,
    ) -> i32;
    fn napi_set_named_property(env: Env, to: Value, name: *const c_char, value: Value) -> i32;
    fn napi_get_cb_info(
        env: Env,
        info: CallbackInfo,
        count: *mut usize,
        values: *mut Value,
        this: *mut Value,
        data: *mut *mut c_void,
    ) -> i32;
    fn napi_get_value_double(env: Env, value: Value, result: *mut f64) -> i32;
    fn napi_get_typedarray_info(
        env: Env,
        value: Value,
        kind: *mut i32,
        length: *mut usize,
        data: *mut *mut c_void,
        buffer: *mut Value,
        offset: *mut usize,
    ) -> i32;
    fn napi_create_external(
        env: Env,
        data: *mut c_void,
        finalizer: Finalizer,
        hint: *mut c_void,
        result: *mut Value,
    ) -> i32;
    fn napi_get_value_external(env: Env, value: Value, result: *mut *mut c_void) -> i32;
    fn napi_create_arraybuffer(
        env: Env,
        bytes: usize,
        data: *mut *mut c_void,
        result: *mut Value,
    ) -> i32;
    fn napi_get_value_string_utf8(
        env: Env,
        value: Value,
        to: *mut c_char,
        bytes: usize,
        result: *mut usize,
    ) -> i32;
    fn napi_create_double(env: Env, value: f64, result: *mut Value) -> i32;
    fn napi_create_string_utf8(
        env: Env,
        text: *const c_char,
        bytes: usize,
        result: *mut Value,
    ) -> i32;
    fn napi_throw_error(env: Env, code: *const c_char, message: *const c_char) -> i32;
}

const OK: i32 = 0;
const UINT32_ARRAY: i32 = 6;

/// An error to throw: a code of the domain, and a message.
type Thrown = (&'static str, String);

fn internal(message: &str) -> Thrown {
    ("internal", message.to_owned())
}

/// Called by Node when it loads the add-on.
///
/// # Safety
/// Node passes a valid environment and object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn napi_register_module_v1(env: Env, exports: Value) -> Value {
    let functions: [(&std::ffi::CStr, Callback); 7] = [
        (c"open", open),
        (c"take", take),
        (c"close", close),
        (c"demangle", demangle),
        (c"limitCapabilities", limit_capabilities),
        (c"confine", confine),
        (c"openFileOf", open_file),
    ];
    for (name, callback) in functions {
        let mut function = null_mut();
        // SAFETY: Node gave the environment and the object; names end with a zero byte.
        unsafe {
            napi_create_function(
                env,
                name.as_ptr(),
                name.count_bytes(),
                callback,
                null_mut(),
                &mut function,
            );
            napi_set_named_property(env, exports, name.as_ptr(), function);
        }
    }
    exports
}

extern "C" fn open(env: Env, info: CallbackInfo) -> Value {
    call(env, || {
        let arguments = arguments::<5>(env, info);
        let number = |i: usize| read_number(env, arguments[i]);
        let options = Options {
            period: number(0)? as u32,
            table_bytes: number(1)? as u64,
            ring_bytes: number(2)? as u32,
            waiting_bytes: number(3)? as u64,
            pids: read_numbers(env, arguments[4]),
        };
        let sampler = Sampler::open(options).map_err(|error| match error {
            OpenError::Options(message) => ("invalid-argument", message),
            OpenError::Kernel(message) => ("failed-precondition", message),
        })?;
        let data = Box::into_raw(Box::new(Mutex::new(sampler)));
        let mut result = null_mut();
        // SAFETY: the finalizer is the one that frees the box.
        match unsafe {
            napi_create_external(env, data.cast(), drop_sampler, null_mut(), &mut result)
        } {
            OK => Ok(result),
            _ => Err(internal("cannot start sampling: Node makes no handle")),
        }
    })
}

extern "C" fn take(env: Env, info: CallbackInfo) -> Value {
    call(env, || {
        let bytes = with_sampler(env, info, |sampler| {
            sampler.take().map_err(|message| ("internal", message))
        })??;
        let (mut data, mut result) = (null_mut(), null_mut());
        // SAFETY: Node sets both.
        let status = unsafe { napi_create_arraybuffer(env, bytes.len(), &mut data, &mut result) };
        if status != OK {
            return Err(internal("cannot take samples: Node makes no buffer"));
        }
        // SAFETY: the buffer has that size, and is new.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), data.cast(), bytes.len()) };
        Ok(result)
    })
}

extern "C" fn close(env: Env, info: CallbackInfo) -> Value {
    call(env, || with_sampler(env, info, Sampler::close).map(|()| null_mut()))
}

/// Bytes of a name or path; a longer one is cut: a name stays mangled, a path names no file.
const TEXT_BYTES_MAX: usize = 4096;

extern "C" fn demangle(env: Env, info: CallbackInfo) -> Value {
    call(env, || {
        let [name] = arguments::<1>(env, info);
        let text = demangle_name(&read_text(env, name)?, Mode::Simple);
        let mut result = null_mut();
        // SAFETY: Node copies that many bytes.
        unsafe { napi_create_string_utf8(env, text.as_ptr().cast(), text.len(), &mut result) };
        Ok(result)
    })
}

extern "C" fn limit_capabilities(env: Env, info: CallbackInfo) -> Value {
    call(env, || {
        let [kept] = arguments::<1>(env, info);
        limit_to(&read_numbers(env, kept).unwrap_or_default())
            .map_err(|message| ("failed-precondition", message))?;
        Ok(null_mut())
    })
}

extern "C" fn confine(env: Env, _info: CallbackInfo) -> Value {
    call(env, || {
        confine_all().map_err(|message| ("failed-precondition", message))?;
        Ok(null_mut())
    })
}

extern "C" fn open_file(env: Env, info: CallbackInfo) -> Value {
    call(env, || {
        let [pid, path] = arguments::<2>(env, info);
        let path = read_text(env, path)?;
        let file = open_file_of(read_number(env, pid)? as u32, Path::new(&path));
        let descriptor = file.map_or(-1, IntoRawFd::into_raw_fd);
        let mut result = null_mut();
        // SAFETY: Node sets the result.
        unsafe { napi_create_double(env, f64::from(descriptor), &mut result) };
        Ok(result)
    })
}

extern "C" fn drop_sampler(_env: Env, data: *mut c_void, _hint: *mut c_void) {
    // SAFETY: made by `open`, and finalized once. A panic must not reach Node.
    let sampler = unsafe { Box::from_raw(data.cast::<Mutex<Sampler>>()) };
    let _ = catch_unwind(AssertUnwindSafe(|| drop(sampler)));
}

/// Runs a function; its error, and a panic, are thrown in JavaScript.
fn call(env: Env, run: impl FnOnce() -> Result<Value, Thrown>) -> Value {
    let result = catch_unwind(AssertUnwindSafe(run))
        .unwrap_or_else(|_| Err(internal("cannot sample: the add-on failed")));
    result.unwrap_or_else(|(code, message)| {
        let text = |text: &str| CString::new(text.replace('\0', " ")).unwrap_or_default();
        let (code, message) = (text(code), text(&message));
        // SAFETY: both end with a zero byte, and Node copies them.
        unsafe { napi_throw_error(env, code.as_ptr(), message.as_ptr()) };
        null_mut()
    })
}

fn arguments<const N: usize>(env: Env, info: CallbackInfo) -> [Value; N] {
    let mut count = N;
    let mut values = [null_mut(); N];
    // SAFETY: there is room for `count` values; Node fills up with undefined.
    unsafe {
        napi_get_cb_info(env, info, &mut count, values.as_mut_ptr(), null_mut(), null_mut());
    }
    values
}

fn read_number(env: Env, value: Value) -> Result<f64, Thrown> {
    let mut number = 0.0;
    // SAFETY: Node sets the number.
    match unsafe { napi_get_value_double(env, value, &mut number) } {
        OK => Ok(number),
        _ => Err(("invalid-argument", "cannot start sampling: an option is no number".to_owned())),
    }
}

fn read_text(env: Env, value: Value) -> Result<String, Thrown> {
    let (mut bytes, mut length) = (vec![0u8; TEXT_BYTES_MAX], 0);
    // SAFETY: Node writes at most that many bytes.
    let status = unsafe {
        let to = bytes.as_mut_ptr().cast();
        napi_get_value_string_utf8(env, value, to, bytes.len(), &mut length)
    };
    match status {
        OK => Ok(String::from_utf8_lossy(&bytes[..length]).into_owned()),
        _ => Err(internal("cannot read an argument: this is no text")),
    }
}

/// Elements of a Uint32Array; none for anything else.
fn read_numbers(env: Env, value: Value) -> Option<Vec<u32>> {
    let (mut kind, mut length, mut data) = (0, 0, null_mut());
    // SAFETY: Node sets what is asked for.
    let status = unsafe {
        napi_get_typedarray_info(
            env,
            value,
            &mut kind,
            &mut length,
            &mut data,
            null_mut(),
            null_mut(),
        )
    };
    if status != OK || kind != UINT32_ARRAY {
        return None;
    }
    if length == 0 {
        return Some(Vec::new());
    }
    // SAFETY: Node's array has that many elements, copied before it can change.
    Some(unsafe { std::slice::from_raw_parts(data.cast::<u32>(), length) }.to_vec())
}

fn with_sampler<T>(
    env: Env,
    info: CallbackInfo,
    run: impl FnOnce(&mut Sampler) -> T,
) -> Result<T, Thrown> {
    let [handle] = arguments::<1>(env, info);
    let mut data = null_mut();
    // SAFETY: Node sets the pointer.
    let status = unsafe { napi_get_value_external(env, handle, &mut data) };
    if status != OK || data.is_null() {
        return Err(internal("cannot sample: this is no handle of a sampler"));
    }
    // SAFETY: the face passes only handles that `open` made, alive while they are referenced.
    let sampler = unsafe { &*data.cast::<Mutex<Sampler>>() };
    let mut sampler = sampler.lock().map_err(|error| internal(&error.to_string()))?;
    Ok(run(&mut sampler))
}
