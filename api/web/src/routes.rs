//! Every handler, in one list, grouped by who calls it. URLs stand at the handlers, so that the OpenAPI document and
//! the routing cannot disagree; `houserules openapi` lists them all. Only the document itself is served from `openapi`, which reads this list.

use actix_web::dev::{HttpServiceFactory, ServiceFactory, ServiceRequest};
use actix_web::{Error, HttpRequest, HttpResponse, web};
use utoipa_actix_web::OpenApiFactory;

use crate::app_links;
use crate::pwa;
use crate::telemetry;
use crate::tls;
use web_base::addresses::Addresses;
use web_base::assets;
use web_base::error::ApiResult;
use web_base::limits;
use web_base::page;
use web_cafe::calls;
use web_cafe::claims;
use web_cafe::closing;
use web_cafe::floor;
use web_cafe::library;
use web_cafe::opening;
use web_cafe::operations;
use web_cafe::search;
use web_cafe::settings;
use web_cafe::shift_notes;
use web_cafe::sittings;
use web_cafe::stats;
use web_cafe::tables;
use web_cafe::undo;
use web_cafe::waiting;
use web_cafe::webhooks;
use web_competitions::series;
use web_competitions::tournaments;
use web_people::api_keys;
use web_people::audit;
use web_people::oidc;
use web_people::player_stats;
use web_people::players;
use web_people::ratings;
use web_people::sessions;
use web_people::staff;
use web_play::games;
use web_play::lab;
use web_play::matches;
use web_play::play;
use web_play::trials;
use web_play::variants;

