//! Who is one person over the events of a season. An account is one; guests of one name are one, unless two of that name played in
//! one event; and staff say otherwise of single accounts.

use std::collections::{BTreeMap, BTreeSet};

use super::store::Account;
use base::ids::PlayerId;
use base::names;

/// The accounts of a season, put together as people.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct People {
    accounts: BTreeMap<PlayerId, Account>,
    /// The account by which each one is known.
    of: BTreeMap<PlayerId, PlayerId>,
}

/// What staff said: the account of the same person; itself if it is somebody else than those of its name.
pub type Said = BTreeMap<PlayerId, PlayerId>;

impl People {
    /// Of these accounts, which played together in these events.
    pub fn new(accounts: Vec<Account>, events: &[Vec<PlayerId>], said: &Said) -> Self {
        let accounts: BTreeMap<PlayerId, Account> = accounts.into_iter().map(|it| (it.id, it)).collect();
        let mut groups = Groups(accounts.keys().map(|id| (*id, *id)).collect());
        for (one, other) in said {
            groups.join(*one, *other);
        }
        for alike in alike(&accounts, events, said) {
            alike.windows(2).for_each(|pair| groups.join(pair[0], pair[1]));
        }
        let mut members: BTreeMap<PlayerId, Vec<&Account>> = BTreeMap::new();
        for account in accounts.values() {
            members.entry(groups.root(account.id)).or_default().push(account);
        }
        let known_by = |of: &[&Account]| of.iter().min_by_key(|it| (it.deleted, !it.registered, it.id)).map(|it| it.id);
        let mut of = BTreeMap::new();
        for accounts in members.values() {
            let Some(known) = known_by(accounts) else { continue };
            of.extend(accounts.iter().map(|it| (it.id, known)));
        }
        Self { accounts, of }
    }

    /// The account by which this one is known.
    pub fn person_of(&self, account: PlayerId) -> Option<PlayerId> {
        self.of.get(&account).copied()
    }

    /// Each person once, by the account by which they are known.
    pub fn all(&self) -> BTreeSet<PlayerId> {
        self.of.values().copied().collect()
    }

    /// The accounts of a person, the one by which they are known first.
    pub fn accounts_of(&self, person: PlayerId) -> Vec<&Account> {
        let theirs = self.of.iter().filter(|(_, known)| **known == person).filter_map(|(id, _)| self.accounts.get(id));
        let mut theirs: Vec<&Account> = theirs.collect();
        theirs.sort_by_key(|it| (it.id != person, it.id));
        theirs
    }

    pub fn account(&self, id: PlayerId) -> Option<&Account> {
        self.accounts.get(&id)
    }
}

/// Guests of one name of whom nobody said anything, and of whom no two played in one event.
fn alike(accounts: &BTreeMap<PlayerId, Account>, events: &[Vec<PlayerId>], said: &Said) -> Vec<Vec<PlayerId>> {
    let is_guest = |it: &&Account| !it.registered && !it.deleted && !said.contains_key(&it.id);
    let mut by_name: BTreeMap<String, Vec<PlayerId>> = BTreeMap::new();
    for account in accounts.values().filter(is_guest) {
        let folded = names::fold(&account.name);
        // A name of nothing but marks is told apart by them.
        let key = if folded.is_empty() { account.name.to_lowercase() } else { folded };
        by_name.entry(key).or_default().push(account.id);
    }
    let names: BTreeMap<PlayerId, &str> =
        by_name.iter().flat_map(|(name, ids)| ids.iter().map(|id| (*id, name.as_str()))).collect();
    let mut met: BTreeSet<&str> = BTreeSet::new();
    for event in events {
        let mut here = BTreeSet::new();
        met.extend(event.iter().filter_map(|id| names.get(id)).filter(|name| !here.insert(**name)));
    }
    by_name
        .iter()
        .filter(|(name, ids)| ids.len() > 1 && !met.contains(name.as_str()))
        .map(|(_, ids)| ids.clone())
        .collect()
}

/// Accounts that are joined: each leads to another one of its group, or to itself.
struct Groups(BTreeMap<PlayerId, PlayerId>);

impl Groups {
    fn root(&self, mut id: PlayerId) -> PlayerId {
        while let Some(next) = self.0.get(&id).filter(|next| **next != id) {
            id = *next;
        }
        id
    }

    fn join(&mut self, one: PlayerId, other: PlayerId) {
        let (one, other) = (self.root(one), self.root(other));
        // The lower stays, so that no circle is made.
        self.0.insert(one.max(other), one.min(other));
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn id(number: u128) -> PlayerId {
        PlayerId(Uuid::from_u128(number))
    }

    fn guest(number: u128, name: &str) -> Account {
        Account { id: id(number), name: name.to_owned(), registered: false, deleted: false }
    }

    fn people(accounts: &[Account], events: &[&[u128]], said: &[(u128, u128)]) -> Vec<u128> {
        let events: Vec<Vec<PlayerId>> = events.iter().map(|it| it.iter().map(|it| id(*it)).collect()).collect();
        let said = said.iter().map(|(one, other)| (id(*one), id(*other))).collect();
        let people = People::new(accounts.to_vec(), &events, &said);
        accounts.iter().map(|it| people.person_of(it.id).unwrap().0.as_u128()).collect()
    }

    #[test]
    fn guests_of_one_name_are_one_person_and_accounts_are_not() {
        let registered = Account { registered: true, ..guest(3, "민아") };
        let gone = Account { deleted: true, ..guest(4, "민아") };
        let all = [guest(1, "민 아"), guest(2, "민아"), registered, gone, guest(5, "Édith"), guest(6, "edith")];
        assert_eq!(people(&all, &[], &[]), [1, 1, 3, 4, 5, 5]);
    }

    #[test]
    fn guests_of_one_name_who_played_in_one_event_are_told_apart() {
        let all = [guest(1, "민아"), guest(2, "민아"), guest(3, "민아"), guest(4, "준")];
        assert_eq!(people(&all, &[&[1, 4], &[2, 3, 4]], &[]), [1, 2, 3, 4]);
    }

    #[test]
    fn staff_join_accounts_and_take_them_apart() {
        let registered = Account { registered: true, ..guest(9, "김민아") };
        let all = [guest(1, "민아"), guest(2, "민아"), guest(3, "민아"), registered];
        // The one of whom nothing was said is still of the name that the joined one had.
        assert_eq!(people(&all, &[], &[(1, 9)]), [9, 2, 2, 9]);
        assert_eq!(people(&all, &[], &[(3, 3)]), [1, 1, 3, 9]);
        assert_eq!(people(&all, &[], &[(9, 1)]), [9, 9, 9, 9], "and what is joined to one of a name is joined to all");
        assert_eq!(people(&all, &[], &[(1, 2), (2, 1)]), [1, 1, 3, 9], "a circle is no trap");
    }

    #[test]
    fn a_person_is_known_by_an_account_that_is_there() {
        let gone = Account { deleted: true, ..guest(1, "#") };
        assert_eq!(people(&[gone, guest(2, "준")], &[], &[(1, 2)]), [2, 2]);
    }
}
