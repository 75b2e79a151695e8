//! Whether anybody has tampered with the log. Each link's hash covers the link before it and its line's content; the
//! database makes them as lines are committed, and here they are made again. `docs/security.md` says how to do so elsewhere.

use std::sync::{Arc, Mutex};

use diesel_async::AsyncPgConnection;
use sha2::{Digest, Sha256};

use super::store::{self, Link};
use crate::error::Result;

const LINKS_AT_ONCE: i64 = 2000;

/// What a check found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// How many links are whole, from where the check began.
    pub links: i64,
    /// The hash of the last of them. A copy of it kept elsewhere shows later whether the end was cut off.
    pub head: [u8; 32],
    pub finding: Finding,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    Whole,
    /// The first link that does not fit.
    BrokenAt(i64),
    /// Lines that are in no chain.
    Loose(i64),
    /// It fits together, but this link was noted with another hash, or is gone: the log was written again, or its end cut off.
    NotAsNoted(i64),
}

/// A link, which by its hash stands for all before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    pub n: i64,
    pub hash: [u8; 32],
}

/// The newest link that this server has seen, which it remembers outside the database.
#[derive(Clone, Default)]
pub struct NotedHead(Arc<Mutex<Option<Head>>>);

impl NotedHead {
    pub fn get(&self) -> Option<Head> {
        self.0.lock().ok().and_then(|noted| *noted)
    }

    pub fn set(&self, head: Head) {
        if let Ok(mut noted) = self.0.lock() {
            *noted = Some(head);
        }
    }
}

impl Check {
    pub fn is_whole(&self) -> bool {
        self.finding == Finding::Whole
    }

    fn new(head: [u8; 32]) -> Self {
        Self { links: 0, head, finding: Finding::Whole }
    }

    /// Takes the next link in, if it fits.
    fn add(&mut self, n: i64, link: &Link) -> bool {
        let fits = link.n == n
            && link.previous == self.head
            && link.content.as_deref().map(|content| hash(&self.head, content)).is_some_and(|made| link.hash == made);
        if fits {
            self.links += 1;
            self.head = hash(&self.head, link.content.as_deref().unwrap_or_default());
        } else {
            self.finding = Finding::BrokenAt(n);
        }
        fits
    }
}

/// All of it, from the first line.
pub async fn check(conn: &mut AsyncPgConnection, noted: Option<Head>) -> Result<Check> {
    let mut check = check_links(conn).await?;
    if check.is_whole() {
        let loose = store::count_loose(conn).await?;
        if loose > 0 {
            check.finding = Finding::Loose(loose);
        }
    }
    compare(conn, check, noted).await
}

/// With what was noted, if nothing else was found.
async fn compare(conn: &mut AsyncPgConnection, mut check: Check, noted: Option<Head>) -> Result<Check> {
    if let Some(noted) = noted
        && check.is_whole()
        && !store::has_head(conn, &noted).await?
    {
        check.finding = Finding::NotAsNoted(noted.n);
    }
    Ok(check)
}

async fn check_links(conn: &mut AsyncPgConnection) -> Result<Check> {
    let mut check = Check::new([0; 32]);
    loop {
        let links = store::list_links(conn, check.links, LINKS_AT_ONCE).await?;
        for link in &links {
            if !check.add(check.links + 1, link) {
                return Ok(check);
            }
        }
        if (links.len() as i64) < LINKS_AT_ONCE {
            return Ok(check);
        }
    }
}

/// The last so many links, trusting what comes before them.
pub async fn check_end(conn: &mut AsyncPgConnection, most: i64, noted: Option<Head>) -> Result<Check> {
    let last = store::head(conn).await?.map_or(0, |head| head.n);
    let after = (last - most).max(0);
    let links = store::list_links(conn, after, most).await?;
    let first = links.first().and_then(|link| link.previous.as_slice().try_into().ok()).unwrap_or_default();
    let mut check = Check::new(first);
    for (link, n) in links.iter().zip(after + 1..) {
        if !check.add(n, link) {
            break;
        }
    }
    compare(conn, check, noted).await
}

fn hash(previous: &[u8; 32], content: &str) -> [u8; 32] {
    Sha256::new().chain_update(previous).chain_update(content).finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(n: i64, previous: [u8; 32], content: &str) -> Link {
        let content = Some(content.to_owned());
        let hash = hash(&previous, content.as_deref().unwrap()).to_vec();
        Link { n, previous: previous.to_vec(), hash, content }
    }

    #[test]
    fn a_link_fits_only_where_it_was_made() {
        let mut check = Check::new([0; 32]);
        let first = link(1, [0; 32], "one");
        let second = link(2, first.hash.clone().try_into().unwrap(), "two");
        assert!(check.add(1, &first));
        for bad in [
            Link { content: Some("tvo".to_owned()), ..second.clone() },
            Link { content: None, ..second.clone() },
            Link { n: 3, ..second.clone() },
            link(2, [0; 32], "two"),
        ] {
            let mut check = check.clone();
            assert!(!check.add(2, &bad));
            assert_eq!(check.finding, Finding::BrokenAt(2));
        }
        assert!(check.add(2, &second) && check.is_whole());
        assert_eq!((check.links, check.head.to_vec()), (2, second.hash));
    }
}