/// What takes handlers: the routing of a worker, or the document. A worker needs no descriptions, and to put them together took a third of
/// its start.
pub trait Handlers {
    #[must_use]
    fn service(self, handler: impl HttpServiceFactory + OpenApiFactory + 'static) -> Self;
}

impl Handlers for actix_web::Scope {
    fn service(self, handler: impl HttpServiceFactory + OpenApiFactory + 'static) -> Self {
        actix_web::Scope::service(self, handler)
    }
}

impl<T> Handlers for utoipa_actix_web::scope::Scope<T>
where
    T: ServiceFactory<ServiceRequest, Config = (), Error = Error, InitError = ()>,
{
    fn service(self, handler: impl HttpServiceFactory + OpenApiFactory + 'static) -> Self {
        utoipa_actix_web::scope::Scope::service(self, handler)
    }
}

/// Below which path the JSON API lies.
pub const API: &str = "/api/v1";

/// The JSON API: players' apps, the bracket admin, our own pages.
pub fn api<S: Handlers>(scope: S) -> S {
    scope
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
        .service(players::rest_staff::search_players)
        .service(players::rest::find_player)
        .service(players::rest_staff::rename_player)
        .service(players::rest_staff::ban_player)
        .service(players::rest_staff::lift_ban)
        .service(players::rest_staff::sign_player_out)
        .service(players::rest_staff::plan_merge)
        .service(players::rest_staff::merge_player)
        .service(ratings::rest::list_rating_changes)
        .service(player_stats::rest::list_player_matches)
        .service(player_stats::rest::find_player_stats)
        .service(ratings::rest::list_leaderboard)
        .service(games::rest::list_games)
        .service(games::rest::find_game)
        .service(games::rules::find_rules)
        .service(games::wordbook::find_words)
        .service(matches::reactions::list_reactions)
        .service(matches::rest::create_match)
        .service(matches::rest::list_matches)
        .service(matches::rest::find_match_by_code)
        .service(matches::rest::find_match)
        .service(matches::rest::take_seat)
        .service(matches::rest::leave_seat)
        .service(matches::rest::remove_bot)
        .service(matches::rest::start_match)
        .service(matches::rest::list_events)
        .service(matches::replay::replay_match)
        .service(matches::stream::stream_match)
        .service(matches::reactions::send_reaction)
        .service(matches::rest::resign_match)
        .service(matches::rest::take_seat_back)
        .service(matches::rest::abort_match)
        .service(matches::rest::find_record)
        .service(matches::rest::create_rematch)
        .service(matches::rest::remove_player)
        .service(matches::rest::offer_seat)
        .service(matches::results::rest::report_result)
        .service(matches::results::rest::confirm_result)
        .service(matches::results::rest::list_results)
        .service(matches::results::rest::list_waiting_results)
        .service(matches::invitations::list_invitations)
        .service(matches::invitations::create_invitation)
        .service(matches::invitations::delete_invitation)
        .service(tournaments::rest::list_tournaments)
        .service(tournaments::rest::create_tournament)
        .service(tournaments::rest::find_tournament_by_code)
        .service(tournaments::rest::find_tournament)
        .service(tournaments::rest::change_tournament)
        .service(tournaments::rest::copy_tournament)
        .service(tournaments::rest::open_tournament_registration)
        .service(tournaments::rest::open_tournament_check_in)
        .service(tournaments::rest::start_tournament)
        .service(tournaments::rest::start_next_stage)
        .service(tournaments::rest::finish_tournament)
        .service(tournaments::rest::cancel_tournament)
        .service(tournaments::rest::pair_tournament)
        .service(tournaments::rest::bouts::preview_pairing)
        .service(tournaments::rest::bouts::list_tournament_bouts)
        .service(tournaments::rest::bouts::write_bout_results)
        .service(tournaments::rest::log::list_tournament_log)
        .service(tournaments::rest::log::undo_tournament_step)
        .service(tournaments::rest::discard_tournament_draft)
        .service(tournaments::rest::list_tournament_standings)
        .service(tournaments::rest::list_tournament_bracket)
        .service(tournaments::rest::stream_tournament)
        .service(tournaments::rest::entrants::list_entrants)
        .service(tournaments::rest::entrants::enter_tournament)
        .service(tournaments::rest::entrants::enter_list)
        .service(tournaments::rest::entrants::check_in_myself)
        .service(tournaments::rest::entrants::drop_out_myself)
        .service(tournaments::rest::arena::find_arena)
        .service(tournaments::rest::arena::pause_myself)
        .service(tournaments::rest::arena::resume_myself)
        .service(tournaments::rest::arena::pause_entrant)
        .service(tournaments::rest::arena::resume_entrant)
        .service(tournaments::rest::arena::pause_arena)
        .service(tournaments::rest::arena::resume_arena)
        .service(tournaments::rest::arena::end_arena)
        .service(tournaments::rest::entrants::check_in_entrant)
        .service(tournaments::rest::entrants::take_back_check_in)
        .service(tournaments::rest::entrants::mark_no_show)
        .service(tournaments::rest::entrants::reinstate_entrant)
        .service(tournaments::rest::entrants::drop_entrant)
        .service(tournaments::rest::entrants::seed_tournament)
        .service(tournaments::rest::entrants::rate_entrant)
        .service(tournaments::rest::entrants::set_entrant_team)
        .service(tournaments::rest::entrants::set_entrant_table)
        .service(tournaments::rest::rulings::find_rulings)
        .service(tournaments::rest::rulings::set_rulings)
        .service(tournaments::rest::entrants::list_regulars)
        .service(tournaments::rest::rounds::swap_entrants)
        .service(tournaments::rest::rounds::lock_bout)
        .service(tournaments::rest::rounds::unlock_bout)
        .service(tournaments::rest::rounds::publish_round)
        .service(tournaments::rest::rounds::withdraw_round)
        .service(tournaments::rest::rounds::start_round)
        .service(tournaments::rest::rounds::add_minutes)
        .service(tournaments::rest::rounds::pause_round_clock)
        .service(tournaments::rest::rounds::resume_round_clock)
        .service(tournaments::rest::rounds::set_break)
        .service(tournaments::rest::rounds::end_break)
        .service(tournaments::rest::rounds::write_bout_result)
        .service(tournaments::rest::rounds::find_following)
        .service(tournaments::rest::rounds::correct_bout)
        .service(tournaments::rest::rounds::give_table)
        .service(tournaments::rest::rounds::play_bout_again)
        .service(tournaments::rest::sheets::export_tournament)
        .service(tournaments::rest::sheets::export_standings)
        .service(tournaments::rest::sheets::export_pairings)
        .service(tournaments::rest::sheets::export_trf)
        .service(tournaments::rest::sheets::export_brackets_viewer)
        .service(tournaments::rest::sheets::export_open_bracket)
        .service(series::rest::list_series)
        .service(series::rest::create_series)
        .service(series::rest::find_series_by_code)
        .service(series::rest::find_series)
        .service(series::rest::change_series)
        .service(series::rest::delete_series)
        .service(series::rest::put_series_event)
        .service(series::rest::remove_series_event)
        .service(series::rest::set_series_person)
        .service(series::rest::plan_next_season)
        .service(series::rest::end_season)
        .service(series::rest::seed_from_series)
        .service(series::rest::export_series_table)
        .service(variants::rest::list_variants)
        .service(variants::rest::create_variant)
        .service(variants::rest::find_variant)
        .service(variants::rest::change_variant)
        .service(variants::rest::list_variant_versions)
        .service(variants::rest::create_variant_version)
        .service(variants::rest::compare_variant_versions)
        .service(lab::rest::find_lab)
        .service(lab::rest::ask_lab)
        .service(lab::rest::cancel_lab)
        .service(variants::rest::publish_variant)
        .service(variants::rest::retire_variant)
        .service(settings::rest::find_cafe)
        .service(settings::rest::change_cafe)
        .service(settings::tariff::rest::find_tariff)
        .service(settings::tariff::rest::change_tariff)
        .service(settings::tariff::rest::remove_tariff)
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
        .service(operations::rest::request_backup)
        .service(limits::rest::list_limits)
        .service(stats::rest::find_stats_summary)
        .service(stats::rest::list_stats_days)
        .service(stats::rest::list_stats_games)
        .service(stats::rest::list_stats_hours)
        .service(stats::rest::list_stats_tables)
        .service(stats::rest::list_stats_lengths)
        .service(stats::rest::list_stats_seats)
        .service(stats::rest::list_stats_orders)
        .service(stats::rest::list_stats_roles)
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
        .service(tables::rest::renew_table_code)
        .service(tables::rest::show_table_qr)
        .service(tables::plan::rest::list_floor_plans)
        .service(tables::plan::rest::save_floor_plan)
        .service(sittings::rest::list_sittings)
        .service(sittings::rest::open_sitting)
        .service(sittings::rest::join_sitting)
        .service(sittings::rest::find_sitting)
        .service(sittings::rest::change_sitting)
        .service(sittings::rest::close_sitting)
        .service(sittings::rest::remove_member)
        .service(sittings::rest::merge_sittings)
        .service(calls::rest::create_call)
        .service(calls::rest::list_sitting_calls)
        .service(calls::rest::take_back_call)
        .service(calls::rest::list_calls)
        .service(calls::rest::answer_call)
        .service(claims::rest::list_table_guests)
        .service(claims::rest::create_claim)
        .service(claims::rest::find_own_claim)
        .service(claims::rest::withdraw_claim)
        .service(claims::rest::take_claim)
        .service(claims::rest::list_sitting_claims)
        .service(claims::rest::list_claims)
        .service(claims::rest::answer_claim)
        .service(shift_notes::rest::list_shift_notes)
        .service(shift_notes::rest::write_shift_note)
        .service(shift_notes::rest::mark_shift_note_read)
        .service(closing::rest::find_day)
        .service(closing::rest::close_the_day)
        .service(waiting::rest::list_waiting)
        .service(waiting::rest::add_waiting)
        .service(waiting::rest::find_waiting_door)
        .service(waiting::rest::renew_waiting_code)
        .service(waiting::rest::open_waiting_door)
        .service(waiting::rest::join_waiting)
        .service(waiting::rest::find_own_waiting)
        .service(waiting::rest::leave_waiting)
        .service(waiting::rest::find_waiting)
        .service(waiting::rest::change_waiting)
        .service(waiting::rest::seat_waiting)
        .service(webhooks::rest::list_webhooks)
        .service(webhooks::rest::create_webhook)
        .service(webhooks::rest::find_webhook)
        .service(webhooks::rest::change_webhook)
        .service(webhooks::rest::delete_webhook)
        .service(webhooks::rest::test_webhook)
        .service(webhooks::rest::list_deliveries)
        .service(webhooks::rest::resend_delivery)
        .service(api_keys::rest::list_keys)
        .service(api_keys::rest::create_key)
        .service(api_keys::rest::revoke_key)
        .service(undo::rest::list_undos)
        .service(undo::rest::undo)
}

/// What is not in the document: pages, and what operations need.
pub fn others(app: &mut web::ServiceConfig) {
    app.service(assets::show_asset)
        .service(page::preferences::save_preferences)
        .service(tables::guest::show_home)
        .service(pwa::show_manifest)
        .service(app_links::show_apple_apps)
        .service(app_links::show_android_apps)
        .service(pwa::show_service_worker)
        .service(pwa::show_offline)
        .service(sittings::guest::show_table)
        .service(sittings::guest::join_table)
        .service(sittings::guest::call_staff)
        .service(sittings::guest::take_back_call)
        .service(sittings::guest::watch_table)
        .service(sittings::guest::show_table_code)
        .service(waiting::guest::show_ticket)
        .service(waiting::guest::watch_ticket)
        .service(waiting::guest::leave)
        .service(waiting::guest::show_door)
        .service(waiting::guest::watch_door)
        .service(waiting::guest::join)
        .service(claims::guest::show_claim)
        .service(claims::guest::ask)
        .service(claims::guest::take)
        .service(claims::guest::answer)
        .service(claims::admin::answer_claim)
        .service(sessions::guest::hand_over)
        .service(sessions::guest::end_other)
        .service(play::guest::show_match)
        .service(play::live::watch_match)
        .service(play::guest::make_move)
        .service(play::reactions::send_reaction)
        .service(play::guest::sit_down)
        .service(play::guest::get_up)
        .service(play::guest::start_match)
        .service(play::guest::seat_bot)
        .service(play::guest::remove_bot)
        .service(play::guest::abort_match)
        .service(play::guest::resign)
        .service(play::guest::take_back)
        .service(play::guest::sit_down_too)
        .service(play::guest::show_code)
        .service(play::guest::play_again)
        .service(play::guest::write_result)
        .service(play::guest::confirm_result)
        .service(oidc::guest::begin_sign_in)
        .service(oidc::guest::finish_sign_in)
        .service(oidc::guest::unlink_sign_in)
        .service(players::guest::show_me)
        .service(players::guest::rename_me)
        .service(players::guest::register_me)
        .service(players::guest::sign_me_in)
        .service(players::guest::sign_me_out)
        .service(players::guest::end_my_session)
        .service(players::guest::change_my_password)
        .service(players::guest::delete_me)
        .service(play::start::show_games)
        .service(play::start::make_match)
        .service(series::guest::show_guest_series)
        .service(series::guest::watch_guest_series)
        .service(tournaments::guest::show_guest_tournaments)
        .service(tournaments::guest::show_guest_tournament)
        .service(tournaments::guest::watch_guest_tournament)
        .service(tournaments::embed::show_embedded_tournament)
        .service(tournaments::guest::enter_tournament)
        .service(tournaments::guest::check_in_oneself)
        .service(tournaments::guest::leave_tournament)
        .service(tournaments::guest::pause_in_arena)
        .service(tournaments::guest::resume_in_arena)
        .service(games::rules::show_rules)
        .service(players::admin::show_set_up)
        .service(players::admin::set_up)
        .service(players::admin::show_players)
        .service(players::admin::choose_merge)
        .service(players::admin::merge_player)
        .service(players::admin::show_player)
        .service(players::admin::rename_player)
        .service(players::admin::reset_name)
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
        .service(waiting::admin::show_waiting)
        .service(waiting::admin::add_party)
        .service(waiting::door::show_waiting_door)
        .service(waiting::door::renew_door)
        .service(waiting::door::show_door_code)
        .service(waiting::door::show_party_code)
        .service(waiting::admin::show_party)
        .service(waiting::admin::call_party)
        .service(waiting::admin::mark_no_show)
        .service(waiting::admin::mark_gone)
        .service(waiting::admin::seat_party)
        .service(search::admin::show_search)
        .service(floor::live::watch_floor)
        .service(floor::live::watch_match)
        .service(tournaments::live::watch_tournament)
        .service(tables::admin::show_tables)
        .service(tables::admin::make_table)
        .service(tables::plan::admin::show_plan)
        .service(tables::plan::admin::save_plan)
        .service(tables::codes::show_wifi_code)
        .service(tables::codes::show_codes)
        .service(tables::history::show_history)
        .service(tables::admin::change_table)
        .service(tables::admin::move_table)
        .service(tables::admin::archive_table)
        .service(tables::admin::renew_code)
        .service(tables::admin::restore_table)
        .service(variants::admin::show_variants)
        .service(variants::admin::show_new_variant)
        .service(variants::admin::make_variant)
        .service(variants::admin::show_variant)
        .service(variants::admin::show_variant_form)
        .service(variants::admin::change_variant)
        .service(variants::admin::publish_variant)
        .service(variants::admin::retire_variant)
        .service(lab::admin::show_lab)
        .service(lab::admin::ask_lab)
        .service(lab::admin::cancel_lab)
        .service(trials::admin::start_trial)
        .service(trials::admin::show_trial)
        .service(trials::admin::move_in_trial)
        .service(trials::admin::let_autopilot_move)
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
        .service(shift_notes::admin::write_note)
        .service(shift_notes::admin::mark_read)
        .service(closing::admin::show_closing)
        .service(closing::admin::close)
        .service(sittings::list::show_sittings)
        .service(sittings::list::export_sittings)
        .service(sittings::admin::seat_party)
        .service(sittings::admin::resize_party)
        .service(sittings::admin::move_party)
        .service(sittings::admin::mark_closing)
        .service(sittings::admin::mark_staying)
        .service(sittings::admin::let_stay_longer)
        .service(sittings::admin::close_party)
        .service(sittings::admin::remove_member)
        .service(sittings::admin::welcome_member)
        .service(sittings::admin::merge_parties)
        .service(sittings::admin::start_match)
        .service(calls::admin::list_open_calls)
        .service(calls::admin::answer_call)
        .service(undo::admin::undo)
        .service(matches::admin::show_matches)
        .service(matches::admin::show_match)
        .service(matches::admin::abort_match)
        .service(matches::admin::withdraw_match)
        .service(matches::admin::show_seat)
        .service(matches::admin::seat_bot)
        .service(matches::admin::remove_bot)
        .service(matches::admin::remove_from_seat)
        .service(matches::admin::offer_seat)
        .service(matches::admin::reveal_match)
        .service(matches::admin::hide_match)
        .service(matches::results::admin::settle_result)
        .service(matches::results::admin::settle_by_confirming)
        .service(tournaments::admin::show_tournaments)
        .service(tournaments::admin::show_new_tournament)
        .service(tournaments::admin::make_tournament)
        .service(tournaments::admin::show_tournament)
        .service(tournaments::admin::take_step)
        .service(tournaments::admin::show_tournament_log)
        .service(tournaments::admin::undo_step)
        .service(tournaments::admin::show_cut)
        .service(tournaments::admin::decide_cut)
        .service(tournaments::admin::fit_tournament)
        .service(tournaments::admin::copy_tournament)
        .service(tournaments::admin::show_tournament_form)
        .service(tournaments::admin::change_tournament)
        .service(tournaments::admin::show_entrants)
        .service(tournaments::admin::add_entrant)
        .service(tournaments::admin::check_in_all_entrants)
        .service(tournaments::admin::show_paste)
        .service(tournaments::admin::paste_entrants)
        .service(tournaments::admin::act_on_entrant)
        .service(tournaments::admin::give_seeds)
        .service(tournaments::admin::move_seed)
        .service(tournaments::admin::rate_entrant)
        .service(tournaments::admin::set_entrant_team)
        .service(tournaments::admin::set_entrant_table)
        .service(tournaments::admin::show_rulings)
        .service(tournaments::admin::change_rulings)
        .service(tournaments::admin::show_round)
        .service(tournaments::admin::show_grid)
        .service(tournaments::admin::write_grid_line)
        .service(tournaments::admin::swap_entrants)
        .service(tournaments::admin::lock_bout)
        .service(tournaments::admin::add_round_minutes)
        .service(tournaments::admin::set_round_clock)
        .service(tournaments::admin::show_bout)
        .service(tournaments::admin::write_bout_result)
        .service(tournaments::admin::give_bout_table)
        .service(tournaments::admin::play_bout_again)
        .service(tournaments::admin::show_print)
        .service(series::admin::show_series_list)
        .service(series::admin::show_new_series)
        .service(series::admin::make_series)
        .service(series::admin::show_series)
        .service(series::admin::show_series_form)
        .service(series::admin::change_series)
        .service(series::admin::add_event)
        .service(series::admin::remove_event)
        .service(series::admin::set_series_status)
        .service(series::admin::delete_series)
        .service(series::admin::show_person)
        .service(series::admin::change_person)
        .service(series::admin::show_next_season)
        .service(series::admin::end_season)
        .service(series::admin::seed_tournament)
        .service(opening::admin::show_opening)
        .service(opening::admin::name_cafe)
        .service(opening::admin::make_tables)
        .service(opening::admin::set_address)
        .service(opening::admin::end_opening)
        .service(settings::logo::show_logo)
        .service(settings::tariff::admin::show_tariff)
        .service(settings::tariff::admin::change_tariff)
        .service(settings::tariff::admin::remove_tariff)
        .service(settings::admin::show_settings)
        .service(settings::admin::change_settings)
        .service(settings::sheets::change_sheets)
        .service(settings::admin::change_logo)
        .service(settings::admin::remove_logo)
        .service(webhooks::admin::show_webhooks)
        .service(webhooks::admin::make_webhook)
        .service(webhooks::admin::show_webhook)
        .service(webhooks::admin::change_webhook)
        .service(webhooks::admin::delete_webhook)
        .service(webhooks::admin::test_webhook)
        .service(webhooks::admin::resend_delivery)
        .service(api_keys::admin::show_keys)
        .service(api_keys::admin::make_key)
        .service(api_keys::admin::revoke_key)
        .service(staff::welcome::show_welcome)
        .service(staff::welcome::welcome)
        .service(staff::account::show)
        .service(staff::account::change_password)
        .service(staff::account::begin_second_factor)
        .service(staff::account::turn_on_second_factor)
        .service(staff::account::turn_off_second_factor)
        .service(staff::account::end_session)
        .service(staff::account::end_other_sessions)
        .service(staff::signed_in::show_sessions)
        .service(staff::signed_in::end_session)
        .service(staff::admin::show_staff)
        .service(staff::admin::invite)
        .service(staff::admin::withdraw_invitation)
        .service(staff::admin::change_role)
        .service(staff::admin::offer_password)
        .service(staff::admin::end_sessions)
        .service(staff::admin::reset_second_factor)
        .service(stats::admin::show_stats)
        .service(stats::admin::show_stats_of_games)
        .service(stats::admin::show_stats_of_people)
        .service(stats::admin::export_stats)
        .service(audit::admin::show_audit)
        .service(audit::admin::export_audit)
        .service(audit::admin::check_audit)
        .service(operations::admin::show_operations)
        .service(operations::admin::request_backup)
        .service(tls::guest::show_authority)
        .service(telemetry::healthz)
        .service(telemetry::readyz)
        .service(telemetry::guarded_metrics_page);
}

/// Whatever no route took.
pub async fn nowhere(request: HttpRequest) -> ApiResult<HttpResponse> {
    Err(Addresses::no_route(&request))
}

#[cfg(test)]
mod tests {
    use actix_web::dev::ServiceResponse;
    use actix_web::http::Method;
    use actix_web::middleware::from_fn;
    use actix_web::test::{TestRequest, call_service, init_service, read_body_json};
    use actix_web::{App, HttpResponse};
    use serde_json::Value;

