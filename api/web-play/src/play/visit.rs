//! Who asks for a match's page, and what they do there: every form comes back to the page, and what is refused stays on it with
//! its sentence.

use std::future::Future;
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::http::StatusCode;
use actix_web::web::Data;
use actix_web::{FromRequest, HttpRequest, HttpResponse};
use diesel_async::AsyncPgConnection;
use serde::Deserialize;

use super::view::{Look, PlayView};
use base::auth::Identity;
use base::codes::normal_code;
use base::db::{Conn, Db};
use base::error::{Result, conflict, forbidden, not_found};
use play::matches::{MatchId, store};
use web_base::config::Config;
use web_base::error::{ApiError, ApiResult};
use web_base::extract::{Companion, Path, Visitor, data};
use web_base::page::Page;
use web_base::public_url::base_url;

/// A request to the page of a match. The database is asked once its body has arrived: a slow phone holds no connection.
pub(crate) struct Visit {
    db: Data<Db>,
    page: Page,
    visitor: Option<Identity>,
    companion: Option<Identity>,
    code: String,
    base_url: String,
}

/// The match that is asked for, and the connection by which it is changed.
pub(super) struct Act {
    pub conn: Conn,
    pub page: Page,
    pub visitor: Option<Identity>,
    /// The other person who plays on this phone.
    pub companion: Option<Identity>,
    pub id: MatchId,
    /// Where the café is reached.
    pub base_url: String,
    pub asked: Asked,
}

/// What the address of the page says besides the match.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    /// `1` for a screen on the wall or in the middle of the table.
    pub screen: Option<u8>,
    /// `1` for one's own hand although it is the turn of the other person on this phone.
    pub mine: Option<u8>,
    /// Lets a friend into the party whose match it is.
    pub join: Option<String>,
}

#[derive(Deserialize)]
struct Code {
    code: String,
}

impl FromRequest for Visit {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = ApiResult<Self>>>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move {
            let Path(Code { code }) = Path::extract(&request).await?;
            let Visitor(visitor) = Visitor::extract(&request).await?;
            let Companion(companion) = Companion::extract(&request).await?;
            let companion = companion.filter(|it| visitor.is_none_or(|visitor| visitor.id != it.id));
            let base_url = base_url(data::<Config>(&request)?, &request);
            let (db, page) = (data::<Db>(&request)?.clone(), Page::extract(&request).await?);
            Ok(Self { db, page, visitor, companion, code, base_url })
        })
    }
}

impl Visit {
    pub(super) async fn open(self) -> ApiResult<Act> {
        let mut conn = self.db.conn().await?;
        let id = self.find(&mut conn).await?;
        Ok(self.act(conn, id))
    }

    async fn find(&self, conn: &mut AsyncPgConnection) -> ApiResult<MatchId> {
        let id = store::find_id_by_code(conn, &normal_code(&self.code)).await?;
        Ok(id.ok_or_else(|| not_found("match_not_found"))?)
    }

    fn act(self, conn: Conn, id: MatchId) -> Act {
        let Self { page, visitor, companion, base_url, .. } = self;
        Act { conn, page, visitor, companion, id, base_url, asked: Asked::default() }
    }

    /// Does what only somebody can who is known here, and comes back to the page.
    pub(super) async fn by_player(
        self,
        act: impl AsyncFnOnce(&mut AsyncPgConnection, &Identity, MatchId) -> Result<()>,
    ) -> ApiResult<HttpResponse> {
        let mut open = self.open().await?;
        let done = match open.player() {
            Ok(player) => act(&mut open.conn, &player, open.id).await.map_err(ApiError::from),
            Err(err) => Err(err),
        };
        open.back(done).await
    }

    /// The same for what takes connections of its own, and holds none while it waits.
    pub(super) async fn by_player_with(
        self,
        act: impl AsyncFnOnce(&Db, &Identity, MatchId) -> Result<()>,
    ) -> ApiResult<HttpResponse> {
        let id = self.find(&mut *self.db.conn().await?).await?;
        let done = match self.visitor {
            Some(player) => act(&self.db, &player, id).await.map_err(ApiError::from),
            None => Err(forbidden("not_seated").into()),
        };
        let conn = self.db.conn().await?;
        self.act(conn, id).back(done).await
    }
}

impl Act {
    /// Who acts, if we know them.
    pub(super) fn player(&self) -> ApiResult<Identity> {
        Ok(self.visitor.ok_or_else(|| forbidden("not_seated"))?)
    }

    pub(super) async fn look(&mut self) -> ApiResult<PlayView> {
        let (visitor, companion) = (self.visitor.as_ref(), self.companion.as_ref());
        let look = Look { page: &self.page, visitor, companion, id: self.id, asked: &self.asked };
        PlayView::read(&mut self.conn, look).await
    }

    /// Back to the page: a new one, or at once what has changed for a script, or why it was refused.
    pub(super) async fn back(mut self, done: ApiResult<()>) -> ApiResult<HttpResponse> {
        let refused = match done {
            Ok(()) => None,
            Err(err) if err.is_refusal() => Some(once_per_decision(err)),
            Err(err) => return Err(err),
        };
        let mut view = self.look().await?;
        let Some(refused) = refused else {
            return if self.page.fragment {
                view.answer(&self.page, StatusCode::OK)
            } else {
                Ok(self.page.go_to(&view.path()))
            };
        };
        let problem = refused.problem(self.page.lang);
        let status = StatusCode::from_u16(problem.status).unwrap_or(StatusCode::CONFLICT);
        view.tried.refused = Some(problem.sentence());
        view.answer(&self.page, status)
    }
}

/// A page sends the same key for all that is chosen at one version: another choice under it came too late.
fn once_per_decision(err: ApiError) -> ApiError {
    match err.code() {
        "idempotency_key_reused" => conflict("version_conflict").into(),
        _ => err,
    }
}
