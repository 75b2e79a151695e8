//! Which `Idempotency-Key`s were used of late, and the sealed answers to them. The middleware is `web_base::idempotency`.

pub mod store;
