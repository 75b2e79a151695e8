//! `/me`: who somebody is here, what they played, where they are signed in, and how they register, sign in and leave for good.

use std::collections::HashMap;

use actix_web::http::StatusCode;
use actix_web::web::Data;
use actix_web::{HttpResponse, get, post};
use askama::Template;
use diesel_async::AsyncPgConnection;
use jiff::Timestamp;
use serde::Deserialize;

use crate::sessions::password::PasswordForm;
use base::auth::{Chooser, ChosenPassword, Identity, Passwords, Role, Seal, Tokens};
use base::db::Db;
use base::error::{internal, invalid_fields, unauthorized};
use base::ids::{MatchId, SessionId};
use base::inputs::{DisplayName, Email, Password};
use base::live::Live;
use base::settings::Cafe;
use base::world::World;
use cafe::identities;
use cafe::player_stats::store as player_stats;
use cafe::ratings;
use play::matches::store::Reader;
use play::matches::{self, Autopilot, Filter};
use play::players::{PlayerRow, store};
use play::sessions;
use play::sessions::sign_in_log::NEW_DEVICE_TOLD;
use play::staff;
use play::staff::second_factor::{self, Asked};
use web_base::config::Config;
use web_base::error::{ApiError, ApiResult};
use web_base::extract::{Client, Companion, Path, SignInContext, Visitor, device_cookie};
use web_base::limits::{Budget, SignIns, Writes};
use web_base::page::{Flash, Form, Page, Provider};

const PAGE: &str = "/me";
/// So many of the latest matches, and of the people met most often.
const MATCHES: i64 = 20;
const PEOPLE: i64 = 6;

#[derive(Template)]
#[template(path = "guest/me.html")]
struct MePage<'a> {
    page: &'a Page,
    account: Option<Account>,
    /// The name of who else plays on this phone.
    other: Option<String>,
    tried: Tried,
}

/// Of who is known here.
struct Account {
    row: PlayerRow,
    ratings: Vec<Rating>,
    played: Vec<Played>,
    /// Whom they met, and how often.
    people: Vec<(String, i64)>,
    places: Vec<Place>,
    /// Of the providers by which they sign in.
    issuers: Vec<String>,
}

struct Rating {
    game: String,
    rating: i32,
    matches: i32,
}

struct Played {
    code: Option<String>,
    game: String,
    /// What another game is called.
    title: Option<String>,
    at: Timestamp,
    place: i16,
    seats: i16,
    shift: Option<(i32, i32)>,
}

/// Where somebody is signed in.
struct Place {
    id: SessionId,
    device: String,
    seen_at: Timestamp,
    is_here: bool,
    /// Somebody signed in there lately, while this browser was signed in.
    is_new: bool,
}

