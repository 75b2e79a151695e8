//! Rows and queries of the café's settings.

use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use jiff_diesel::Timestamp as SqlTimestamp;
use serde_json::Value;

use super::logo::Logo;
use super::{CachedSettings, CafeSettings, CurrentTariff, Hours, Sheets, Tariff, logo};
use crate::schema::{cafe, cafe_logo, opening_hours, tariffs};
use crate::text::Lang;

pub async fn find_cached(conn: &mut AsyncPgConnection) -> QueryResult<CachedSettings> {
    type Row =
        (Option<String>, Option<String>, Option<String>, bool, Option<Vec<u8>>, Option<SqlTimestamp>, bool, bool);
    let row: Row = cafe::table
        .left_join(cafe_logo::table.on(cafe_logo::singleton.eq(cafe::singleton)))
        .select((
            cafe::name,
            cafe::time_zone,
            cafe::language,
            cafe::second_factor_required,
            cafe_logo::hash.nullable(),
            cafe::first_scan_at,
            cafe::opening_done,
            cafe::reactions,
        ))
        .first(conn)
        .await?;
    let (name, time_zone, language, second_factor_required, hash, first_scan_at, opening_done, reactions) = row;
    Ok(CachedSettings {
        name,
        time_zone: time_zone.and_then(|name| TimeZone::get(&name).ok()),
        language: language.and_then(|code| Lang::from_code(&code)),
        second_factor_required,
        logo: hash.map(|hash| logo::address(&hash)),
        hours: hours(conn).await?,
        sheets: find_sheets(conn).await?,
        first_scan_at: first_scan_at.map(Into::into),
        opening_done,
        reactions,
        tariff: find_tariff(conn).await?,
    })
}

/// How many there were: one, if it was the first.
pub async fn note_scan(conn: &mut AsyncPgConnection, now: Timestamp) -> QueryResult<usize> {
    let first = cafe::table.filter(cafe::first_scan_at.is_null());
    diesel::update(first).set(cafe::first_scan_at.eq(SqlTimestamp::from(now))).execute(conn).await
}

/// One, unless it was put away before.
pub async fn end_opening(conn: &mut AsyncPgConnection) -> QueryResult<usize> {
    let open = cafe::table.filter(cafe::opening_done.eq(false));
    diesel::update(open).set(cafe::opening_done.eq(true)).execute(conn).await
}

pub async fn find_sheets(conn: &mut AsyncPgConnection) -> QueryResult<Sheets> {
    type Row = (Option<String>, Option<String>, Option<String>);
    let row = cafe::table.select((cafe::public_url, cafe::wifi_name, cafe::wifi_password));
    let (public_url, wifi_name, wifi_password): Row = row.first(conn).await?;
    Ok(Sheets { public_url, wifi_name, wifi_password })
}

pub async fn put_sheets(conn: &mut AsyncPgConnection, sheets: &Sheets) -> QueryResult<usize> {
    let Sheets { public_url, wifi_name, wifi_password } = sheets;
    let changes =
        (cafe::public_url.eq(public_url), cafe::wifi_name.eq(wifi_name), cafe::wifi_password.eq(wifi_password));
    diesel::update(cafe::table).set(changes).execute(conn).await
}

/// The one that holds.
pub async fn find_tariff(conn: &mut AsyncPgConnection) -> QueryResult<Option<CurrentTariff>> {
    let latest = tariffs::table.order(tariffs::version.desc()).select((tariffs::version, tariffs::terms));
    let latest: Option<(i32, Option<Value>)> = latest.first(conn).await.optional()?;
    Ok(latest.and_then(|(version, terms)| Some(CurrentTariff { version, tariff: read_tariff(terms)? })))
}

/// Nobody else changes any settings until the transaction ends.
pub async fn lock(conn: &mut AsyncPgConnection) -> QueryResult<()> {
    cafe::table.select(cafe::singleton).for_update().first::<bool>(conn).await.map(drop)
}

/// The number of the latest, and what it says; nobody else changes it until the transaction ends.
pub async fn lock_tariff(conn: &mut AsyncPgConnection) -> QueryResult<(i32, Option<Tariff>)> {
    lock(conn).await?;
    let latest = tariffs::table.order(tariffs::version.desc()).select((tariffs::version, tariffs::terms));
    let latest: Option<(i32, Option<Value>)> = latest.first(conn).await.optional()?;
    Ok(latest.map_or((0, None), |(version, terms)| (version, read_tariff(terms))))
}

