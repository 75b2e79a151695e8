//! Every handler, in one list, grouped by who calls it. URLs stand at the handlers, so that the OpenAPI document and
//! the routing cannot disagree; `houserules openapi` lists them all.

use std::sync::LazyLock;

use actix_web::dev::{ResourceDef, ServiceFactory, ServiceRequest, ServiceResponse};
use actix_web::http::{Method, StatusCode};
use actix_web::{Error, HttpRequest, HttpResponse, web};
use utoipa::openapi::PathItem;
use utoipa_actix_web::scope::{Scope, scope};

use crate::error::{ApiError, ApiResult, not_found, refused};
use crate::{
    assets, audit, cafe, calls, floor, games, library, matches, openapi, operations, page, players, ratings, sessions,
    sittings, staff, stats, tables, tallies, telemetry, trials, undo, variants,
};

/// The JSON API: players' apps, the bracket admin, our own pages.
pub fn api()
-> Scope<impl ServiceFactory<ServiceRequest, Config = (), Response = ServiceResponse, Error = Error, InitError = ()>> {
    scope("/api/v1")
        // The router tries one after the other: what is asked for all the time stands first.
        .service(matches::rest::play_move)
        .service(matches::rest::find_view)
        .service(sessions::rest::create_guest)
        .service(sessions::rest::register_player)
        .service(sessions::rest::log_in)
        .service(sessions::rest::refresh_session)
        .service(sessions::rest::log_out)
        .service(sessions::rest::list_sessions)
        .service(sessions::rest::end_session)
        .service(sessions::rest::log_out_everywhere)
        .service(players::rest::find_me)
        .service(players::rest::change_me)
        .service(players::rest::delete_me)
        .service(players::rest::change_password)
        .service(players::rest::export_me)
        .service(players::desk::search_players)
        .service(players::rest::find_player)
        .service(players::desk::rename_player)
        .service(players::desk::ban_player)
        .service(players::desk::lift_ban)
        .service(players::desk::sign_player_out)
        .service(players::desk::plan_merge)
        .service(players::desk::merge_player)
        .service(ratings::rest::list_rating_changes)
        .service(tallies::rest::list_player_matches)
        .service(tallies::rest::find_player_stats)
        .service(ratings::rest::list_leaderboard)
        .service(games::rest::list_games)
        .service(games::rest::find_game)
        .service(games::rules::find_rules)
        .service(matches::rest::create_match)
        .service(matches::rest::list_matches)
        .service(matches::rest::find_match_by_code)
        .service(matches::rest::find_match)
        .service(matches::rest::take_seat)
        .service(matches::rest::leave_seat)
        .service(matches::rest::start_match)
        .service(matches::rest::list_events)
        .service(matches::replay_match)
        .service(matches::stream_match)
        .service(matches::rest::resign_match)
        .service(matches::rest::abort_match)
        .service(matches::rest::find_record)
        .service(matches::rest::create_rematch)
        .service(matches::rest::remove_player)
        .service(matches::rest::offer_seat)
        .service(matches::list_invitations)
        .service(matches::create_invitation)
        .service(matches::delete_invitation)
        .service(variants::rest::list_variants)
        .service(variants::rest::create_variant)
        .service(variants::rest::find_variant)
        .service(variants::rest::change_variant)
        .service(variants::rest::list_variant_versions)
        .service(variants::rest::create_variant_version)
        .service(variants::rest::compare_variant_versions)
        .service(variants::rest::publish_variant)
        .service(variants::rest::retire_variant)
        .service(cafe::rest::find_cafe)
        .service(cafe::rest::change_cafe)
        .service(staff::rest::list_staff)
        .service(staff::rest::list_staff_invitations)
        .service(staff::rest::create_staff_invitation)
        .service(staff::rest::withdraw_invitation)
        .service(staff::rest::change_staff)
        .service(staff::rest::create_password_link)
        .service(staff::rest::end_staff_sessions)
        .service(staff::rest::forget_second_factor)
        .service(audit::rest::list_audit)
        .service(audit::rest::check_audit)
        .service(operations::rest::find_operations)
        .service(stats::rest::find_stats_summary)
        .service(stats::rest::list_stats_days)
        .service(stats::rest::list_stats_games)
        .service(stats::rest::list_stats_hours)
        .service(stats::rest::list_stats_lengths)
        .service(stats::rest::list_stats_seats)
        .service(stats::rest::find_stats_returning)
        .service(library::rest::list_titles)
        .service(library::rest::create_title)
        .service(library::rest::find_title)
        .service(library::rest::change_title)
        .service(library::rest::archive_title)
        .service(library::rest::restore_title)
        .service(library::rest::list_copies)
        .service(library::rest::add_copy)
        .service(library::rest::list_copies_by_state)
        .service(library::rest::find_copy)
        .service(library::rest::change_copy)
        .service(library::rest::list_copy_history)
        .service(library::rest::list_copy_notes)
        .service(library::rest::add_copy_note)
        .service(library::rest::settle_copy_note)
        .service(library::rest::move_copy)
        .service(library::rest::export_library)
        .service(library::rest::import_library)
        .service(tables::rest::list_tables)
        .service(tables::rest::create_table)
        .service(sittings::rest::find_table_by_code)
        .service(sittings::rest::scan_table)
        .service(tables::rest::find_table)
        .service(tables::rest::change_table)
        .service(tables::rest::show_table_qr)
        .service(sittings::rest::list_sittings)
        .service(sittings::rest::open_sitting)
        .service(sittings::rest::join_sitting)
        .service(sittings::rest::find_sitting)
        .service(sittings::rest::change_sitting)
        .service(sittings::rest::close_sitting)
        .service(sittings::rest::merge_sittings)
        .service(calls::rest::create_call)
        .service(calls::rest::list_sitting_calls)
        .service(calls::rest::take_back_call)
        .service(calls::rest::list_calls)
        .service(calls::rest::answer_call)
        .service(undo::rest::list_undos)
        .service(undo::rest::undo)
}