    use super::*;
    use crate::openapi;
    use base::error::{internal, too_many};
    use web_base::error::{DrawError, ErrorPage, render_errors};
    use web_base::lang::lang_of;

    async fn broken() -> ApiResult<HttpResponse> {
        Err(internal(anyhow::anyhow!("the cellar is flooded")).into())
    }

    async fn busy() -> ApiResult<HttpResponse> {
        Err(too_many(std::time::Duration::from_millis(1500)).into())
    }

    fn page(request: &HttpRequest) -> Option<DrawError> {
        let lang = lang_of(request).code();
        Some(Box::new(move |problem| {
            Some(HttpResponse::Ok().body(format!("{} {} {lang}", problem.status, problem.code)))
        }))
    }

    async fn answer(request: TestRequest) -> ServiceResponse {
        let app = App::new()
            .app_data(web::Data::new(openapi::addresses()))
            .app_data(ErrorPage(page))
            .route("/api/broken", web::get().to(broken))
            .route("/busy", web::get().to(busy))
            .service(web::resource("/api/typed/{id}").route(web::get().to(async |_: web::Path<u8>| HttpResponse::Ok())))
            .default_service(web::to(nowhere))
            .wrap(from_fn(render_errors));
        call_service(&init_service(app).await, request.to_request()).await.map_into_boxed_body()
    }

