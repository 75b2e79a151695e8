//! `/admin/players/{id}`: everything about one player, and what staff do about them.

use actix_web::http::StatusCode;
use actix_web::web::Data;
use actix_web::{HttpResponse, get, post};
use askama::Template;
use engine::ratings::Rating;
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;

use crate::audit::{self, Line};
use crate::db::{Conn, Db};
use crate::error::{ApiResult, FieldError, invalid_fields};
use crate::extract::{DisplayName, Path, Search, tidy_text};
use crate::ids::{PlayerId, SessionId};
use crate::live::Live;
use crate::matches::House;
use crate::page::{Desk, Flash, Form, Page};
use crate::players::{self, Ban, PlayerRow, Role};
use crate::ratings::{self, Graph};
use crate::sessions::{self, SessionRow};
use crate::settling::Moment;
use crate::staff::Deed;
use crate::tallies;
use crate::tallies::store::{EncounterRow, PlayedRow, StatsRow};
use crate::world::World;

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

crate::text_enum! {
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
    staff: Role,
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
pub(crate) async fn show_player(
    db: Data<Db>,
    world: Data<World>,
    Desk { page, staff }: Desk,
    Path(id): Path<PlayerId>,
    Search(search): Search<ShowSearch>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::SeePlayers)?;
    let mut conn = db.conn().await?;
    let shown = PlayerPage::read(&mut conn, &world, page, staff.role, id, &search).await?;
    if shown.player.id != id {
        return Ok(shown.page.go_to(&address(shown.player.id)));
    }
    shown.page.html(&shown)
}

#[post("/admin/players/{id}/name")]
pub(crate) async fn rename_player(
    (db, world, live): (Data<Db>, Data<World>, Data<Live>),
    Desk { page, staff }: Desk,
    Path(id): Path<PlayerId>,
    Form(form): Form<NameForm>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::KeepPlayers)?;
    let mut conn = db.conn().await?;
    match DisplayName::parse(&form.display_name) {
        Ok(name) => {
            players::rename_by_staff(&mut conn, &world, &live, &staff, (id, &name)).await?;
            Ok(page.go_with(&address(id), Flash::good("player-renamed", name.as_str())))
        }
        Err(wrong) => {
            let tried = Tried { name: Some((form.display_name, said(&page, wrong))), ..Tried::default() };
            PlayerPage::again(&mut conn, &world, page, staff.role, id, tried).await
        }
    }
}

#[post("/admin/players/{id}/ban")]
pub(crate) async fn ban_player(
    (db, world, live, house): (Data<Db>, Data<World>, Data<Live>, Data<House>),
    Desk { page, staff }: Desk,
    Path(id): Path<PlayerId>,
    Form(form): Form<BanForm>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::BanPlayers)?;
    let mut conn = db.conn().await?;
    match tidy_text(&form.reason, players::REASON_MAX) {
        Ok(reason) => {
            let ban = Ban { reason, until: form.length.end(world.now()) };
            players::ban(&mut conn, &world, (&live, &house), &staff, id, &ban).await?;
            Ok(page.go_with(&address(id), Flash::good("player-banned", "")))
        }
        Err(wrong) => {
            let tried = Tried { ban: Some((form, said(&page, wrong))), ..Tried::default() };
            PlayerPage::again(&mut conn, &world, page, staff.role, id, tried).await
        }
    }
}

#[post("/admin/players/{id}/lift-ban")]
pub(crate) async fn lift_ban(
    (db, world): (Data<Db>, Data<World>),
    Desk { page, staff }: Desk,
    Path(id): Path<PlayerId>,
    Form(()): Form<()>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::BanPlayers)?;
    players::lift_ban(&mut *db.conn().await?, &world, &staff, id).await?;
    Ok(page.go_with(&address(id), Flash::good("ban-lifted", "")))
}

#[post("/admin/players/{id}/sign-out")]
pub(crate) async fn sign_player_out(
    (db, world): (Data<Db>, Data<World>),
    Desk { page, staff }: Desk,
    Path(id): Path<PlayerId>,
    Form(form): Form<SignOutForm>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::KeepPlayers)?;
    players::sign_out_by_staff(&mut *db.conn().await?, &world, &staff, (id, form.session)).await?;
    Ok(page.go_with(&format!("{}#devices", address(id)), Flash::good("player-signed-out", "")))
}

