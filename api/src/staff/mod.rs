//! People who work here, and what each may do.

mod deeds;

pub use deeds::Deed;
