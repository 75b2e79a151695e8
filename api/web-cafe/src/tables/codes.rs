//! `/admin/tables/qr`: the codes of the tables, on sheets to print.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, get};
use askama::Template;
use serde::Deserialize;

use base::auth::can;
use base::error::{bad_request, not_found};
use play::tables::{TableId, TableRow, page_url, store};
use web_base::config::Config;
use web_base::error::ApiResult;
use web_base::extract::Search;
use web_base::page::{Page, StaffPage};
use web_base::public_url::{base_url, leads_to_itself};
use web_base::qr::qr_picture;

#[derive(Template)]
#[template(path = "admin/tables/qr.html")]
struct CodesPage {
    page: Page,
    paper: Paper,
    table: Option<TableId>,
    sheets: Vec<Vec<Label>>,
    /// No phone would get to the address that is printed.
    is_for_nobody: bool,
    /// The network that a second code leads into.
    wifi: Option<String>,
}

/// What stands on a table.
struct Label {
    name: String,
    code: String,
    url: String,
    picture: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CodesSearch {
    /// On a sheet of A4: 1, 4 or 8.
    per_page: Option<usize>,
    /// `receipt` for a printer of receipts.
    paper: Option<String>,
    /// This table alone.
    table: Option<TableId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Paper {
    A4(usize),
    Receipt,
}

#[get("/admin/tables/qr")]
pub async fn show_codes(
    config: Data<Config>,
    request: HttpRequest,
    StaffPage { page, mut cx }: StaffPage<can::ManageTables>,
    Search(search): Search<CodesSearch>,
) -> ApiResult<HttpResponse> {
    let paper = Paper::of(&search).ok_or_else(|| bad_request("invalid_query"))?;
    let tables = store::list(cx.conn().await?, false).await?;
    let wanted = tables.into_iter().filter(|table| search.table.is_none_or(|id| id == table.id));
    let base = base_url(&config, &request);
    let sheets = paper.sheets(wanted.map(|table| Label::of(table, &base)));
    let wifi = page.sheets().wifi_name.clone();
    let is_for_nobody = leads_to_itself(&base);
    let template = CodesPage { page, paper, table: search.table, sheets, is_for_nobody, wifi };
    template.page.html(&template)
}

/// The second code of each sheet.
#[get("/admin/tables/qr/wifi.svg")]
pub async fn show_wifi_code(StaffPage { page, .. }: StaffPage<can::ManageTables>) -> ApiResult<HttpResponse> {
    let code = page.sheets().wifi_code().ok_or_else(|| not_found("not_found"))?;
    qr_picture(&code)
}

impl Label {
    fn of(table: TableRow, base: &str) -> Self {
        Self {
            url: page_url(base, &table.code),
            picture: format!("/api/v1/tables/{}/qr.svg", table.id),
            name: table.name,
            code: table.code,
        }
    }
}

impl Paper {
    const ALL: [Self; 4] = [Self::A4(1), Self::A4(4), Self::A4(8), Self::Receipt];

    fn of(search: &CodesSearch) -> Option<Self> {
        match (search.paper.as_deref(), search.per_page) {
            (None, per_page) => Some(Self::A4(per_page.unwrap_or(4))).filter(|paper| Self::ALL.contains(paper)),
            (Some("receipt"), None) => Some(Self::Receipt),
            _ => None,
        }
    }

    fn sheets(self, labels: impl Iterator<Item = Label>) -> Vec<Vec<Label>> {
        let mut sheets: Vec<Vec<Label>> = Vec::new();
        for label in labels {
            match sheets.last_mut().filter(|sheet| sheet.len() < self.holds()) {
                Some(sheet) => sheet.push(label),
                None => sheets.push(vec![label]),
            }
        }
        sheets
    }

    fn holds(self) -> usize {
        match self {
            Self::A4(labels) => labels,
            Self::Receipt => 1,
        }
    }

    /// Of its look in the style sheet.
    fn class(self) -> String {
        match self {
            Self::A4(labels) => format!("per-{labels}"),
            Self::Receipt => "receipt".to_owned(),
        }
    }

    fn address(self, table: Option<TableId>) -> String {
        let table = table.map(|id| format!("&table={id}")).unwrap_or_default();
        match self {
            Self::A4(labels) => format!("/admin/tables/qr?per_page={labels}{table}"),
            Self::Receipt => format!("/admin/tables/qr?paper=receipt{table}"),
        }
    }

    fn words(self, page: &Page) -> String {
        match self {
            Self::A4(labels) => page.say("qr-count").with("count", labels).to_string(),
            Self::Receipt => page.t("qr-receipt"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use web_base::page::samples;

    #[test]
    fn every_paper_is_complete() {
        for paper in Paper::ALL {
            samples::check(samples::STAFF, |page| {
                let tables = ["1번", "2번", "3번"].map(|name| Label::of(samples::table(name), "https://example.org"));
                let sheets = paper.sheets(tables.into_iter());
                let (table, wifi) = (Some(samples::table("1번").id), Some("하늘 카페".to_owned()));
                CodesPage { page, paper, table, sheets, is_for_nobody: true, wifi }.render()
            });
        }
        samples::check(samples::STAFF, |page| {
            let (sheets, paper) = (Vec::new(), Paper::Receipt);
            CodesPage { page, paper, table: None, sheets, is_for_nobody: false, wifi: None }.render()
        });
    }

    #[test]
    fn only_the_papers_on_offer_are_printed() {
        let paper = |per_page, paper: Option<&str>| {
            Paper::of(&CodesSearch { per_page, paper: paper.map(str::to_owned), table: None })
        };
        assert_eq!(paper(None, None), Some(Paper::A4(4)));
        assert_eq!(paper(Some(8), None), Some(Paper::A4(8)));
        assert_eq!(paper(None, Some("receipt")), Some(Paper::Receipt));
        for (per_page, named) in [(Some(0), None), (Some(3), None), (Some(4), Some("receipt")), (None, Some("a5"))] {
            assert_eq!(paper(per_page, named), None, "{per_page:?} {named:?}");
        }
    }
}
