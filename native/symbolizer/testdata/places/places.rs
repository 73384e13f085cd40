// Prints addresses of its own code, and where it was loaded; in a program or a shared library.
use std::sync::Mutex;

static PLACES: Mutex<Vec<usize>> = Mutex::new(Vec::new());

#[inline(always)]
fn here() {
    let place: usize;
    #[cfg(target_arch = "x86_64")]
    unsafe {
        std::arch::asm!("lea {}, [rip]", out(reg) place)
    };
    #[cfg(target_arch = "aarch64")]
    unsafe {
        std::arch::asm!("adr {}, .", out(reg) place)
    };
    PLACES.lock().unwrap().push(place);
}

#[inline(always)]
fn mix(value: i64) -> i64 {
    here();
    value * 31 + 7
}

#[inline(never)]
#[no_mangle]
pub extern "C" fn inner(value: i64) -> i64 {
    here();
    mix(value) ^ mix(value + 1)
}

#[inline(never)]
#[no_mangle]
pub extern "C" fn outer(value: i64) -> i64 {
    let sum = inner(value) + mix(value);
    here();
    sum * 3
}

#[no_mangle]
pub extern "C" fn print_places() -> i64 {
    let sum = outer(3);
    // The lines of assembler are unknown.
    PLACES
        .lock()
        .unwrap()
        .extend((0..8).map(|i| outer as *const () as usize + 4 * i));
    for place in PLACES.lock().unwrap().iter() {
        println!("place {place:x}");
    }
    print!("{}", std::fs::read_to_string("/proc/self/maps").unwrap());
    sum
}

#[cfg(not(library))]
fn main() {
    assert!(print_places() != 0);
}
