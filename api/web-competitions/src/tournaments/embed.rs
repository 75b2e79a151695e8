//! `/tournaments/{code}/embed`: bracket and standings for a frame on another site, without cookies, and without scripts if need be.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, get};
use askama::Template;
use serde::Deserialize;

use super::view::{Stage, TournamentView};
use base::db::Db;
use base::error::not_found;
use base::text::Lang;
use web_base::config::Config;
use web_base::error::ApiResult;
use web_base::extract::{Path, Search};
use web_base::page::{Page, Theme, live_part};
use web_base::public_url::base_url;

#[derive(Template)]
#[template(path = "guest/tournament-embed.html")]
struct EmbedPage<'a> {
    page: &'a Page,
    view: &'a TournamentView,
    stages: Vec<&'a Stage>,
    /// The tournament's own page.
    url: String,
}

live_part!(EmbedPageLive of EmbedPage, "guest/tournament-embed-live.html");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EmbedSearch {
    /// As the reader's machine has it, if left out.
    theme: Option<Theme>,
    /// The reader's own, if left out.
    lang: Option<Lang>,
    /// All that have begun, if left out.
    stage: Option<i16>,
}

#[get("/tournaments/{code}/embed")]
pub async fn show_embedded_tournament(
    db: Data<Db>,
    (config, request): (Data<Config>, HttpRequest),
    page: Page,
    Path(code): Path<String>,
    Search(search): Search<EmbedSearch>,
) -> ApiResult<HttpResponse> {
    let page = page.in_frame(search.theme.unwrap_or(Theme::Auto), search.lang);
    let mut conn = db.conn().await?;
    let id = competitions::tournaments::find_by_code(&mut conn, &code).await?;
    let view = TournamentView::of(&page, competitions::tournaments::load(&mut conn, id, false).await?)?;
    let stages = match search.stage {
        None => view.stages.iter().collect(),
        Some(number) => vec![view.stage_shown(number).ok_or_else(|| not_found("stage_not_found"))?],
    };
    let url = format!("{}{}", base_url(&config, &request), view.path());
    let template = EmbedPage { page: &page, view: &view, stages, url };
    if page.fragment { page.html_in_frame(&template.as_live()) } else { page.html_in_frame(&template) }
}

/// What somebody puts into their own page to show this tournament.
pub(super) fn snippet(base: &str, view: &TournamentView) -> String {
    let title = view.row.name.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
    let address = format!("{base}{}/embed", view.path());
    format!(r#"<iframe src="{address}" title="{title}" width="100%" height="640" loading="lazy"></iframe>"#)
}

#[cfg(test)]
mod tests {
    use competitions::tournaments::TournamentStatus;

    use super::*;
    use crate::tournaments::samples::moments;
    use web_base::page::samples;

    #[test]
    fn a_frame_is_complete_at_every_moment_and_asks_for_nothing() {
        let public =
            moments().into_iter().filter(|it| it.row.status != TournamentStatus::Draft && it.draft().is_none());
        for tournament in public {
            samples::check(samples::ANYBODY, |page| {
                let view = TournamentView::of(&page, tournament.clone()).unwrap();
                let url = "https://example.org/tournaments/XYZ234".to_owned();
                let shown =
                    EmbedPage { page: &page, view: &view, stages: view.stages.iter().collect(), url }.render().unwrap();
                assert!(!shown.contains("<form") && !shown.contains("csrf"), "a frame has no forms");
                Ok(shown)
            });
        }
    }

    #[test]
    fn a_name_cannot_end_the_snippet() {
        let page = Page::sample(Lang::En);
        let mut tournament = moments().remove(1);
        tournament.row.name = r#""><script> & co"#.to_owned();
        let view = TournamentView::of(&page, tournament).unwrap();
        assert_eq!(
            snippet("https://example.org", &view),
            r#"<iframe src="https://example.org/tournaments/XYZ234/embed" title="&quot;>&lt;script> &amp; co" width="100%" height="640" loading="lazy"></iframe>"#
        );
    }
}
