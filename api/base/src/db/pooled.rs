//! A connection of a pool, which goes back there once it owes nobody an answer.

use std::ops::{Deref, DerefMut};

use diesel_async::pooled_connection::deadpool::Object;
use diesel_async::{AsyncPgConnection, SimpleAsyncConnection};
use tokio::runtime::Handle;

use super::connect::owes_answer;

pub struct Conn(Option<Object<AsyncPgConnection>>);

impl Conn {
    /// Closes it instead of giving it back.
    pub(super) fn discard(mut self) {
        if let Some(conn) = self.0.take() {
            drop(Object::take(conn));
        }
    }
}

impl From<Object<AsyncPgConnection>> for Conn {
    fn from(conn: Object<AsyncPgConnection>) -> Self {
        Self(Some(conn))
    }
}

impl Deref for Conn {
    type Target = AsyncPgConnection;

    fn deref(&self) -> &AsyncPgConnection {
        match &self.0 {
            Some(conn) => conn,
            None => unreachable!("it is only taken when it goes"),
        }
    }
}

impl DerefMut for Conn {
    fn deref_mut(&mut self) -> &mut AsyncPgConnection {
        match &mut self.0 {
            Some(conn) => conn,
            None => unreachable!("it is only taken when it goes"),
        }
    }
}

impl Drop for Conn {
    /// A request that is refused, or whose client leaves, may leave a query behind. In the pool its answer would pass for one
    /// that does not come, and the next request would have to wait for it: so it is waited for here.
    fn drop(&mut self) {
        let Some(mut conn) = self.0.take() else { return };
        if !owes_answer(&mut conn) {
            return;
        }
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(async move {
                // Answers come in the order of the questions.
                let _ = conn.batch_execute("SELECT 1").await;
            });
        }
    }
}
