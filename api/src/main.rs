/// Where threads make and drop many small things, it takes less time than the C library's: `docs/performance.md`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    api::cli::run()
}
