//! One search through everything that staff look for: places, tables, matches, people, tournaments, series, variants, titles and
//! rules. It asks each noun for a few of its own, by an index or among the few that there are, and only for what the one who asks
//! may see.

pub mod admin;

use diesel_async::AsyncPgConnection;
use engine::catalogue;

use crate::library::guest::TitleWords;
use base::auth::Permission;
use base::codes::normal_code;
use base::names::holds;
use base::text::Lang;
use competitions::series;
use competitions::tournaments;
use play::library;
use play::matches;
use play::players::{self, Sought};
use play::tables;
use play::variants;
use web_base::error::ApiResult;
use web_base::page::{Page, Place};

const OF_EACH: usize = 6;

/// What was found of one kind.
pub(crate) struct Group {
    /// Of its name in the catalogues.
    pub name: &'static str,
    pub found: Vec<Found>,
}

/// Something that was found, and where it is.
pub(crate) struct Found {
    pub icon: &'static str,
    pub name: String,
    /// What tells it from others of that name.
    pub detail: String,
    pub path: String,
}

/// Everything that this text finds for the person who looks; groups that hold nothing are left out.
pub(crate) async fn find(conn: &mut AsyncPgConnection, page: &Page, text: &str) -> ApiResult<Vec<Group>> {
    let mut groups = vec![Group { name: "found-places", found: find_places(page, text) }];
    if page.may(&Permission::ViewFloor) {
        groups.push(Group { name: "tables", found: find_tables(conn, page, text).await? });
    }
    if page.may(&Permission::ViewMatches) {
        groups.push(Group { name: "matches", found: find_matches(conn, page, text).await? });
    }
    if page.may(&Permission::ViewPlayers) {
        groups.push(Group { name: "players-title", found: find_players(conn, page, text).await? });
    }
    if page.may(&Permission::ViewTournaments) {
        groups.push(Group { name: "tournaments", found: find_tournaments(conn, page, text).await? });
        groups.push(Group { name: "series", found: find_series(conn, page, text).await? });
    }
    if page.may(&Permission::ManageVariants) {
        groups.push(Group { name: "variants", found: find_variants(conn, page, text).await? });
    }
    if page.may(&Permission::ManageLibrary) {
        groups.push(Group { name: "library", found: find_titles(conn, page, text).await? });
    }
    groups.push(Group { name: "options", found: find_rules(page, text) });
    groups.retain(|group| !group.found.is_empty());
    Ok(groups)
}

/// By their name in any language.
fn find_places(page: &Page, text: &str) -> Vec<Found> {
    let is_named = |place: &&Place| Lang::ALL.iter().any(|lang| holds(&lang.text(place.name), text));
    let places = page.places().into_iter().flat_map(|(_, places)| places).filter(is_named);
    let found = |place: &Place| Found {
        icon: place.icon,
        name: page.t(place.name),
        detail: String::new(),
        path: place.path.to_owned(),
    };
    places.take(OF_EACH).map(found).collect()
}

async fn find_tables(conn: &mut AsyncPgConnection, page: &Page, text: &str) -> ApiResult<Vec<Found>> {
    let code = normal_code(text);
    let mut tables = tables::store::list(conn, false).await?;
    tables.retain(|it| {
        holds(&it.name, text) || it.area.as_deref().is_some_and(|area| holds(area, text)) || it.code == code
    });
    let found = |it: tables::TableRow| Found {
        icon: "tables",
        detail: it.area.unwrap_or_else(|| page.say("table-seats").with("seats", it.seats).to_string()),
        name: it.name,
        path: format!("/admin?table={}", it.id),
    };
    Ok(tables.into_iter().take(OF_EACH).map(found).collect())
}

/// By code, by the beginning of their name, or by their game as long as they are open.
async fn find_matches(conn: &mut AsyncPgConnection, page: &Page, text: &str) -> ApiResult<Vec<Found>> {
    let limit = OF_EACH as i64;
    let mut rows = matches::store::list_called(conn, &normal_code(text), &text.to_lowercase(), limit).await?;
    let games = games_named(page, text);
    if !games.is_empty() {
        let open = matches::store::list_open_of(conn, &games, limit).await?;
        let others: Vec<_> = open.into_iter().filter(|it| rows.iter().all(|row| row.id != it.id)).collect();
        rows.extend(others);
    }
    let found = |row: matches::MatchRow| Found {
        icon: row.status.icon(),
        name: row.name.unwrap_or_else(|| page.game_name(&row.game)),
        detail: format!("{} · {} · {}", row.code, page.game_name(&row.game), page.t(row.status.key())),
        path: format!("/admin/matches/{}", row.id),
    };
    Ok(rows.into_iter().take(OF_EACH).map(found).collect())
}

