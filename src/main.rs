//! The binary: runs the command line and returns its exit code.

#[cfg(target_env = "gnu")]
use std::hint::black_box;
use std::process::ExitCode;

/// musl's allocator asks the system for every large buffer, which takes as long as reading it.
#[cfg(all(baseref_mimalloc, target_env = "musl"))]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    #[cfg(target_env = "gnu")]
    keep_freed_memory();
    ExitCode::from(baseref::run_program(std::env::args_os()))
}

/// glibc's allocator returns the memory of each large buffer to the system, which clears it for the next
/// one. Up to the size of a buffer that was freed once it keeps twice as much (mallopt(3),
/// `M_MMAP_THRESHOLD`). Nothing is written to this one, so it costs nothing by itself.
#[cfg(target_env = "gnu")]
fn keep_freed_memory() {
    const LARGEST: usize = 512 << 10;
    drop(black_box(Vec::<u8>::with_capacity(LARGEST)));
}
