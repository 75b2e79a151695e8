//! `GET /api/v1/matches/{id}/replay`: a match as it was at any of its versions, through one's own eyes while it runs and
//! through anybody's after the end.

#![expect(unused_qualifications, reason = "utoipa writes them for `params(…)`")]

use crate::matches::answers::FrameAnswer;
use std::fmt;
use std::str::FromStr;

use actix_web::get;
use actix_web::web::{Data, Json as JsonBody};
use diesel_async::AsyncPgConnection;
use engine::{Json, Seat, Viewer};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::{IntoParams, ToSchema};

use super::EventFrame;
use super::narrator::Narrator;
use base::db::Db;
use base::error::{conflict, invalid_query, not_found};
use base::games::guarded;
use base::games::shapes::GameView;
use base::text::Lang;
use play::matches::feed::Frame;
use play::matches::{MatchId, MatchRow, Snapshot, replay};
use web_base::error::{ApiError, ApiResult};
use web_base::extract::{Path, Player, Search};

/// Through whose eyes somebody looks: `public`, a seat's number, or `omniscient` for all of them at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Perspective {
    Of(Viewer),
    Omniscient,
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct ReplayQuery {
    /// The latest that the caller may know of if left out.
    #[param(minimum = 0)]
    version: Option<i32>,
    /// `public`, a seat's number or `omniscient`; the caller's own eyes if left out, anybody's once the match is over.
    #[serde(rename = "as")]
    #[param(value_type = Option<String>)]
    perspective: Option<Perspective>,
    /// Also say each event as a sentence in this language.
    text: Option<Lang>,
}

/// A match at one version.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = MatchReplay)]
pub(super) struct Replay {
    match_id: MatchId,
    /// The latest that may be asked for.
    last_version: i32,
    /// Whose view this is: `public`, a seat's number, or `omniscient`.
    #[serde(rename = "as")]
    #[schema(value_type = Value, example = "public")]
    perspective: Perspective,
    /// What this version told.
    #[serde(flatten)]
    frame: EventFrame,
    /// With `omniscient`, the public's.
    #[schema(value_type = GameView)]
    view: Json,
    /// With `omniscient` every seat's view.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<GameView>>)]
    seat_views: Option<Vec<Json>>,
}

/// The match as it was when this version had been made.
#[utoipa::path(
    tag = "matches",
    params(("id" = MatchId, Path), ReplayQuery),
    responses((status = 200, body = Replay))
)]
#[get("/matches/{id}/replay")]
pub async fn replay_match(
    db: Data<Db>,
    Player(player): Player,
    Path(id): Path<MatchId>,
    Search(query): Search<ReplayQuery>,
) -> ApiResult<JsonBody<Replay>> {
    let read = async |conn: &mut AsyncPgConnection| {
        let snapshot = Snapshot::read(conn, id).await?;
        let access = snapshot.access(conn, &player).await?;
        let perspective = Perspective::allowed(query.perspective, access.viewer(), &snapshot.row)?;
        snapshot.row.refuse_unplayed()?;
        let last_version = access.last_version(snapshot.row.version).ok_or_else(|| conflict("not_shown_yet"))?;
        let version = query.version.unwrap_or(last_version);
        if version < 0 {
            return Err(invalid_query("version", "out_of_range").into());
        }
        if version > last_version {
            return Err(not_found("version_not_found").into());
        }
        let log = replay::read_log(conn, id, version).await?;
        ApiResult::Ok((snapshot, perspective, last_version, log))
    };
    let is_over = |(snapshot, ..): &(Snapshot, _, _, _)| snapshot.row.status.is_over();
    let (snapshot, perspective, last_version, log) = db.read_if(is_over, read).await?;
    let narrator = query.text.map(|lang| Narrator::of(&snapshot, lang));
    let row = snapshot.row;
    let play = replay::replay(&row, &log)?;
    let frame = Frame::of(log.last().ok_or_else(replay::broken)?)?.through(perspective);
    let view = |viewer| guarded(|| play.view(viewer));
    let seat_views = match perspective {
        Perspective::Of(_) => None,
        Perspective::Omniscient => {
            Some(row.seats().map(|seat| view(Viewer::Seat(seat))).collect::<base::error::Result<_>>()?)
        }
    };
    Ok(JsonBody(Replay {
        match_id: id,
        last_version,
        perspective,
        frame: Narrator::told(narrator.as_ref(), frame),
        view: view(perspective.viewer())?,
        seat_views,
    }))
}

impl Perspective {
    /// The eyes that this viewer may look through: their own and the public's always, anybody's after the end.
    pub(super) fn allowed(wanted: Option<Self>, viewer: Viewer, row: &MatchRow) -> ApiResult<Self> {
        let perspective = wanted.unwrap_or(Self::Of(viewer));
        let is_own = match perspective {
            Self::Of(Viewer::Public) => true,
            Self::Of(seat) => seat == viewer,
            Self::Omniscient => false,
        };
        match perspective {
            Self::Of(Viewer::Seat(seat)) if row.seats().all(|it| it != seat) => {
                Err(invalid_query("as", "out_of_range").into())
            }
            _ if is_own || row.status.is_over() => Ok(perspective),
            _ => Err(conflict("match_not_over").into()),
        }
    }

    /// Whose view comes first.
    fn viewer(self) -> Viewer {
        match self {
            Self::Of(viewer) => viewer,
            Self::Omniscient => Viewer::Public,
        }
    }
}

impl FromStr for Perspective {
    type Err = ApiError;

    fn from_str(word: &str) -> ApiResult<Self> {
        match word {
            "public" => Ok(Self::Of(Viewer::Public)),
            "omniscient" => Ok(Self::Omniscient),
            seat => Ok(seat
                .parse()
                .map(|seat| Self::Of(Viewer::Seat(Seat(seat))))
                .map_err(|_| invalid_query("as", "unknown_value"))?),
        }
    }
}

impl<'de> Deserialize<'de> for Perspective {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl fmt::Display for Perspective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Of(Viewer::Public) => f.write_str("public"),
            Self::Of(Viewer::Seat(seat)) => seat.0.fmt(f),
            Self::Omniscient => f.write_str("omniscient"),
        }
    }
}

impl Serialize for Perspective {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Of(Viewer::Seat(seat)) => seat.serialize(serializer),
            Self::Of(Viewer::Public) | Self::Omniscient => serializer.collect_str(self),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eyes_are_a_word_or_the_number_of_a_seat() {
        let perspective = |word: &str| word.parse::<Perspective>().ok();
        assert_eq!(perspective("public"), Some(Perspective::Of(Viewer::Public)));
        assert_eq!(perspective("3"), Some(Perspective::Of(Viewer::Seat(Seat(3)))));
        assert_eq!(perspective("omniscient"), Some(Perspective::Omniscient));
        for word in ["", "seat", "-1", "256", "1.0"] {
            assert_eq!(perspective(word), None, "{word}");
        }
    }
}