/// What is not in the document: pages, and what operations need.
pub fn others(app: &mut web::ServiceConfig) {
    app.service(assets::show_asset)
        .service(page::preferences::save_preferences)
        .service(tables::guest::show_home)
        .service(sittings::guest::show_table)
        .service(sittings::guest::join_table)
        .service(sittings::guest::call_staff)
        .service(sittings::guest::take_back_call)
        .service(games::rules::show_rules)
        .service(players::admin::show_set_up)
        .service(players::admin::set_up)
        .service(players::admin::show_players)
        .service(players::admin::choose_merge)
        .service(players::admin::merge_player)
        .service(players::admin::show_player)
        .service(players::admin::rename_player)
        .service(players::admin::ban_player)
        .service(players::admin::lift_ban)
        .service(players::admin::sign_player_out)
        .service(ratings::admin::show_leaderboards)
        .service(ratings::admin::show_guest_leaderboards)
        .service(sessions::admin::show_sign_in)
        .service(sessions::admin::sign_in)
        .service(sessions::admin::sign_in_with_code)
        .service(sessions::admin::sign_out)
        .service(floor::admin::show_floor)
        .service(floor::admin::show_screen)
        .service(floor::live::watch_floor)
        .service(floor::live::watch_match)
        .service(tables::admin::show_tables)
        .service(tables::admin::make_table)
        .service(tables::codes::show_codes)
        .service(tables::history::show_history)
        .service(tables::admin::change_table)
        .service(tables::admin::move_table)
        .service(tables::admin::archive_table)
        .service(tables::admin::restore_table)
        .service(variants::admin::show_variants)
        .service(variants::admin::show_new_variant)
        .service(variants::admin::make_variant)
        .service(variants::admin::show_variant)
        .service(variants::admin::show_variant_form)
        .service(variants::admin::change_variant)
        .service(variants::admin::publish_variant)
        .service(variants::admin::retire_variant)
        .service(trials::admin::start_trial)
        .service(trials::admin::show_trial)
        .service(trials::admin::move_in_trial)
        .service(trials::admin::let_house_move)
        .service(library::guest::show_library)
        .service(library::admin::show_library)
        .service(library::admin::import::show_import)
        .service(library::admin::import::import_library)
        .service(library::admin::show_new_title)
        .service(library::admin::make_title)
        .service(library::admin::show_title_form)
        .service(library::admin::show_title)
        .service(library::admin::change_title)
        .service(library::admin::archive_title)
        .service(library::admin::restore_title)
        .service(library::admin::copies::add_copy)
        .service(library::admin::copies::change_shelf)
        .service(library::admin::copies::archive_copy)
        .service(library::admin::copies::restore_copy)
        .service(library::admin::copies::add_note)
        .service(library::admin::copies::settle_note)
        .service(library::admin::copies::open_note)
        .service(library::admin::copies::move_copy)
        .service(tables::admin::set_service)
        .service(sittings::admin::seat_party)
        .service(sittings::admin::resize_party)
        .service(sittings::admin::move_party)
        .service(sittings::admin::mark_closing)
        .service(sittings::admin::mark_staying)
        .service(sittings::admin::let_stay_longer)
        .service(sittings::admin::close_party)
        .service(sittings::admin::merge_parties)
        .service(sittings::admin::start_match)
        .service(calls::admin::answer_call)
        .service(undo::admin::undo)
        .service(matches::admin::show_matches)
        .service(matches::admin::show_match)
        .service(matches::admin::abort_match)
        .service(matches::admin::show_seat)
        .service(matches::admin::remove_from_seat)
        .service(matches::admin::offer_seat)
        .service(matches::admin::reveal_match)
        .service(matches::admin::hide_match)
        .service(cafe::logo::show_logo)
        .service(cafe::admin::show_settings)
        .service(cafe::admin::change_settings)
        .service(cafe::admin::change_logo)
        .service(cafe::admin::remove_logo)
        .service(staff::welcome::show_welcome)
        .service(staff::welcome::welcome)
        .service(staff::account::show)
        .service(staff::account::begin_second_factor)
        .service(staff::account::turn_on_second_factor)
        .service(staff::account::turn_off_second_factor)
        .service(staff::account::end_session)
        .service(staff::account::end_other_sessions)
        .service(staff::admin::show_staff)
        .service(staff::admin::invite)
        .service(staff::admin::withdraw_invitation)
        .service(staff::admin::change_role)
        .service(staff::admin::offer_password)
        .service(staff::admin::end_sessions)
        .service(staff::admin::reset_second_factor)
        .service(stats::admin::show_stats)
        .service(stats::admin::export_stats)
        .service(audit::admin::show_audit)
        .service(audit::admin::export_audit)
        .service(audit::admin::check_audit)
        .service(operations::admin::show_operations)
        .service(openapi::show_document)
        .service(openapi::redirect_to_docs)
        .service(openapi::show_docs)
        .service(telemetry::healthz)
        .service(telemetry::readyz)
        .service(telemetry::metrics_page);
}