pub async fn insert_tariff(
    conn: &mut AsyncPgConnection,
    version: i32,
    at: Timestamp,
    tariff: Option<&Tariff>,
) -> QueryResult<usize> {
    let new = (
        tariffs::version.eq(version),
        tariffs::made_at.eq(SqlTimestamp::from(at)),
        tariffs::terms.eq(tariff.map(|tariff| serde_json::json!(tariff))),
    );
    diesel::insert_into(tariffs::table).values(new).execute(conn).await
}

fn read_tariff(terms: Option<Value>) -> Option<Tariff> {
    serde_json::from_value(terms?).ok()
}

async fn hours(conn: &mut AsyncPgConnection) -> QueryResult<Vec<Hours>> {
    let rows: Vec<(i16, i16, i16)> = opening_hours::table.order(opening_hours::weekday).load(conn).await?;
    let hours = |(weekday, opens, closes)| Hours::of(u8::try_from(weekday).unwrap_or(0), opens, closes);
    Ok(rows.into_iter().map(hours).collect())
}

/// Locked until the transaction ends, if they are to be changed.
pub async fn find(conn: &mut AsyncPgConnection, lock: bool) -> QueryResult<CafeSettings> {
    type Row = (Option<String>, Option<String>, Option<String>, bool, Option<i16>, bool, bool, Option<i16>);
    let row = cafe::table.select((
        cafe::name,
        cafe::time_zone,
        cafe::language,
        cafe::second_factor_required,
        cafe::forget_guests_after_months,
        cafe::reactions,
        cafe::waiting_door,
        cafe::pack_logs_after_days,
    ));
    let row: Row = if lock { row.for_update().first(conn).await? } else { row.first(conn).await? };
    let (name, time_zone, language, second_factor_required, forget_guests, reactions, waiting_door, pack_logs) = row;
    Ok(CafeSettings {
        name,
        time_zone,
        language: language.and_then(|code| Lang::from_code(&code)),
        second_factor_required,
        hours: hours(conn).await?,
        forget_guests_after_months: forget_guests,
        pack_logs_after_days: pack_logs,
        reactions,
        waiting_door,
    })
}

pub async fn update(conn: &mut AsyncPgConnection, settings: &CafeSettings) -> QueryResult<()> {
    diesel::update(cafe::table)
        .set((
            cafe::name.eq(&settings.name),
            cafe::time_zone.eq(&settings.time_zone),
            cafe::language.eq(settings.language.map(Lang::code)),
            cafe::second_factor_required.eq(settings.second_factor_required),
            cafe::forget_guests_after_months.eq(settings.forget_guests_after_months),
            cafe::reactions.eq(settings.reactions),
            cafe::waiting_door.eq(settings.waiting_door),
            cafe::pack_logs_after_days.eq(settings.pack_logs_after_days),
        ))
        .execute(conn)
        .await?;
    diesel::delete(opening_hours::table).execute(conn).await?;
    let rows: Vec<_> = settings
        .hours
        .iter()
        .filter_map(|hours| Some((hours.weekday, hours.minutes()?)))
        .map(|(weekday, (opens, closes))| {
            (
                opening_hours::weekday.eq(i16::from(weekday)),
                opening_hours::opens.eq(opens),
                opening_hours::closes.eq(closes),
            )
        })
        .collect();
    diesel::insert_into(opening_hours::table).values(rows).execute(conn).await?;
    Ok(())
}

pub async fn find_logo(conn: &mut AsyncPgConnection, hash: &[u8]) -> QueryResult<Option<(String, Vec<u8>)>> {
    let logo = cafe_logo::table.filter(cafe_logo::hash.eq(hash)).select((cafe_logo::media_type, cafe_logo::content));
    logo.first(conn).await.optional()
}

pub async fn put_logo(conn: &mut AsyncPgConnection, logo: &Logo) -> QueryResult<usize> {
    diesel::delete(cafe_logo::table).execute(conn).await?;
    let row = (
        cafe_logo::media_type.eq(logo.kind),
        cafe_logo::content.eq(&logo.content),
        cafe_logo::hash.eq(logo.hash.to_vec()),
    );
    diesel::insert_into(cafe_logo::table).values(row).execute(conn).await
}

pub async fn delete_logo(conn: &mut AsyncPgConnection) -> QueryResult<usize> {
    diesel::delete(cafe_logo::table).execute(conn).await
}
