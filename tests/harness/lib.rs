//! Everything an end-to-end test needs.