/// Whatever no route took: a wrong method where the document has the path, an unknown path otherwise.
pub async fn nowhere(request: HttpRequest) -> ApiResult<HttpResponse> {
    match PATHS.iter().find(|(path, _)| path.is_match(request.path())) {
        Some((_, methods)) => Err(refused(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed").allow(methods.clone())),
        None => Err(not_found("unknown_route")),
    }
}

/// What stands where an id should and is none: an address of its own that does not take the method, or nothing at all.
pub fn no_such_thing(path: &str) -> ApiError {
    match PATHS.iter().find(|(it, _)| it.pattern() == Some(path)) {
        Some((_, methods)) => refused(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed").allow(methods.clone()),
        None => not_found("not_found"),
    }
}

static PATHS: LazyLock<Vec<(ResourceDef, Vec<Method>)>> = LazyLock::new(|| {
    const READ_ONLY: [&str; 5] = ["/healthz", "/readyz", "/metrics", openapi::DOCUMENT_URL, "/api/docs/{file:.*}"];
    let documented = openapi::document().paths.paths.iter();
    let documented = documented.map(|(path, item)| (ResourceDef::new(path.as_str()), methods(item)));
    let read_only = READ_ONLY.map(|path| (ResourceDef::new(path), vec![Method::GET]));
    documented.chain(read_only).collect()
});

fn methods(item: &PathItem) -> Vec<Method> {
    let operations = [
        (Method::GET, &item.get),
        (Method::POST, &item.post),
        (Method::PUT, &item.put),
        (Method::PATCH, &item.patch),
        (Method::DELETE, &item.delete),
    ];
    operations.into_iter().filter(|(_, operation)| operation.is_some()).map(|(method, _)| method).collect()
}