/// A form that was not taken.
#[derive(Default)]
struct Tried {
    form: &'static str,
    text: String,
    wrong: String,
    /// By a stable name.
    code: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NameForm {
    display_name: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CredentialsForm {
    email: String,
    password: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SignInForm {
    email: String,
    password: String,
    /// Of who has a second factor.
    #[serde(default)]
    code: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DeleteForm {
    /// Of who has registered.
    #[serde(default)]
    password: String,
}

#[get("/me")]
pub async fn show_me(
    db: Data<Db>,
    page: Page,
    (Visitor(visitor), Companion(other)): (Visitor, Companion),
) -> ApiResult<HttpResponse> {
    let account = Account::of(&db, &page, visitor.as_ref()).await?;
    let other = match other {
        Some(other) => store::find(&mut *db.conn().await?, other.id).await?.map(|it| it.display_name),
        None => None,
    };
    page.html(&MePage { page: &page, account, other, tried: Tried::default() })
}

#[post("/me/name")]
pub async fn rename_me(
    _: Budget<Writes>,
    db: Data<Db>,
    (world, live): (Data<World>, Data<Live>),
    page: Page,
    Visitor(visitor): Visitor,
    Form(form): Form<NameForm>,
) -> ApiResult<HttpResponse> {
    let Some(player) = visitor else { return Ok(page.go_to(PAGE)) };
    let renamed = async {
        let name = DisplayName::parse(&form.display_name).map_err(|wrong| invalid_fields(vec![wrong]))?;
        cafe::accounts::rename(&mut *db.conn().await?, &world, &live, &player, &name).await
    };
    let done = renamed.await.map(|_| ()).map_err(ApiError::from);
    after(&db, &page, Some(&player), done, ("name", form.display_name, "renamed")).await
}

/// A guest becomes a registered player, and keeps everything.
#[post("/me/register")]
pub async fn register_me(
    _: Budget<SignIns>,
    db: Data<Db>,
    (world, passwords): (Data<World>, Data<Passwords>),
    page: Page,
    Visitor(visitor): Visitor,
    Form(form): Form<CredentialsForm>,
) -> ApiResult<HttpResponse> {
    let Some(player) = visitor else { return Ok(page.go_to(PAGE)) };
    let registered = async {
        let email = Email::parse(&form.email).map_err(|wrong| invalid_fields(vec![wrong]))?;
        let password = Password::parse(&form.password).map_err(|wrong| invalid_fields(vec![wrong]))?;
        let row = store::find(&mut *db.conn().await?, player.id).await?;
        let name = row.as_ref().map(|row| row.display_name.as_str());
        let chooser = Chooser { role: Role::Player, name, email: Some(email.as_str()) };
        let password =
            ChosenPassword::new(password, chooser, "/password").map_err(|wrong| invalid_fields(vec![wrong]))?;
        let hash = passwords.hash(&world, password).await?;
        cafe::accounts::register_guest(&mut *db.conn().await?, player.id, &email, None, &hash).await
    };
    let done = registered.await.map(|_| ()).map_err(ApiError::from);
    after(&db, &page, Some(&player), done, ("register", form.email, "registered")).await
}

#[post("/me/sign-in")]
pub async fn sign_me_in(
    _: Budget<SignIns>,
    db: Data<Db>,
    (world, tokens, passwords, seal): (Data<World>, Data<Tokens>, Data<Passwords>, Data<Seal>),
    (cafe, config): (Data<Cafe>, Data<Config>),
    (page, Client(device), context): (Page, Client, SignInContext),
    Visitor(visitor): Visitor,
    Form(form): Form<SignInForm>,
) -> ApiResult<HttpResponse> {
    let zone = cafe.zone(&config.time_zone);
    let guard = context.guard();
    let signed_in = async {
        let wrong = |_| unauthorized("wrong_credentials");
        let (email, password) =
            (Email::parse(&form.email).map_err(wrong)?, Password::parse(&form.password).map_err(wrong)?);
        let player = sessions::authenticate(&db, &zone, &passwords, guard, (&email, password)).await?;
        let mut conn = db.conn().await?;
        let code = Some(form.code.as_str()).filter(|code| !code.is_empty());
        second_factor::demand(&mut conn, Asked { world: &world, seal: &seal, player: player.id }, code).await?;
        let token = sessions::enter_page(&mut conn, &tokens, guard, (&player, &device), visitor.as_ref()).await?;
        let known = context.devices.remember(&tokens, &player, world.now())?;
        Ok::<_, base::error::Error>((player, token, known))
    };
    match signed_in.await {
        Ok((player, token, known)) => {
            let flash = Flash::good("signed-in", &player.display_name);
            let mut response = page.go_signed_in(PAGE, flash, Some(token))?;
            response.add_cookie(&device_cookie(known, config.is_secure())).map_err(internal)?;
            Ok(response)
        }
        Err(err) => after(&db, &page, visitor.as_ref(), Err(err.into()), ("sign-in", form.email, "signed-in")).await,
    }
}

#[post("/me/sign-out")]
pub async fn sign_me_out(
    _: Budget<Writes>,
    db: Data<Db>,
    world: Data<World>,
    page: Page,
    Visitor(visitor): Visitor,
    Form(()): Form<()>,
) -> ApiResult<HttpResponse> {
    if let Some(player) = visitor {
        sessions::close(&mut *db.conn().await?, &world, &player).await?;
    }
    page.go_signed_out(PAGE, Flash::good("signed-out", ""))
}

#[post("/me/sessions/{id}/end")]
pub async fn end_my_session(
    _: Budget<Writes>,
    db: Data<Db>,
    world: Data<World>,
    page: Page,
    Visitor(visitor): Visitor,
    Path(id): Path<SessionId>,
    Form(()): Form<()>,
) -> ApiResult<HttpResponse> {
    let Some(player) = visitor else { return Ok(page.go_to(PAGE)) };
    let ended = staff::end_own_session(&mut *db.conn().await?, &world, &player, id).await;
    Ok(page.go_with(PAGE, Flash::after(ended, |()| Flash::good("signed-out", ""))?))
}

/// Every other session ends.
#[post("/me/password")]
pub async fn change_my_password(
    _: Budget<SignIns>,
    db: Data<Db>,
    (passwords, context): (Data<Passwords>, SignInContext),
    page: Page,
    Visitor(visitor): Visitor,
    Form(form): Form<PasswordForm>,
) -> ApiResult<HttpResponse> {
    let Some(player) = visitor else { return Ok(page.go_to(PAGE)) };
    let done = form.change(&db, context.guard(), &passwords, &player).await.map_err(ApiError::from);
    after(&db, &page, Some(&player), done, ("password", String::new(), "password-changed")).await
}

/// The end of the account: seats are given up, and the history of others stays with nobody's name in it.
#[post("/me/delete")]
pub async fn delete_me(
    _: Budget<SignIns>,
    db: Data<Db>,
    (passwords, context): (Data<Passwords>, SignInContext),
    (live, autopilot): (Data<Live>, Data<Autopilot>),
    page: Page,
    Visitor(visitor): Visitor,
    Form(form): Form<DeleteForm>,
) -> ApiResult<HttpResponse> {
    let Some(player) = visitor else { return Ok(page.go_to(PAGE)) };
    let password = Some(form.password.as_str()).filter(|it| !it.is_empty()).map(Password::parse).transpose();
    let deleted = match password {
        Ok(password) => {
            cafe::accounts::delete(&db, context.guard(), &passwords, &live, &autopilot, &player, password).await
        }
        Err(wrong) => Err(invalid_fields(vec![wrong])),
    };
    match deleted {
        Ok(()) => page.go_signed_out(PAGE, Flash::good("deleted-me", "")),
        Err(err) => after(&db, &page, Some(&player), Err(err.into()), ("delete", String::new(), "deleted-me")).await,
    }
}

/// Back to the page, or the page again with the form that was not taken: which it was, what it said, and what is said if all is well.
async fn after(
    db: &Db,
    page: &Page,
    visitor: Option<&Identity>,
    done: ApiResult<()>,
    (form, text, key): (&'static str, String, &str),
) -> ApiResult<HttpResponse> {
    let err = match done {
        Ok(()) => return Ok(page.go_with(PAGE, Flash::good(key, &text))),
        Err(err) if err.is_refusal() => err,
        Err(err) => return Err(err),
    };
    let problem = err.problem(page.lang);
    let status = problem.status_code();
    let (code, wrong) = (problem.code.clone(), problem.sentence());
    show(db, page, visitor, (status, Tried { form, text, wrong, code })).await
}

async fn show(
    db: &Db,
    page: &Page,
    visitor: Option<&Identity>,
    (status, tried): (StatusCode, Tried),
) -> ApiResult<HttpResponse> {
    let account = Account::of(db, page, visitor).await?;
    page.html_as(status, &MePage { page, account, other: None, tried })
}

impl Account {
    async fn of(db: &Db, page: &Page, visitor: Option<&Identity>) -> ApiResult<Option<Self>> {
        match visitor {
            Some(player) => Self::read(&mut *db.conn().await?, page, player).await,
            None => Ok(None),
        }
    }

    async fn read(conn: &mut AsyncPgConnection, page: &Page, player: &Identity) -> ApiResult<Option<Self>> {
        let Some(row) = store::find(conn, player.id).await? else { return Ok(None) };
        let standings = ratings::store::list_of_player(conn, player.id).await?;
        let rating =
            |it: ratings::store::StandingRow| Rating { game: it.scope, rating: it.rating, matches: it.matches };
        let encounters =
            player_stats::list_encounters(conn, player.id, None, None, (Reader::Player(player.id), PEOPLE)).await?;
        let met = |it: player_stats::EncounterRow| (page.name_of(&it.display_name, it.deleted, None), it.matches);
        let open = sessions::store::list_open(conn, player.id, page.now).await?;
        let here = open.iter().find(|it| it.id == player.session).map(|it| it.created_at);
        let lately = here.unwrap_or_default().max(page.now - NEW_DEVICE_TOLD);
        let place = |session: sessions::SessionRow| Place {
            id: session.id,
            device: sessions::device_name(&session, page.lang),
            seen_at: session.seen_at,
            is_here: session.id == player.session,
            is_new: session.id != player.session && session.created_at > lately,
        };
        Ok(Some(Self {
            row,
            ratings: standings.into_iter().map(rating).collect(),
            played: Played::list(conn, player).await?,
            people: encounters.into_iter().map(met).collect(),
            places: open.into_iter().map(place).collect(),
            issuers: identities::store::list(conn, player.id).await?.into_iter().map(|(issuer, _)| issuer).collect(),
        }))
    }

    fn is_registered(&self) -> bool {
        self.row.registered_at.is_some()
    }

    /// Or they sign in by a provider only.
    fn has_password(&self) -> bool {
        self.row.email.is_some()
    }

    fn is_elsewhere_lately(&self) -> bool {
        self.places.iter().any(|it| it.is_new)
    }
}

impl Played {
    /// The latest matches of this player, the latest first.
    async fn list(conn: &mut AsyncPgConnection, player: &Identity) -> ApiResult<Vec<Self>> {
        let rows = player_stats::list_played(conn, player.id, None, None, (Reader::Player(player.id), MATCHES)).await?;
        let filter = Filter { reader: Reader::Player(player.id), mine: Some(player.id), ..Filter::default() };
        let known = matches::store::list(conn, &filter, 3 * MATCHES).await?;
        let codes: HashMap<MatchId, String> = known.into_iter().map(|row| (row.id, row.code)).collect();
        let played = rows.into_iter().map(|row| Self {
            code: codes.get(&row.tally.match_id).cloned(),
            shift: row.shift(),
            at: row.tally.finished_at,
            place: row.tally.place,
            seats: row.tally.seats,
            game: row.tally.game,
            title: row.title,
        });
        Ok(played.collect())
    }
}

impl MePage<'_> {
    /// Why this form was not taken, if it was this one.
    fn wrong(&self, form: &str) -> Option<&str> {
        Some(self.tried.wrong.as_str()).filter(|_| self.tried.form == form)
    }

    fn is_registered(&self) -> bool {
        self.account.as_ref().is_some_and(Account::is_registered)
    }

    /// Whether they sign in by this provider.
    fn is_linked(&self, provider: &Provider) -> bool {
        self.account.as_ref().is_some_and(|it| it.issuers.contains(&provider.issuer))
    }

    /// Whether the password was right, and a code is asked for as well.
    fn asks_for_code(&self) -> bool {
        ["second_factor_required", "wrong_code"].contains(&self.tried.code.as_str())
    }

    fn typed(&self, form: &str) -> &str {
        if self.tried.form == form { &self.tried.text } else { "" }
    }
}

#[cfg(test)]
mod tests {
    use base::auth::Role;
    use uuid::Uuid;

    use super::*;
    use web_base::page::samples;

    fn account(row: PlayerRow, has_past: bool) -> Account {
        let rating = Rating { game: "perudo".to_owned(), rating: 1_234, matches: 12 };
        let played = |code: Option<&str>, shift| Played {
            code: code.map(str::to_owned),
            game: "perudo".to_owned(),
            title: code.is_none().then(|| "카탄".to_owned()),
            at: Timestamp::UNIX_EPOCH,
            place: 1,
            seats: 3,
            shift,
        };
        let place = |is_here| Place {
            id: SessionId(Uuid::nil()),
            device: "Chrome".to_owned(),
            seen_at: Timestamp::UNIX_EPOCH,
            is_here,
            is_new: !is_here,
        };
        let past = if has_past { 1 } else { 0 };
        let played = [played(Some("QRSTVW"), Some((1_200, 1_234))), played(None, None)];
        Account {
            row,
            ratings: [rating].into_iter().take(past).collect(),
            played: played.into_iter().take(2 * past).collect(),
            people: [("준".to_owned(), 5)].into_iter().take(past).collect(),
            places: vec![place(true), place(false)],
            issuers: vec!["https://naver.example.org".to_owned()],
        }
    }

    #[test]
    fn a_page_is_complete_for_everybody_and_with_refused_forms() {
        let registered = samples::player("하늘", Role::Player);
        let guest = PlayerRow { registered_at: None, email: None, ..registered.clone() };
        let rows = [None, Some((registered, true)), Some((guest.clone(), true)), Some((guest, false))];
        let forms = ["", "name", "register", "sign-in", "password", "delete"];
        for (row, form) in rows.iter().flat_map(|row| forms.map(|form| (row, form))) {
            samples::check(samples::ANYBODY, |page| {
                let account = row.clone().map(|(row, has_past)| account(row, has_past));
                let tried = Tried {
                    form,
                    text: "하늘".to_owned(),
                    wrong: page.t("field-empty"),
                    code: "wrong_code".to_owned(),
                };
                let other = Some("서연".to_owned());
                MePage { page: &page, account, other, tried }.render()
            });
        }
    }
}
