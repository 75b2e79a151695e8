//! `/t/{code}/phone`: a guest whose phone died says on another one who they are, and goes on there once it is confirmed.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, get, post};
use askama::Template;
use diesel_async::AsyncPgConnection;
use serde::Deserialize;

use super::admin::{AnswerForm, key};
use crate::sittings::guest::find_table;
use base::auth::Tokens;
use base::auth::secrets::hash;
use base::db::Db;
use base::error::internal;
use base::ids::PlayerId;
use base::live::Live;
use base::world::World;
use cafe::claims::{self, ClaimId, ClaimRow, LIFE, NewPhone, store};
use play::sittings;
use play::tables::TableRow;
use web_base::error::ApiResult;
use web_base::extract::{Client, Companion, Path, Player, Visitor, closed_cookie, own_cookie};
use web_base::limits::{Budget, Guests, Writes};
use web_base::page::preferences::own_path;
use web_base::page::{Flash, Form, Page};

/// Holds the secret by which the phone that asks is known.
const CLAIM_COOKIE: &str = "claim";

#[derive(Template)]
#[template(path = "guest/phone.html", blocks = ["live"])]
struct PhonePage {
    page: Page,
    table: TableRow,
    /// What this phone asked for last.
    claim: Option<ClaimRow>,
    /// Whom it could ask for.
    guests: Vec<Guest>,
    has_party: bool,
}

/// A guest of the party, told from others of that name.
struct Guest {
    id: PlayerId,
    name: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AskForm {
    player: PlayerId,
}

#[get("/t/{code}/phone")]
pub async fn show_claim(
    db: Data<Db>,
    request: HttpRequest,
    page: Page,
    (Visitor(visitor), Companion(other)): (Visitor, Companion),
    Path(code): Path<String>,
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    let table = find_table(&mut conn, &code).await?;
    let claim = match secret_of(&request) {
        Some(secret) => store::find_of_phone(&mut conn, &hash(secret.as_bytes())).await?,
        None => None,
    };
    let here: Vec<PlayerId> = [visitor, other].into_iter().flatten().map(|it| it.id).collect();
    let phone = PhonePage::read(&mut conn, page, table, (claim, here)).await?;
    if phone.page.fragment { phone.page.html(&phone.as_live()) } else { phone.page.html(&phone) }
}

/// The phone says whose it is.
#[post("/t/{code}/phone")]
pub async fn ask(
    _: Budget<Guests>,
    db: Data<Db>,
    (world, live): (Data<World>, Data<Live>),
    (request, page): (HttpRequest, Page),
    (Visitor(visitor), Client(device)): (Visitor, Client),
    Path(code): Path<String>,
    Form(form): Form<AskForm>,
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    let table = find_table(&mut conn, &code).await?;
    let earlier = secret_of(&request);
    let phone = NewPhone {
        table: table.id,
        player: form.player,
        known_as: visitor.as_ref(),
        earlier: earlier.as_deref(),
        device: &device,
    };
    let path = format!("/t/{}/phone", table.code);
    match claims::ask(&mut conn, &world, &live, phone).await {
        Ok(secret) => {
            let mut response = page.go_to(&path);
            response.add_cookie(&page.secret_cookie(CLAIM_COOKIE, secret, LIFE + LIFE)).map_err(internal)?;
            Ok(response)
        }
        refused => Ok(page.go_with(&path, Flash::after(refused, |_| Flash::good("claim-confirmed", ""))?)),
    }
}

/// The phone is the guest's from now on, as was confirmed.
#[post("/t/{code}/phone/take")]
pub async fn take(
    _: Budget<Guests>,
    db: Data<Db>,
    (world, live, tokens): (Data<World>, Data<Live>, Data<Tokens>),
    (request, page): (HttpRequest, Page),
    (Visitor(visitor), Client(device)): (Visitor, Client),
    Path(code): Path<String>,
    _: Form<()>,
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    let path = format!("/t/{}", find_table(&mut conn, &code).await?.code);
    let secret = secret_of(&request).unwrap_or_default();
    match claims::take(&mut conn, &world, &live, &tokens, (&secret, &device), visitor.as_ref()).await {
        Ok((player, token)) => {
            let mut response = page.go_signed_in(&path, Flash::good("signed-in", &player.display_name), Some(token))?;
            response.add_cookie(&closed_cookie(CLAIM_COOKIE, page.is_secure())).map_err(internal)?;
            Ok(response)
        }
        refused => Ok(page.go_with(&format!("{path}/phone"), Flash::after(refused, |_| Flash::good("signed-in", ""))?)),
    }
}

/// Somebody of the party says whether it is true.
#[post("/t/{code}/claims/{id}")]
pub async fn answer(
    _: Budget<Writes>,
    db: Data<Db>,
    (world, live): (Data<World>, Data<Live>),
    (request, page): (HttpRequest, Page),
    Player(player): Player,
    Path((_, id)): Path<(String, ClaimId)>,
    Form(form): Form<AnswerForm>,
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    let own = secret_of(&request);
    let answered = claims::answer(&mut conn, &world, &live, &player, id, (form.answer, own.as_deref())).await;
    let flash = Flash::after(answered, |_| Flash::good(key(form.answer), ""))?;
    Ok(page.go_with(own_path(&form.back), flash))
}

fn secret_of(request: &HttpRequest) -> Option<String> {
    own_cookie(request, CLAIM_COOKIE).map(|cookie| cookie.value().to_owned())
}

impl PhonePage {
    async fn read(
        conn: &mut AsyncPgConnection,
        page: Page,
        table: TableRow,
        (claim, here): (Option<ClaimRow>, Vec<PlayerId>),
    ) -> ApiResult<Self> {
        let sitting = sittings::store::find_open(conn, table.id).await?;
        let guests = match &sitting {
            Some(sitting) => claims::list_guests(conn, sitting.id, &here).await?,
            None => Vec::new(),
        };
        let guests = guests.into_iter();
        let guests = guests.map(|it| Guest { id: it.id, name: page.name_of(&it.name, false, it.tag.as_deref()) });
        let guests = guests.collect();
        let claim = claim.filter(|claim| sitting.as_ref().is_some_and(|it| it.id == claim.sitting_id));
        Ok(Self { guests, has_party: sitting.is_some(), page, table, claim })
    }