    #[actix_web::test]
    async fn an_internal_error_tells_nothing() {
        let response = answer(TestRequest::with_uri("/api/broken").insert_header(("accept-language", "en"))).await;
        assert_eq!(response.status(), 500);
        assert_eq!(response.headers().get("content-type").unwrap(), "application/problem+json");
        let problem: Value = read_body_json(response).await;
        assert_eq!(problem["code"], "internal");
        assert!(!problem.to_string().contains("cellar"), "{problem}");
    }

    #[actix_web::test]
    async fn an_error_of_the_framework_takes_our_form() {
        let response = answer(TestRequest::with_uri("/api/typed/x")).await;
        assert_eq!(response.status(), 404);
        let problem: Value = read_body_json(response).await;
        assert_eq!(problem["code"], "unknown_route");
        let response = answer(TestRequest::with_uri("/api/typed/1").method(Method::PUT)).await;
        assert_eq!(response.status(), 405);
        let problem: Value = read_body_json(response).await;
        assert_eq!(problem["code"], "method_not_allowed");
    }

    #[actix_web::test]
    async fn a_wrong_method_is_told_the_right_ones() {
        let response = answer(TestRequest::delete().uri("/api/v1/auth/login")).await;
        assert_eq!(response.status(), 405);
        assert_eq!(response.headers().get("allow").unwrap(), "POST");
    }

    #[actix_web::test]
    async fn a_browser_gets_the_page_with_the_same_status_and_headers() {
        let request = TestRequest::with_uri("/busy")
            .insert_header(("accept", "text/html"))
            .insert_header(("accept-language", "es"));
        let response = answer(request).await;
        assert_eq!(response.status(), 429);
        assert_eq!(response.headers().get("retry-after").unwrap(), "2");
        assert_eq!(actix_web::test::read_body(response).await, "429 too_many_requests es");
    }
}
