//! `/w/{token}`: the page of a party that waits. `/wait/{code}`: where the code at the door leads, and the same for a screen on the
//! wall.

use std::collections::HashMap;
use std::time::Duration;

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, get, post};
use askama::Template;
use diesel_async::AsyncPgConnection;
use serde::Deserialize;

use crate::floor::waits::WaitingWords;
use base::db::Db;
use base::error::{Error, invalid_fields, not_found};
use base::inputs::DisplayName;
use base::live::Live;
use base::world::World;
use cafe::waiting::outlook::{self, QueueEntry};
use cafe::waiting::{self, Door, Phone, Span, WaitingRequest, WaitingRow, WaitingStatus, door, store};
use play::tables::{self, TableRow};
use web_base::config::Config;
use web_base::error::{ApiError, ApiResult};
use web_base::extract::{Path, Search};
use web_base::limits::{Budget, Guests, Streams, Writes};
use web_base::page::{Flash, Form, Page};
use web_base::public_url::base_url;
use web_base::qr::qr_svg;
use web_base::streams::{FingerprintWatch, Waits, stream};

/// So often at most the list is looked at while things happen elsewhere on the floor.
const BETWEEN_LOOKS: Duration = Duration::from_millis(500);
/// For parties of these sizes the page at the door says how long they would wait.
const SIZES: [i16; 3] = [2, 4, 6];
/// So many fit on a screen.
const ON_SCREEN: usize = 20;

#[derive(Template)]
#[template(path = "guest/waiting.html", blocks = ["live"])]
struct TicketPage<'a> {
    page: &'a Page,
    row: &'a WaitingRow,
    entry: Option<&'a QueueEntry>,
    /// Where they were seated.
    table: Option<TableRow>,
}

#[derive(Template)]
#[template(path = "guest/waiting-door.html", blocks = ["live"])]
struct DoorPage<'a> {
    page: &'a Page,
    code: &'a str,
    door: &'a Door,
    /// How many parties wait.
    parties: usize,
    waits: Vec<(i16, Option<Span>)>,
    tried: JoinForm,
    /// What is wrong, by the pointer of the field.
    wrong: HashMap<String, String>,
    /// Why nobody was put down.
    refused: Option<String>,
}

#[derive(Template)]
#[template(path = "guest/waiting-screen.html", blocks = ["live"])]
struct WaitingScreenPage<'a> {
    page: &'a Page,
    code: &'a str,
    door: &'a Door,
    called: Vec<&'a QueueEntry>,
    others: Vec<(usize, &'a QueueEntry)>,
    /// How many more there are.
    more: usize,
    guest_url: String,
    qr: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DoorSearch {
    /// `1` for a screen on the wall.
    screen: Option<u8>,
}

/// As it was sent.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct JoinForm {
    pub name: String,
    pub party_size: String,
    #[serde(default)]
    pub phone: String,
}

#[get("/w/{token}")]
pub async fn show_ticket(db: Data<Db>, page: Page, Path(token): Path<String>) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    let row = store::find_by_token(&mut conn, &token).await?.ok_or_else(|| not_found("waiting_not_found"))?;
    let entries = match row.status {
        WaitingStatus::Waiting => outlook::list(&mut conn, page.now).await?,
        _ => Vec::new(),
    };
    let table = match row.sitting_id {
        Some(sitting) => match play::sittings::store::find(&mut conn, sitting).await? {
            Some(sitting) => tables::store::find(&mut conn, sitting.table_id).await?,
            None => None,
        },
        None => None,
    };
    let entry = entries.iter().find(|it| it.row.id == row.id);
    let template = TicketPage { page: &page, row: &row, entry, table };
    if page.fragment { page.html(&template.as_live()) } else { page.html(&template) }
}

/// Says that something about the list has changed; what it was, the page asks itself.
#[get("/w/{token}/live")]
pub async fn watch_ticket(
    budget: Budget<Streams>,
    db: Data<Db>,
    (live, world): (Data<Live>, Data<World>),
    Path(token): Path<String>,
) -> ApiResult<HttpResponse> {
    store::find_by_token(&mut *db.conn().await?, &token).await?.ok_or_else(|| not_found("waiting_not_found"))?;
    Ok(stream(watch(db, &live, token).await?, world, budget))
}

