//! Which `Idempotency-Key`s were used of late, and the sealed answers to them. The middleware is `web::idempotency`.

pub mod store;
