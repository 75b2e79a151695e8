//! `/admin/players/{id}`: everything about one player, and what staff do about them.

use actix_web::http::StatusCode;
use actix_web::web::Data;
use actix_web::{HttpResponse, get, post};
use askama::Template;
use engine::ratings::Rating;
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;

use crate::ratings::Graph;
use crate::ratings::admin::RatingWords;
use base::audit::{self, Line};
use base::auth::{Grant, Permission, Role, StaffContext, can};
use base::error::invalid_fields;
use base::ids::{PlayerId, SessionId};
use base::inputs::{DisplayName, tidy_text};
use cafe::accounts;
use cafe::player_stats;
use cafe::player_stats::store::{EncounterRow, PlayedRow, StatsRow};
use cafe::ratings;
use play::matches::store::Reader;
use play::matches::{Autopilot, Moment};
use play::players::{self, Ban, PlayerRow};
use play::sessions::{self, SessionRow};
use web_base::error::ApiResult;
use web_base::extract::{Path, Search};
use web_base::limits::{Budget, Writes};
use web_base::page::{BackForm, Flash, Form, Page, StaffPage};

const MATCHES_SHOWN: i64 = 10;
const OPPONENTS_SHOWN: i64 = 8;
const LINES_SHOWN: i64 = 12;

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ShowSearch {
    /// Whose ratings the graph shows.
    game: Option<String>,
    /// The matches before this one.
    before: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NameForm {
    display_name: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BanForm {
    reason: String,
    length: Length,
}

base::text_enum! {
    /// For how long somebody is banned.
    pub enum Length {
        Day = "day",
        Week = "week",
        Month = "month",
        Season = "season",
        /// As long as nobody lifts it.
        Lasting = "lasting",
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SignOutForm {
    /// Everywhere, if it is none.
    session: Option<SessionId>,
}

#[derive(Template)]
#[template(path = "admin/players/show.html")]
struct PlayerPage {
    page: Page,
    player: PlayerRow,
    /// By game where the player stands.
    ratings: Vec<(String, Rating, i32)>,
    graph: Option<Graph>,
    stats: Vec<StatsRow>,
    met: Vec<EncounterRow>,
    played: Vec<PlayedRow>,
    /// Where the next page of matches begins.
    earlier: Option<String>,
    devices: Vec<(String, SessionRow)>,
    lines: Vec<Line>,
    tried: Tried,
}

/// What was sent and not taken.
#[derive(Default)]
struct Tried {
    name: Option<(String, String)>,
    ban: Option<(BanForm, String)>,
}

#[get("/admin/players/{id}")]
pub async fn show_player(
    StaffPage { page, mut cx }: StaffPage<can::ViewPlayers>,
    Path(id): Path<PlayerId>,
    Search(search): Search<ShowSearch>,
) -> ApiResult<HttpResponse> {
    let view = PlayerPage::read(&mut cx, page, id, &search).await?;
    if view.player.id != id {
        return Ok(view.page.go_to(&address(view.player.id)));
    }
    view.page.html(&view)
}

#[post("/admin/players/{id}/name")]
pub async fn rename_player(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManagePlayers>,
    Path(id): Path<PlayerId>,
    Form(form): Form<NameForm>,
) -> ApiResult<HttpResponse> {
    match DisplayName::parse(&form.display_name) {
        Ok(name) => {
            accounts::rename_by_staff(&mut cx, id, &name).await?;
            Ok(page.go_with(&address(id), Flash::good("player-renamed", name.as_str())))
        }
        Err(wrong) => {
            let tried = Tried { name: Some((form.display_name, wrong.detail(page.lang))), ..Tried::default() };
            PlayerPage::again(&mut cx, page, id, tried).await
        }
    }
}

/// A name that nobody should read becomes a neutral one.
#[post("/admin/players/{id}/neutral-name")]
pub async fn reset_name(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManagePlayers>,
    Path(id): Path<PlayerId>,
    Form(form): Form<BackForm>,
) -> ApiResult<HttpResponse> {
    let name = page.say("neutral-name").with("tag", players::tag(id)).to_string();
    let name = DisplayName::parse(&name).map_err(|wrong| invalid_fields(vec![wrong]))?;
    let renamed = accounts::rename_by_staff(&mut cx, id, &name).await;
    let flash = Flash::after(renamed, |()| Flash::good("player-renamed", name.as_str()))?;
    Ok(page.go_with(form.path(), flash))
}

#[post("/admin/players/{id}/ban")]
pub async fn ban_player(
    _: Budget<Writes>,
    autopilot: Data<Autopilot>,
    StaffPage { page, mut cx }: StaffPage<can::BanPlayers>,
    Path(id): Path<PlayerId>,
    Form(form): Form<BanForm>,
) -> ApiResult<HttpResponse> {
    match tidy_text(&form.reason, players::ban::REASON_MAX) {
        Ok(reason) => {
            let ban = Ban { reason, until: form.length.end(cx.world.now()) };
            accounts::ban(&mut cx, &autopilot, id, &ban).await?;
            Ok(page.go_with(&address(id), Flash::good("player-banned", "")))
        }
        Err(wrong) => {
            let tried = Tried { ban: Some((form, wrong.detail(page.lang))), ..Tried::default() };
            PlayerPage::again(&mut cx, page, id, tried).await
        }
    }
}

#[post("/admin/players/{id}/lift-ban")]
pub async fn lift_ban(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::BanPlayers>,
    Path(id): Path<PlayerId>,
    Form(()): Form<()>,
) -> ApiResult<HttpResponse> {
    accounts::lift_ban(&mut cx, id).await?;
    Ok(page.go_with(&address(id), Flash::good("ban-lifted", "")))
}

#[post("/admin/players/{id}/sign-out")]
pub async fn sign_player_out(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManagePlayers>,
    Path(id): Path<PlayerId>,
    Form(form): Form<SignOutForm>,
) -> ApiResult<HttpResponse> {
    accounts::sign_out_by_staff(&mut cx, id, form.session).await?;
    Ok(page.go_with(&format!("{}#devices", address(id)), Flash::good("player-signed-out", "")))
}

pub(super) fn address(id: PlayerId) -> String {
    format!("/admin/players/{id}")
}

impl PlayerPage {
    /// Eight queries, whatever the player has played.
    async fn read<P: Grant>(
        cx: &mut StaffContext<'_, P>,
        page: Page,
        id: PlayerId,
        search: &ShowSearch,
    ) -> ApiResult<Self> {
        let conn = cx.conn().await?;
        let player = players::find(conn, id).await?;
        let standings = ratings::store::list_of_player(conn, player.id).await?;
        let ratings: Vec<_> = standings.into_iter().map(|it| (it.scope.clone(), it.rating(), it.matches)).collect();
        let game = search.game.as_ref().filter(|game| ratings.iter().any(|it| it.0 == **game));
        let graph = match game.or(ratings.first().map(|it| &it.0)) {
            Some(game) => Some(Graph::read(conn, player.id, game).await?),
            None => None,
        };
        let before: Option<Moment> = search.before.as_deref().and_then(|before| before.parse().ok());
        let mut played =
            player_stats::store::list_played(conn, player.id, None, before, (Reader::Staff, MATCHES_SHOWN + 1)).await?;
        let has_more = played.len() > MATCHES_SHOWN as usize;
        played.truncate(MATCHES_SHOWN as usize);
        let earlier = played.last().filter(|_| has_more).map(|row| row.moment().to_string());
        let devices = sessions::store::list_open(conn, player.id, page.now).await?;
        let devices = devices.into_iter().map(|row| (sessions::device_name(&row, page.lang), row)).collect();
        Ok(Self {
            ratings,
            graph,
            stats: player_stats::store::list_stats(conn, player.id).await?,
            met: player_stats::store::list_encounters(conn, player.id, None, None, (Reader::Staff, OPPONENTS_SHOWN))
                .await?,
            played,
            earlier,
            devices,
            lines: audit::list_of(conn, player.id, LINES_SHOWN).await?,
            tried: Tried::default(),
            player,
            page,
        })
    }

    /// The page with what was sent and why it was not taken.
    async fn again<P: Grant>(
        cx: &mut StaffContext<'_, P>,
        page: Page,
        id: PlayerId,
        tried: Tried,
    ) -> ApiResult<HttpResponse> {
        let mut view = Self::read(cx, page, id, &ShowSearch::default()).await?;
        view.tried = tried;
        view.page.html_as(StatusCode::UNPROCESSABLE_ENTITY, &view)
    }

    fn may_change(&self) -> bool {
        let stands = self.player.deleted_at.is_none();
        stands && self.page.may(&Permission::ManagePlayers)
    }

    fn may_ban(&self) -> bool {
        self.may_change() && self.player.role == Role::Player && self.page.may(&Permission::BanPlayers)
    }

    fn may_merge(&self) -> bool {
        self.may_change() && self.player.role == Role::Player && self.player.registered_at.is_none()
    }

    fn is_shown(&self, game: &str) -> bool {
        self.graph.as_ref().is_some_and(|graph| graph.game == game)
    }

    fn ban_reason(&self) -> &str {
        self.tried.ban.as_ref().map_or("", |(form, _)| form.reason.as_str())
    }

    fn lengths(&self) -> &'static [Length] {
        Length::ALL
    }

    fn ban_length(&self) -> Length {
        self.tried.ban.as_ref().map_or(Length::Day, |(form, _)| form.length)
    }

    fn reason<'a>(&self, line: &'a Line) -> Option<&'a str> {
        line.details["reason"].as_str()
    }

    fn action(&self, line: &Line) -> String {
        self.page.action(&line.action)
    }
}

impl Length {
    fn end(self, now: Timestamp) -> Option<Timestamp> {
        let days = match self {
            Self::Day => 1,
            Self::Week => 7,
            Self::Month => 30,
            Self::Season => 90,
            Self::Lasting => return None,
        };
        Some(now + SignedDuration::from_hours(24 * days))
    }

    fn key(self) -> &'static str {
        match self {
            Self::Day => "ban-day",
            Self::Week => "ban-week",
            Self::Month => "ban-month",
            Self::Season => "ban-season",
            Self::Lasting => "ban-lasting",
        }
    }
}