    fn path(&self) -> String {
        format!("/t/{}/phone", self.table.code)
    }

    /// The claim, as long as it waits for its answer.
    fn open(&self) -> Option<&ClaimRow> {
        self.claim.as_ref().filter(|claim| claim.is_open(self.page.now))
    }

    fn confirmed(&self) -> Option<&ClaimRow> {
        self.claim.as_ref().filter(|claim| claim.is_confirmed(self.page.now))
    }

    /// The claim, if it led to nothing.
    fn over(&self) -> Option<&ClaimRow> {
        self.claim.as_ref().filter(|_| self.open().is_none() && self.confirmed().is_none())
    }
}

#[cfg(test)]
mod tests {
    use askama::Template;
    use base::ids::{ClaimId, SittingId};
    use cafe::claims::ClaimStatus;
    use jiff::Timestamp;
    use uuid::Uuid;

    use super::*;
    use web_base::page::samples;

    fn claim(status: ClaimStatus, expires_at: Timestamp) -> ClaimRow {
        ClaimRow {
            id: ClaimId(Uuid::nil()),
            sitting_id: SittingId(Uuid::nil()),
            player_id: samples::player_id(1),
            asked_by: None,
            phone_hash: Vec::new(),
            user_agent: None,
            status,
            asked_at: Timestamp::UNIX_EPOCH,
            expires_at,
            display_name: "하늘".to_owned(),
        }
    }

    #[test]
    fn a_page_is_complete_for_every_answer_and_for_an_empty_table() {
        use ClaimStatus::{Confirmed, Open, Refused, Taken};
        let claims = [Open, Confirmed, Refused, Taken].map(|status| Some((status, Timestamp::MAX)));
        let late = Some((Open, Timestamp::UNIX_EPOCH));
        for (claim, has_party) in claims.into_iter().chain([late, None]).flat_map(|it| [(it, true), (it, false)]) {
            samples::check(samples::ANYBODY, |page| {
                let claim = claim.map(|(status, expires_at)| self::claim(status, expires_at));
                let guest = |number| Guest { id: samples::player_id(number), name: "서연".to_owned() };
                let guests = if has_party { vec![guest(1), guest(2)] } else { Vec::new() };
                PhonePage { page, table: samples::table("1번"), claim, guests, has_party }.render()
            });
        }
    }
}
