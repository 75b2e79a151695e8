//! Looking back: which version of a match is shown, through whose eyes, and the links to the others.

use engine::{Audience, Match, Seat, Viewer};
use jiff::Timestamp;
use serde_json::{Value, from_str};

use crate::games::words::Words;
use crate::matches::replay::Perspective;
use base::error::{bad_request, internal, not_found};
use base::games::guarded;
use base::games::resume;
use play::matches::feed::Frame;
use play::matches::{LogRow, MadeBy, MatchId, MatchRow, replay};
use web_base::error::ApiResult;
use web_base::page::Page;

/// Where the page stands in a match that has started.
pub(super) struct Moment {
    id: MatchId,
    /// None at the latest version, whatever it will be.
    version: Option<i32>,
    pub last: i32,
    /// As asked for; none for what is usual.
    wanted: Option<Perspective>,
    pub perspective: Perspective,
}

/// One set of eyes to look through, as a link.
pub(super) struct Look {
    pub name: String,
    pub href: String,
    pub is_current: bool,
}

/// What was told of one thing that happened.
pub(super) struct Line {
    pub version: i32,
    pub href: String,
    pub at: Timestamp,
    pub text: String,
    pub is_mark: bool,
    /// Whom alone it was told.
    pub told_to: Option<String>,
    /// Who moved in place of the player.
    pub made_by: Option<MadeBy>,
}

impl Moment {
    /// Of what nobody may see these eyes give nothing: then it is the public's that look.
    pub(super) fn of(
        row: &MatchRow,
        wanted: Option<Perspective>,
        version: Option<i32>,
        sees_all: bool,
    ) -> ApiResult<Self> {
        if let Some(Perspective::Of(Viewer::Seat(seat))) = wanted
            && row.seats().all(|it| it != seat)
        {
            return Err(bad_request("invalid_query").into());
        }
        if version.is_some_and(|version| !(0..=row.version).contains(&version)) {
            return Err(not_found("version_not_found").into());
        }
        let usual =
            if sees_all && !row.status.is_over() { Perspective::Omniscient } else { Perspective::Of(Viewer::Public) };
        let wanted = wanted.filter(|_| sees_all);
        let perspective = wanted.unwrap_or(usual);
        Ok(Self { id: row.id, version, last: row.version, wanted, perspective })
    }

    pub(super) fn version(&self) -> i32 {
        self.version.unwrap_or(self.last)
    }

    pub(super) fn is_past(&self) -> bool {
        self.version.is_some()
    }

    /// The match at this moment; none where it is played by rules that are no longer here.
    /// From its state, or from the log up to a version that is past.
    pub(super) fn play(&self, row: &MatchRow, state: &[u8], log: &[LogRow]) -> ApiResult<Option<Box<dyn Match>>> {
        let play = match self.version {
            Some(version) if version < self.last => replay::replay(row, log),
            _ => resume(&row.game, row.revision, state),
        };
        match play {
            Ok(play) => Ok(Some(play)),
            Err(err) if err.code() == "other_revision" => Ok(None),
            Err(err) => Err(err.into()),
        }
    }

    /// What everybody sees, and what those see through whose eyes one looks.
    pub(super) fn views(&self, row: &MatchRow, play: &dyn Match) -> ApiResult<(Value, Vec<(usize, Value)>)> {
        let view = |viewer| -> ApiResult<Value> {
            let view = guarded(|| play.view(viewer))?;
            Ok(from_str(view.get()).map_err(internal)?)
        };
        let own = |seat: Seat| Ok((usize::from(seat.0), view(Viewer::Seat(seat))?));
        let own = match self.perspective {
            Perspective::Of(Viewer::Public) => Vec::new(),
            Perspective::Of(Viewer::Seat(seat)) => vec![own(seat)?],
            Perspective::Omniscient => row.seats().map(own).collect::<ApiResult<_>>()?,
        };
        Ok((view(Viewer::Public)?, own))
    }

    /// The lines of the log that these eyes may read, the latest first.
    pub(super) fn lines(
        &self,
        log: &[LogRow],
        words: &Words<'_>,
        names: &[String],
        bots: &[i16],
    ) -> ApiResult<Vec<Line>> {
        let mut lines = Vec::new();
        for row in log.iter().filter(|row| row.version <= self.version()) {
            let frame = Frame::of(row)?;
            let events = frame.events.iter().filter(|it| match self.perspective {
                Perspective::Of(viewer) => it.to.includes(viewer),
                // What those are told who may know less says nothing more.
                Perspective::Omniscient => !matches!(it.to, Audience::Except(_)),
            });
            let first = lines.len();
            for it in events {
                let (text, is_mark) = words.event(&it.event);
                let alone = match it.to {
                    Audience::Only(seat) => names.get(usize::from(seat.0)).cloned(),
                    Audience::Everyone | Audience::Except(_) => None,
                };
                let href = self.at(row.version);
                lines.push(Line {
                    version: row.version,
                    href,
                    at: row.at,
                    text,
                    is_mark,
                    told_to: alone,
                    made_by: None,
                });
            }
            let made_by = row.seat.filter(|seat| !bots.contains(seat)).map(|_| row.made_by);
            let made_by = made_by.filter(|it| *it != MadeBy::Player);
            lines.iter_mut().skip(first).take(1).for_each(|line| line.made_by = made_by);
        }
        lines.reverse();
        Ok(lines)
    }

    /// Where something new begins in all of the log, the first first.
    pub(super) fn rounds(&self, log: &[LogRow], words: &Words<'_>, names: &[String]) -> ApiResult<Vec<Line>> {
        let whole = Self { version: None, ..*self };
        let mut lines = whole.lines(log, words, names, &[])?;
        lines.retain(|line| line.is_mark);
        lines.reverse();
        Ok(lines)
    }

    /// Through whose eyes one looks, if that was asked for.
    pub(super) fn eyes(&self) -> Option<String> {
        self.wanted.map(|perspective| perspective.to_string())
    }

    pub(super) fn looks(&self, page: &Page, names: &[String]) -> Vec<Look> {
        let seats = names.iter().zip(0..).map(|(name, seat)| (name.clone(), Perspective::Of(Viewer::Seat(Seat(seat)))));
        let all =
            [(page.t("eyes-public"), Perspective::Of(Viewer::Public)), (page.t("eyes-all"), Perspective::Omniscient)];
        let look = |(name, perspective)| Look {
            name,
            href: self.link(Some(perspective), self.version),
            is_current: perspective == self.perspective,
        };
        all.into_iter().chain(seats).map(look).collect()
    }

    /// The same page at another version.
    pub(super) fn at(&self, version: i32) -> String {
        self.link(self.wanted, Some(version))
    }

    /// The version before this one.
    pub(super) fn before(&self) -> Option<String> {
        Some(self.version() - 1).filter(|version| *version >= 0).map(|version| self.at(version))
    }

    pub(super) fn after(&self) -> Option<String> {
        Some(self.version() + 1).filter(|version| *version <= self.last).map(|version| self.at(version))
    }

    /// The match as it is.
    pub(super) fn now(&self) -> String {
        self.link(self.wanted, None)
    }

    fn link(&self, perspective: Option<Perspective>, version: Option<i32>) -> String {
        let perspective = perspective.map(|perspective| format!("as={perspective}"));
        let version = version.map(|version| format!("version={version}"));
        let query: Vec<_> = [perspective, version].into_iter().flatten().collect();
        let mark = if query.is_empty() { "" } else { "?" };
        format!("/admin/matches/{}{mark}{}", self.id, query.join("&"))
    }
}
