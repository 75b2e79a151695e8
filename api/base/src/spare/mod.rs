//! Work that is done in spare time: on threads of their own with a lower priority than those that answer people. Work that
//! nobody waits for also rests while others need the machine.

mod gate;
mod load;

use tokio::sync::oneshot;

use crate::error::{Result, internal};
pub use gate::Gate;
pub use load::make_way;

/// How much other work comes first.
#[derive(Clone, Copy, Debug)]
pub enum Haste {
    /// Somebody waits for it, but requests come first.
    Some,
    /// Nobody waits for it.
    None,
}

impl Haste {
    /// What Linux calls it: 19 is the lowest priority that there is.
    #[cfg(target_os = "linux")]
    fn nice(self) -> i32 {
        match self {
            Self::Some => 10,
            Self::None => 19,
        }
    }
}

/// Begins the work on a thread of its own; threads that it starts inherit the priority. The answer comes once it is done.
pub fn begin<T: Send + 'static>(
    name: &str,
    haste: Haste,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<oneshot::Receiver<T>> {
    let (tell, told) = oneshot::channel();
    let work = move || {
        yield_to_others(haste);
        let _ = tell.send(work());
    };
    std::thread::Builder::new().name(name.to_owned()).spawn(work).map_err(internal)?;
    Ok(told)
}

#[cfg_attr(not(target_os = "linux"), expect(unused_variables, reason = "only Linux has priorities of threads"))]
fn yield_to_others(haste: Haste) {
    // On Linux every thread has a priority of its own.
    #[cfg(target_os = "linux")]
    if let Err(err) = rustix::process::nice(haste.nice()) {
        tracing::warn!(error = %err, "lowering the priority of a thread failed");
    }
}