#[post("/w/{token}/leave")]
pub async fn leave(
    _: Budget<Writes>,
    db: Data<Db>,
    (world, live): (Data<World>, Data<Live>),
    page: Page,
    Path(token): Path<String>,
    _: Form<()>,
) -> ApiResult<HttpResponse> {
    let left = waiting::leave(&mut *db.conn().await?, &world, &live, &token).await;
    let flash = Flash::after(left, |_| Flash::good("waiting-left", ""))?;
    Ok(page.go_with(&format!("/w/{token}"), flash))
}

#[get("/wait/{code}")]
pub async fn show_door(
    db: Data<Db>,
    (config, request): (Data<Config>, HttpRequest),
    page: Page,
    Path(code): Path<String>,
    Search(search): Search<DoorSearch>,
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    let door = door::find(&mut conn, &code).await?;
    let code = door.code.clone().unwrap_or_default();
    if search.screen == Some(1) {
        let entries = outlook::list(&mut conn, page.now).await?;
        let guest_url = door::page_url(&base_url(&config, &request), &code);
        let template = WaitingScreenPage::of(&page, &door, &code, &entries, guest_url)?;
        return if page.fragment { page.html(&template.as_live()) } else { page.html(&template) };
    }
    let (parties, waits) = outlook::foresee(&mut conn, page.now, &SIZES).await?;
    let template = DoorPage::of(&page, &door, &code, parties, waits);
    if page.fragment { page.html(&template.as_live()) } else { page.html(&template) }
}

#[get("/wait/{code}/live")]
pub async fn watch_door(
    budget: Budget<Streams>,
    db: Data<Db>,
    (live, world): (Data<Live>, Data<World>),
    Path(code): Path<String>,
) -> ApiResult<HttpResponse> {
    door::find(&mut *db.conn().await?, &code).await?;
    Ok(stream(watch(db, &live, String::new()).await?, world, budget))
}

/// Guests put themselves down, and from then on have a page of their own.
#[post("/wait/{code}")]
pub async fn join(
    _: Budget<Guests>,
    db: Data<Db>,
    (world, live): (Data<World>, Data<Live>),
    page: Page,
    Path(code): Path<String>,
    Form(form): Form<JoinForm>,
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    let door = door::find(&mut conn, &code).await?;
    let joined = match form.read() {
        Ok(request) => door::join(&mut conn, &world, &live, &code, &request).await,
        Err(err) => Err(err),
    };
    let problem = match joined {
        Ok(row) => return Ok(page.go_to(&format!("/w/{}", row.token))),
        Err(err @ Error::Refused(_)) => ApiError::from(err).problem(page.lang),
        Err(err) => return Err(err.into()),
    };
    let code = door.code.clone().unwrap_or_default();
    let (parties, waits) = outlook::foresee(&mut conn, page.now, &SIZES).await?;
    let status = problem.status_code();
    let refused = problem.errors.is_empty().then_some(problem.detail);
    let wrong = problem.errors.into_iter().map(|it| (it.pointer, it.detail)).collect();
    let template = DoorPage { tried: form, wrong, refused, ..DoorPage::of(&page, &door, &code, parties, waits) };
    page.html_as(status, &template)
}

impl JoinForm {
    pub(super) fn read(&self) -> base::error::Result<WaitingRequest> {
        let name = DisplayName::parse(&self.name).map_err(|wrong| wrong.at("/name"));
        let phone = match self.phone.trim() {
            "" => Ok(None),
            phone => Phone::parse(phone).map(Some).map_err(|wrong| wrong.at("/phone")),
        };
        // Nonsense is out of range, and so refused at its field.
        let party_size = self.party_size.trim().parse().unwrap_or(0);
        match (name, phone) {
            (Ok(name), Ok(phone)) => Ok(WaitingRequest { name, party_size, phone }),
            (name, phone) => Err(invalid_fields(name.err().into_iter().chain(phone.err()).collect())),
        }
    }

    /// As few as most parties are, before somebody said how many they are.
    pub(super) fn size(&self) -> &str {
        if self.party_size.is_empty() { "2" } else { &self.party_size }
    }
}

impl TicketPage<'_> {
    fn path(&self) -> String {
        format!("/w/{}", self.row.token)
    }

    fn is_called(&self) -> bool {
        self.row.status == WaitingStatus::Called
    }
}

