//! The service as a test meets it: a database of its own, one process or more, and visitors.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::json;

use crate::cluster::Database;
use crate::pooler::Pooler;
use crate::server::{Launch, Server};
use crate::visitor::Visitor;

const SECRET: &str = "a secret for tests, thirty-two bytes and more";
const OWNER: (&str, &str) = ("owner@house-rules.test", "correct horse battery staple");

/// A running service.
pub struct TestApp {
    // In this order: the server goes before its database does.
    servers: Vec<Server>,
    launch: Launch,
    pooler: Option<Pooler>,
    database: Arc<Database>,
}

impl TestApp {
    /// One process on a fresh database, with an owner, no rate limits, the tests' secret, and no work that nobody asks for.
    pub fn start() -> Self {
        Self::start_with(|launch| launch)
    }

    /// The same with other settings.
    pub fn start_with(change: impl FnOnce(Launch) -> Launch) -> Self {
        Self::start_on(Database::new(), None, change)
    }

    /// The same on this database, which has something special about it.
    pub fn start_at(database: Database, change: impl FnOnce(Launch) -> Launch) -> Self {
        Self::start_on(database, None, change)
    }

    /// The same behind a pooler.
    pub fn start_behind_pooler() -> Self {
        let database = Database::new();
        // That of the run is not; here somebody asks.
        database.with(|client| {
            let durable = format!("ALTER DATABASE {} SET synchronous_commit = on", database.name());
            client.batch_execute(&durable).expect("the superuser may");
        });
        let (pooler, direct) = (Pooler::start(&database), database.url());
        let url = pooler.url();
        Self::start_on(database, Some(pooler), |launch| {
            launch.set("DATABASE_URL", url).set("HOUSERULES_DIRECT_URL", direct)
        })
    }

    fn start_on(database: Database, pooler: Option<Pooler>, change: impl FnOnce(Launch) -> Launch) -> Self {
        let database = Arc::new(database);
        let launch = Launch::new()
            .set("DATABASE_URL", database.url())
            .set("HOUSERULES_SECRET", SECRET)
            .set("HOUSERULES_OWNER_EMAIL", OWNER.0)
            .set("HOUSERULES_OWNER_PASSWORD", OWNER.1)
            .set("HOUSERULES_RATE_LIMITS", "off")
            .set("HOUSERULES_LAB_AHEAD", "off")
            .set("HOUSERULES_WORKERS", "1")
            .set("HOUSERULES_POOL_SIZE", "4");
        let launch = change(launch);
        TestApp { servers: vec![launch.start()], launch, pooler, database }
    }

    /// Starts another process on the same database: its number.
    pub fn start_another(&mut self) -> usize {
        self.servers.push(self.launch.start());
        self.servers.len() - 1
    }

    /// Kills the first process, if that has not been done, and has another take its place.
    pub fn kill_and_replace(&mut self) {
        self.servers[0].kill();
        self.servers[0] = self.launch.start();
    }

    /// Stops the first process, and starts another in its place with other settings.
    pub fn restart_with(&mut self, change: impl FnOnce(Launch) -> Launch) {
        self.servers[0].stop();
        self.launch = change(self.launch.clone());
        self.servers[0] = self.launch.start();
    }

    /// The first process.
    pub fn server(&mut self) -> &mut Server {
        self.server_number(0)
    }

    /// The process of this number.
    pub fn server_number(&mut self, number: usize) -> &mut Server {
        &mut self.servers[number]
    }

    /// Its database.
    pub fn database(&self) -> &Database {
        &self.database
    }

    /// The pooler that it is behind.
    ///
    /// # Panics
    /// When there is none.
    pub fn pooler(&mut self) -> &mut Pooler {
        self.pooler.as_mut().expect("it is behind one")
    }

    /// The data directory of its processes.
    pub fn data(&self) -> PathBuf {
        self.launch.folder().join("data")
    }

    /// The secret that it signs tokens with.
    pub fn secret(&self) -> &'static str {
        SECRET
    }

    /// The owner's email and password.
    pub fn owner_credentials(&self) -> (&'static str, &'static str) {
        OWNER
    }

    /// The address of the first process.
    pub fn url(&self) -> &str {
        self.servers[0].url()
    }

    /// The address of the process of this number.
    pub fn url_of(&self, number: usize) -> &str {
        self.servers[number].url()
    }

    /// Somebody who has not signed in.
    pub fn anybody(&self) -> Visitor {
        Visitor::new(self.url())
    }

    /// A guest of this name.
    pub async fn guest(&self, name: &str) -> Visitor {
        self.anybody().sign_in("/auth/guest", json!({ "display_name": name }), 201).await
    }

    /// The owner, signed in at the staff's pages.
    pub async fn owner_at_pages(&self) -> Visitor {
        let visitor = self.anybody();
        let answer = visitor.sign_in_at_page(OWNER).await;
        assert_eq!((answer.status, answer.header("location")), (303, "/admin"), "{}", answer.text());
        visitor
    }

    /// The owner, by the JSON API.
    pub async fn owner(&self) -> Visitor {
        self.anybody().sign_in("/auth/login", json!({ "email": OWNER.0, "password": OWNER.1 }), 200).await
    }
}
