//! A line between browsers and a server, or between a server and its database, which can be as bad as any.

use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

/// How the line is now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It is well.
    None,
    /// Nobody gets through, and open connections are cut off.
    Cut,
    /// What is asked arrives; the answer breaks off before its first byte.
    NoAnswers,
    /// Something on the way says that the server is busy.
    Busy,
    /// Nothing arrives any more over the connections that there are, and nobody is told.
    Asleep,
}

/// A port of its own, behind which a server is.
pub struct Line {
    address: SocketAddr,
    ends: Arc<Mutex<Ends>>,
}

struct Ends {
    fault: Fault,
    open: Vec<Connection>,
}

#[derive(Clone)]
struct Connection {
    client: Arc<TcpStream>,
    server: Arc<TcpStream>,
    is_asleep: Arc<Mutex<bool>>,
}

/// Where a line leads to.
#[derive(Clone, Debug)]
pub(crate) enum End {
    Port(SocketAddr),
    Socket(PathBuf),
}

impl End {
    fn connect(&self) -> io::Result<TcpStream> {
        match self {
            End::Port(address) => TcpStream::connect(address),
            // Reading, writing and shutting down are the same for both kinds.
            End::Socket(path) => UnixStream::connect(path).map(|it| OwnedFd::from(it).into()),
        }
    }
}

const BUSY: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

impl Line {
    /// To the server at this address.
    ///
    /// # Panics
    /// When no port is free.
    pub fn to(url: &str) -> Self {
        let server = url.trim_start_matches("http://").parse().expect("a server says its address");
        Self::to_end(End::Port(server))
    }

    /// To the database whose socket this is.
    pub fn to_socket(path: PathBuf) -> Self {
        Self::to_end(End::Socket(path))
    }

    pub(crate) fn to_end(server: End) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let address = listener.local_addr().expect("it is bound");
        let ends = Arc::new(Mutex::new(Ends { fault: Fault::None, open: Vec::new() }));
        let shared = ends.clone();
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                connect(client, &server, &shared);
            }
        });
        Line { address, ends }
    }

    /// Where browsers find the server.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Its own end.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// From now on it is like this.
    pub fn suffers(&self, fault: Fault) {
        let mut ends = lock(&self.ends);
        ends.fault = fault;
        match fault {
            Fault::Cut | Fault::Busy => ends.open.drain(..).for_each(|connection| connection.end()),
            Fault::Asleep => ends.open.iter().for_each(|it| *lock(&it.is_asleep) = true),
            Fault::None | Fault::NoAnswers => {}
        }
    }
}

impl Connection {
    fn end(&self) {
        // It may be over already.
        self.client.shutdown(Shutdown::Both).ok();
        self.server.shutdown(Shutdown::Both).ok();
    }
}

fn lock<T>(it: &Mutex<T>) -> MutexGuard<'_, T> {
    it.lock().unwrap_or_else(PoisonError::into_inner)
}

fn connect(mut client: TcpStream, server: &End, ends: &Arc<Mutex<Ends>>) {
    let mut all = lock(ends);
    match all.fault {
        Fault::Cut => return,
        Fault::Busy => {
            // Read first: a connection that is closed with something unread is reset.
            drop(all);
            thread::spawn(move || {
                if client.read(&mut [0; 65536]).is_ok_and(|count| count > 0) {
                    client.write_all(BUSY).ok();
                }
            });
            return;
        }
        Fault::None | Fault::NoAnswers | Fault::Asleep => {}
    }
    // A server that has been killed lets nobody in.
    let Ok(server) = server.connect() else { return };
    let connection =
        Connection { client: Arc::new(client), server: Arc::new(server), is_asleep: Arc::new(Mutex::new(false)) };
    all.open.push(connection.clone());
    drop(all);
    for is_answer in [false, true] {
        let (connection, ends) = (connection.clone(), ends.clone());
        thread::spawn(move || {
            carry(&connection, is_answer, &ends);
            connection.end();
        });
    }
}

fn carry(connection: &Connection, is_answer: bool, ends: &Mutex<Ends>) {
    let Connection { client, server, is_asleep } = connection;
    let (mut from, mut to) = if is_answer { (&**server, &**client) } else { (&**client, &**server) };
    let mut bytes = [0; 16384];
    while let Ok(count) = from.read(&mut bytes) {
        if count == 0 || is_answer && lock(ends).fault == Fault::NoAnswers {
            return;
        }
        if !*lock(is_asleep) && to.write_all(&bytes[..count]).is_err() {
            return;
        }
    }
}