/// A player's statistics as a page tells them.
trait StatsWords {
    /// How many places were taken, as `4 · 2 · 0 · 1`.
    fn places_text(&self, page: &Page) -> String;
    fn has_calls(&self) -> bool;
    fn has_bluffs(&self) -> bool;
    /// What chance gave more than was to be expected, with its sign.
    fn luck_text(&self, page: &Page) -> Option<String>;
}

impl StatsWords for StatsRow {
    fn places_text(&self, page: &Page) -> String {
        self.places.iter().map(|it| page.number(it)).collect::<Vec<_>>().join(" · ")
    }

    fn has_calls(&self) -> bool {
        self.calls_right + self.calls_wrong > 0
    }

    fn has_bluffs(&self) -> bool {
        self.bluffs_called + self.bluffs_uncalled > 0
    }

    fn luck_text(&self, page: &Page) -> Option<String> {
        (self.luck_expected > 0).then(|| {
            let more = self.luck_had as f64 - self.luck_expected as f64 / 100.0;
            page.number(format_args!("{more:+.1}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use base::ids::MatchId;
    use cafe::player_stats::store::MatchStatsRow;
    use cafe::ratings::Why;
    use cafe::ratings::store::ChangeRow;
    use serde_json::json;
    use uuid::Uuid;

    use super::*;
    use web_base::page::samples;

    fn change(number: i32) -> ChangeRow {
        ChangeRow {
            scope: "perudo".to_owned(),
            player_id: samples::player_id(0),
            finished_at: Timestamp::UNIX_EPOCH,
            match_id: MatchId(Uuid::nil()),
            game: "perudo".to_owned(),
            month: "1970-01".to_owned(),
            mean_before: 25.0,
            deviation_before: 8.0,
            mean_after: 25.0 + f64::from(number),
            deviation_after: 7.0,
            why: [Why::Played, Why::LeftEarly, Why::LeftAlone, Why::TooOften][number.unsigned_abs() as usize % 4],
            place: 1,
            opponents: 2,
            beaten: 1.5,
            expected: 1.0,
            number,
            number_in_month: number,
        }
    }

    fn stats(game: &str) -> StatsRow {
        StatsRow {
            player_id: samples::player_id(0),
            game: game.to_owned(),
            matches: 12,
            wins: 4,
            places: vec![4, 5, 3],
            left_early: 1,
            calls_right: 7,
            calls_wrong: 3,
            bluffs_called: 2,
            bluffs_uncalled: 6,
            luck_had: 40,
            luck_expected: 3_812,
            streak: 2,
            best_streak: 3,
            last_at: Timestamp::UNIX_EPOCH,
            last_match: MatchId(Uuid::nil()),
        }
    }

    fn played(shift: bool) -> PlayedRow {
        let tally = MatchStatsRow {
            match_id: MatchId(Uuid::nil()),
            seat: 0,
            player_id: samples::player_id(0),
            game: "perudo".to_owned(),
            finished_at: Timestamp::UNIX_EPOCH,
            place: 1,
            seats: 3,
            left_early: !shift,
            calls_right: 1,
            calls_wrong: 0,
            bluffs_called: 0,
            bluffs_uncalled: 1,
            luck_had: 3,
            luck_expected: 250,
        };
        PlayedRow {
            tally,
            title: Some("카탄".to_owned()).filter(|_| !shift),
            before: shift.then_some((25.0, 8.0)),
            after: shift.then_some((26.0, 7.5)),
            why: shift.then_some(Why::Played),
        }
    }

    fn full(page: Page, player: PlayerRow) -> PlayerPage {
        let met = EncounterRow {
            opponent_id: samples::player_id(1),
            display_name: "준".to_owned(),
            deleted: false,
            matches: 5,
            ahead: 2,
            behind: 2,
        };
        let line = |action: &str| Line {
            at: Timestamp::UNIX_EPOCH,
            action: action.to_owned(),
            subject: "player".to_owned(),
            subject_id: None,
            details: json!({ "reason": "소란" }),
        };
        PlayerPage {
            ratings: vec![("perudo".to_owned(), Rating { mean: 25.0, deviation: 8.0 }, 12)],
            graph: Some(Graph::of("perudo".to_owned(), (1..=3).rev().map(change).collect())),
            stats: vec![stats("perudo"), stats("middle-race")],
            met: vec![met],
            played: vec![played(true), played(false)],
            earlier: Some("1.00000000-0000-0000-0000-000000000000".to_owned()),
            devices: vec![(sessions::device_name(&samples::session(), page.lang), samples::session())],
            lines: ["player.ban", "player.lift_ban", "player.rename"].map(line).into(),
            tried: Tried::default(),
            player,
            page,
        }
    }

    #[test]
    fn a_page_is_complete_for_each_kind_of_player() {
        let registered = samples::player("하늘", Role::Player);
        let guest = PlayerRow { registered_at: None, email: None, ..registered.clone() };
        let banned = PlayerRow {
            banned_at: Some(Timestamp::UNIX_EPOCH),
            ban_reason: Some("소란".to_owned()),
            ..registered.clone()
        };
        let gone = PlayerRow { deleted_at: Some(Timestamp::UNIX_EPOCH), email: None, ..registered.clone() };
        for player in [registered, guest, banned, gone, samples::player("민아", Role::Staff)] {
            samples::check(samples::STAFF, |page| full(page, player.clone()).render());
        }
    }

    #[test]
    fn a_page_is_complete_without_a_past_and_with_refused_forms() {
        samples::check(samples::STAFF, |page| {
            let (wrong, view) = (page.t("field-empty"), full(page, samples::player("하늘", Role::Player)));
            let ban = BanForm { reason: "소란".to_owned(), length: Length::Week };
            let tried = Tried { name: Some(("하".to_owned(), wrong.clone())), ban: Some((ban, wrong)) };
            PlayerPage {
                ratings: Vec::new(),
                graph: None,
                stats: Vec::new(),
                met: Vec::new(),
                played: Vec::new(),
                devices: Vec::new(),
                lines: Vec::new(),
                tried,
                ..view
            }
            .render()
        });
    }
}