impl<'a> DoorPage<'a> {
    fn of(page: &'a Page, door: &'a Door, code: &'a str, parties: usize, waits: Vec<Option<Span>>) -> Self {
        let waits = SIZES.into_iter().zip(waits).collect();
        let (tried, wrong, refused) = Default::default();
        Self { page, code, door, parties, waits, tried, wrong, refused }
    }

    fn path(&self) -> String {
        format!("/wait/{}", self.code)
    }

    fn wrong(&self, pointer: &str) -> Option<&String> {
        self.wrong.get(pointer)
    }
}

impl<'a> WaitingScreenPage<'a> {
    fn of(
        page: &'a Page,
        door: &'a Door,
        code: &'a str,
        entries: &'a [QueueEntry],
        guest_url: String,
    ) -> base::error::Result<Self> {
        let (called, others): (Vec<_>, Vec<_>) = entries.iter().partition(|it| it.row.status == WaitingStatus::Called);
        let more = others.len().saturating_sub(ON_SCREEN);
        let others = (1..).zip(others).take(ON_SCREEN).collect();
        let qr = qr_svg(&guest_url)?;
        Ok(Self { page, code, door, called, others, more, guest_url, qr })
    }

    fn path(&self) -> String {
        format!("/wait/{}", self.code)
    }
}

/// Watches the list for this party; for a screen where the token is empty.
async fn watch(db: Data<Db>, live: &Live, token: String) -> base::error::Result<impl Waits> {
    let find = async move |conn: &mut AsyncPgConnection| Ok(store::find_fingerprint(conn, &token).await?);
    FingerprintWatch::begin(db, live, BETWEEN_LOOKS, find).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::floor::samples::waiting_party;
    use web_base::page::samples;

    #[test]
    fn the_page_of_a_party_is_complete_whatever_became_of_it() {
        for status in WaitingStatus::ALL {
            samples::check(samples::ANYBODY, |page| {
                let entry = waiting_party(*status);
                let table = (*status == WaitingStatus::Seated).then(|| samples::table("1번"));
                TicketPage { page: &page, row: &entry.row, entry: Some(&entry), table }.render()
            });
        }
    }

    #[test]
    fn the_page_at_the_door_is_complete_open_and_shut() {
        for is_open in [true, false] {
            samples::check(samples::ANYBODY, |page| {
                let door = Door { is_open, code: Some("K7X2QD".to_owned()) };
                let waits = vec![None, Some(Span::NOW), Some(Span { least: 10, most: 40 })];
                let wrong =
                    [("/name".to_owned(), page.t("field-empty")), ("/phone".to_owned(), page.t("field-no_phone"))];
                let refused = Some(page.t("error-waiting_list_full"));
                let door_page = DoorPage::of(&page, &door, "K7X2QD", 3, waits);
                DoorPage { wrong: wrong.into(), refused, ..door_page }.render()
            });
        }
    }

    #[test]
    fn the_screen_on_the_wall_is_complete_and_names_nobody() {
        let door = Door { is_open: true, code: Some("K7X2QD".to_owned()) };
        let both = [WaitingStatus::Waiting, WaitingStatus::Called];
        for entries in [both.map(waiting_party).to_vec(), Vec::new()] {
            samples::check(samples::ANYBODY, |page| {
                let url = "https://example.org/wait/K7X2QD".to_owned();
                let html = WaitingScreenPage::of(&page, &door, "K7X2QD", &entries, url).unwrap().render()?;
                assert!(!html.contains("하늘"), "{html}");
                Ok(html)
            });
        }
    }

    #[test]
    fn a_form_is_refused_at_each_field_that_is_wrong() {
        let form = |name: &str, party_size: &str, phone: &str| JoinForm {
            name: name.to_owned(),
            party_size: party_size.to_owned(),
            phone: phone.to_owned(),
        };
        assert!(form("하늘", "3", "").read().is_ok());
        let Err(Error::Refused(refusal)) = form(" ", "3", "call me").read() else { panic!("it is refused") };
        let pointers: Vec<_> = refusal.fields.iter().map(|it| it.pointer.as_str()).collect();
        assert_eq!(pointers, ["/name", "/phone"]);
    }
}
