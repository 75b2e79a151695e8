//! How the waiting list is told in words.

use std::borrow::Borrow;

use cafe::waiting::outlook::{Ahead, QueueEntry};
use cafe::waiting::{Span, Told, WaitingId};
use web_base::page::Page;

/// What pages say of the parties that wait.
pub(crate) trait WaitingWords: AsRef<Page> {
    /// How long a party still waits, as far as anybody can tell.
    fn wait(&self, wait: &Option<Span>) -> String {
        let page = self.as_ref();
        match wait.map(Span::told) {
            None => page.t("waiting-no-estimate"),
            Some(Told::Now) => page.t("waiting-now"),
            Some(Told::About(minutes)) => page.say("waiting-about").with("minutes", minutes).to_string(),
            Some(Told::Between(least, most)) => {
                page.say("waiting-between").with("least", least).with("most", most).to_string()
            }
            Some(Told::MoreThan(least)) => page.say("waiting-more-than").with("least", least).to_string(),
        }
    }

    /// The tables that a party fits, and when they are free.
    fn fitting(&self, party: &QueueEntry) -> String {
        let page = self.as_ref();
        let named = |it: &Ahead| match it.is_free() {
            true => it.name.clone(),
            false => {
                page.say("waiting-table-later").with("table", &it.name).with("wait", self.wait(&it.free)).to_string()
            }
        };
        match party.fits.as_slice() {
            [] => page.t("waiting-fits-none"),
            fits => fits.iter().map(named).collect::<Vec<_>>().join(", "),
        }
    }

    fn waiting_path(&self, id: &WaitingId, what: &str) -> String {
        format!("/admin/waiting/{id}/{what}")
    }

    /// What a screen shows of a name: so much that its owner knows it.
    fn shortened(&self, name: impl Borrow<Option<String>>) -> String {
        let first = name.borrow().as_deref().and_then(|name| name.chars().next());
        first.map(|first| format!("{first}**")).unwrap_or_default()
    }
}

impl WaitingWords for Page {}

#[cfg(test)]
mod tests {
    use super::*;
    use base::text::Lang;

    #[test]
    fn a_wait_is_told_as_exactly_as_it_is_known() {
        let page = Page::sample(Lang::En);
        let told = |least, most| page.wait(&Some(Span { least, most }));
        assert_eq!(told(0, 0), "any moment now");
        assert_eq!(told(22, 28), "about 25 minutes");
        assert_eq!(told(12, 58), "10 to 60 minutes");
        assert_eq!(told(90, 300), "more than 90 minutes");
        assert_eq!(page.wait(&None), "no estimate yet");
    }

    #[test]
    fn a_screen_shows_no_whole_name() {
        let page = Page::sample(Lang::Ko);
        assert_eq!(page.shortened(Some("하늘".to_owned())), "하**");
        assert_eq!(page.shortened(None::<String>), "");
    }
}
