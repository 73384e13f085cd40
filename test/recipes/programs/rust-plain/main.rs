//! Runs the load without profiles.
mod load;

fn main() {
    load::work()
}