/// By the name of the game that they are of.
fn find_rules(page: &Page, text: &str) -> Vec<Found> {
    let found = |game: &'static str| Found {
        icon: "scroll",
        name: page.game_name(game),
        detail: page.t("options"),
        path: format!("/rules/{game}"),
    };
    games_named(page, text).into_iter().filter(|it| catalogue::find(it).is_some()).map(found).collect()
}

/// By its name in any language.
fn games_named(page: &Page, text: &str) -> Vec<&'static str> {
    let is_named = |id: &str| Lang::ALL.iter().any(|lang| holds(&lang.text(&format!("{id}-name")), text));
    page.games().into_iter().map(|(id, _)| id).filter(|id| is_named(id)).collect()
}

async fn find_players(conn: &mut AsyncPgConnection, page: &Page, text: &str) -> ApiResult<Vec<Found>> {
    let sought = Sought { text: Some(text), ..Sought::default() };
    let players = players::search(conn, &sought, OF_EACH as i64).await?;
    let found = |it: &players::PlayerRow| Found {
        icon: "person",
        name: page.player_name(it),
        detail: format!("#{} · {}", it.tag(), page.t(it.kind_key())),
        path: format!("/admin/players/{}", it.id),
    };
    Ok(players.iter().map(found).collect())
}

/// By code or name.
async fn find_tournaments(conn: &mut AsyncPgConnection, page: &Page, text: &str) -> ApiResult<Vec<Found>> {
    let rows = tournaments::store::search(conn, &normal_code(text), text, OF_EACH as i64).await?;
    let found = |row: tournaments::TournamentRow| Found {
        icon: "bracket",
        detail: format!("{} · {}", row.code, page.t(row.status.key())),
        path: format!("/admin/tournaments/{}", row.id),
        name: row.name,
    };
    Ok(rows.into_iter().map(found).collect())
}

/// By code or name.
async fn find_series(conn: &mut AsyncPgConnection, page: &Page, text: &str) -> ApiResult<Vec<Found>> {
    let rows = series::store::search(conn, &normal_code(text), text, OF_EACH as i64).await?;
    let found = |row: series::SeriesRow| Found {
        icon: row.status.icon(),
        detail: format!("{} · {}", row.code, page.t(row.status.key())),
        path: format!("/admin/series/{}", row.id),
        name: row.name,
    };
    Ok(rows.into_iter().map(found).collect())
}

async fn find_variants(conn: &mut AsyncPgConnection, page: &Page, text: &str) -> ApiResult<Vec<Found>> {
    let variants = variants::search(conn, text, OF_EACH as i64).await?;
    let found = |it: variants::VariantRow| Found {
        icon: "flag",
        detail: page.game_name(&it.game),
        path: format!("/admin/variants/{}", it.id),
        name: it.name,
    };
    Ok(variants.into_iter().map(found).collect())
}

async fn find_titles(conn: &mut AsyncPgConnection, page: &Page, text: &str) -> ApiResult<Vec<Found>> {
    let titles = library::search(conn, page.lang, text, OF_EACH as i64).await?;
    let found = |it: library::TitleRow| Found {
        icon: "book",
        name: it.name(page.lang).to_owned(),
        detail: it.players(page).to_string(),
        path: format!("/admin/library/titles/{}", it.id),
    };
    Ok(titles.into_iter().map(found).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_found_by_its_name_in_any_language() {
        let paths = |text: &str| -> Vec<String> {
            find_places(&Page::sample(Lang::Ko), text).into_iter().map(|it| it.path).collect()
        };
        for text in ["Library", "라이브러리", "ㄹㅇㅂㄹ", "ludo"] {
            assert!(paths(text).contains(&"/admin/library".to_owned()), "{text}: {:?}", paths(text));
        }
        assert!(paths("qqq").is_empty());
    }

    #[test]
    fn rules_are_found_by_the_name_of_their_game() {
        let paths = |text: &str| -> Vec<String> {
            find_rules(&Page::sample(Lang::En), text).into_iter().map(|it| it.path).collect()
        };
        for text in ["Middle Race", "중간", "ㅈㄱㄷㄹㄱ"] {
            assert_eq!(paths(text), ["/rules/middle-race"], "{text}");
        }
        assert!(paths("%").is_empty() && paths("_").is_empty());
    }
}