pub(super) fn address(id: PlayerId) -> String {
    format!("/admin/players/{id}")
}

fn said(page: &Page, wrong: FieldError) -> String {
    let problem = invalid_fields(vec![wrong]).problem(page.lang);
    problem.errors.into_iter().next().map_or(problem.detail, |field| field.detail)
}

impl PlayerPage {
    /// Eight queries, whatever the player has played.
    async fn read(
        conn: &mut Conn,
        world: &World,
        page: Page,
        staff: Role,
        id: PlayerId,
        search: &ShowSearch,
    ) -> ApiResult<Self> {
        let player = players::find(conn, id).await?;
        let standings = ratings::store::list_of_player(conn, player.id).await?;
        let ratings: Vec<_> = standings.into_iter().map(|it| (it.scope.clone(), it.rating(), it.matches)).collect();
        let game = search.game.as_ref().filter(|game| ratings.iter().any(|it| it.0 == **game));
        let graph = match game.or(ratings.first().map(|it| &it.0)) {
            Some(game) => Some(Graph::read(conn, player.id, game).await?),
            None => None,
        };
        let before: Option<Moment> = search.before.as_deref().and_then(|before| before.parse().ok());
        let mut played = tallies::store::list_played(conn, player.id, None, before, MATCHES_SHOWN + 1).await?;
        let has_more = played.len() > MATCHES_SHOWN as usize;
        played.truncate(MATCHES_SHOWN as usize);
        let earlier = played.last().filter(|_| has_more).map(|row| row.moment().to_string());
        let devices = sessions::store::list_open(conn, player.id, world.now()).await?;
        let devices = devices.into_iter().map(|row| (sessions::device_name(&row, page.lang), row)).collect();
        Ok(Self {
            staff,
            ratings,
            graph,
            stats: tallies::store::list_stats(conn, player.id).await?,
            met: tallies::store::list_encounters(conn, player.id, None, None, OPPONENTS_SHOWN).await?,
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
    async fn again(
        conn: &mut Conn,
        world: &World,
        page: Page,
        staff: Role,
        id: PlayerId,
        tried: Tried,
    ) -> ApiResult<HttpResponse> {
        let mut shown = Self::read(conn, world, page, staff, id, &ShowSearch::default()).await?;
        shown.tried = tried;
        shown.page.html_as(StatusCode::UNPROCESSABLE_ENTITY, &shown)
    }

    fn may_keep(&self) -> bool {
        let stands = self.player.deleted_at.is_none();
        stands && self.staff.may(Deed::KeepPlayers)
    }

    fn may_ban(&self) -> bool {
        self.may_keep() && self.player.role == Role::Player && self.staff.may(Deed::BanPlayers)
    }

    fn may_merge(&self) -> bool {
        self.may_keep() && self.player.role == Role::Player && self.player.registered_at.is_none()
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
        let key = format!("action-{}", line.action.replace(['.', '_'], "-"));
        self.page.word_or(&key, &line.action)
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

impl StatsRow {
    /// How many places were taken, as `4 · 2 · 0 · 1`.
    fn places_text(&self, page: &Page) -> String {
        self.places.iter().map(|it| page.number(it)).collect::<Vec<_>>().join(" · ")
    }

    fn has_calls(&self) -> bool {
        self.calls_right + self.calls_wrong > 0
    }

    fn has_bluffs(&self) -> bool {
        self.bluffs_called + self.bluffs_uncalled > 0
    }

    /// What chance gave more than was to be expected, with its sign.
    fn luck_text(&self, page: &Page) -> Option<String> {
        (self.luck_expected > 0).then(|| {
            let more = self.luck_had as f64 - self.luck_expected as f64 / 100.0;
            page.number(format_args!("{more:+.1}"))
        })
    }
}

impl EncounterRow {
    fn level(&self) -> i64 {
        self.matches - self.ahead - self.behind
    }
}
