//! What the café says about itself: its name, logo, clock, language and hours. Every process knows it and reads it again every
//! few seconds, so that no request has to ask.

pub mod hours;
pub mod logo;
pub mod opening;
pub mod sheets;
pub mod store;
pub mod tariff;

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use diesel_async::{AsyncConnection, AsyncPgConnection};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use crate::audit::{self, Entry};
use crate::auth::{Actor, StaffContext, can, has_second_factor};
use crate::db::Db;
use crate::error::{FieldError, Result, conflict, invalid_fields};
use crate::inputs::tidy_text;
use crate::stop::Stop;
use crate::text::Lang;
pub use hours::{Hours, Opening};
pub use sheets::Sheets;
pub use tariff::{Bill, CurrentTariff, Headcounts, Prices, Tariff};

const BETWEEN_READS: Duration = Duration::from_secs(2);
const NAME_MAX: usize = 40;
const MONTHS: std::ops::RangeInclusive<i16> = 1..=120;
const DAYS: std::ops::RangeInclusive<i16> = 1..=3650;

/// What is known of the café in this process; its clones are the same.
#[derive(Clone, Default)]
pub struct Cafe(Arc<RwLock<Arc<CachedSettings>>>);

/// What pages need of the settings. None where the server's own settings hold.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CachedSettings {
    pub name: Option<String>,
    pub time_zone: Option<TimeZone>,
    pub language: Option<Lang>,
    pub second_factor_required: bool,
    /// The address of the logo, if there is one.
    pub logo: Option<String>,
    pub hours: Vec<Hours>,
    pub sheets: Sheets,
    /// When a phone first came by a table's code.
    pub first_scan_at: Option<Timestamp>,
    /// Whether the list of what is left to do at the beginning is put away.
    pub opening_done: bool,
    /// Whether people at a match may send each other reactions.
    pub reactions: bool,
    /// What people pay for their time, if anything.
    pub tariff: Option<CurrentTariff>,
}

/// The settings as they are kept and asked for: all of them at once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CafeSettings {
    /// At most 40 characters; `null` for "House Rules" in the reader's language.
    #[schema(example = "하늘 보드게임 카페")]
    pub name: Option<String>,
    /// From the IANA list; `null` for the one that the server was started with.
    #[schema(example = "Asia/Seoul")]
    pub time_zone: Option<String>,
    /// For people who prefer none of the three.
    pub language: Option<Lang>,
    /// Whether managers and owners need a second factor to do what only they may.
    pub second_factor_required: bool,
    /// One for each day that is open.
    pub hours: Vec<Hours>,
    /// Guests who were not seen for so many months are forgotten; `null` keeps them.
    #[schema(minimum = 1, maximum = 120, example = 24)]
    pub forget_guests_after_months: Option<i16>,
    /// Logs of matches that ended so many days ago are packed, which changes nothing for those who read them; `null` packs none.
    /// 30 if it is left out.
    #[serde(default = "days_before_packing")]
    #[schema(minimum = 1, maximum = 3650, example = 30)]
    pub pack_logs_after_days: Option<i16>,
    /// Whether people at a match may send each other reactions; they may if it is left out.
    #[serde(default = "on")]
    pub reactions: bool,
    /// Whether guests may put themselves on the waiting list by the code at the door; they may if it is left out.
    #[serde(default = "on")]
    pub waiting_door: bool,
}

fn on() -> bool {
    true
}

#[expect(clippy::unnecessary_wraps, reason = "serde's default of a field has the field's type")]
fn days_before_packing() -> Option<i16> {
    Some(30)
}

impl Cafe {
    /// Reads it, and from then on keeps it as the database has it.
    pub async fn start(db: &Db, stop: Stop) -> Result<Self> {
        let cafe = Self::default();
        cafe.read(&mut *db.conn().await?).await?;
        db.runtime().spawn(cafe.clone().keep_reading(db.clone(), stop));
        Ok(cafe)
    }

    pub fn cached(&self) -> Arc<CachedSettings> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The café's own time zone, or else the server's.
    pub fn zone(&self, servers: &TimeZone) -> TimeZone {
        self.cached().time_zone.clone().unwrap_or_else(|| servers.clone())
    }

    /// What was just written is known here at once; the other processes read it soon.
    pub async fn read(&self, conn: &mut AsyncPgConnection) -> Result<()> {
        let cached = Arc::new(store::find_cached(conn).await?);
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = cached;
        Ok(())
    }

    async fn keep_reading(self, db: Db, stop: Stop) {
        while stop.sleep(BETWEEN_READS).await {
            let read = async { self.read(&mut *db.conn().await?).await };
            if let Err(err) = read.await {
                tracing::debug!(error = format!("{err:#}"), "reading the settings failed");
            }
        }
    }
}

/// Puts other settings in place of those that are.
pub async fn change(cx: &mut StaffContext<'_, can::ChangeSettings>, cafe: &Cafe, settings: CafeSettings) -> Result<()> {
    edit(cx, cafe, &|_| Ok(settings.clone())).await.map(drop)
}

/// The same where they depend on how the settings are by now.
pub async fn edit(
    cx: &mut StaffContext<'_, can::ChangeSettings>,
    cafe: &Cafe,
    edit: &(dyn Fn(&CafeSettings) -> Result<CafeSettings> + Sync),
) -> Result<CafeSettings> {
    let (conn, Actor { world, staff, .. }) = cx.parts().await?;
    let written = conn.transaction(async |conn| -> Result<CafeSettings> {
        let before = store::find(conn, true).await?;
        let settings = edit(&before)?.checked()?;
        if settings.second_factor_required && !has_second_factor(conn, staff.id).await? {
            // Or they would lock themselves out with the same click.
            return Err(conflict("second_factor_first"));
        }
        if before == settings {
            return Ok(settings);
        }
        store::update(conn, &settings).await?;
        let details = json!({ "before": before, "after": settings });
        let entry = Entry { actor: Some(staff.id), action: "cafe.change", subject: "house", subject_id: None, details };
        audit::record(conn, world, entry).await?;
        Ok(settings)
    });
    let settings = written.await?;
    cafe.read(conn).await?;
    Ok(settings)
}

impl CafeSettings {
    /// In good form, or what is wrong with each field.
    fn checked(mut self) -> Result<Self> {
        let mut wrong = Vec::new();
        if let Some(name) = &mut self.name {
            match tidy_text(name, NAME_MAX) {
                Ok(tidy) => *name = tidy,
                Err(err) => wrong.push(err.at("/name")),
            }
        }
        if let Some(zone) = &self.time_zone
            && (zone.len() > 60 || TimeZone::get(zone).is_err())
        {
            wrong.push(FieldError::new("/time_zone", "unknown_time_zone"));
        }
        if self.forget_guests_after_months.is_some_and(|months| !MONTHS.contains(&months)) {
            wrong.push(FieldError::new("/forget_guests_after_months", "out_of_range"));
        }
        if self.pack_logs_after_days.is_some_and(|days| !DAYS.contains(&days)) {
            wrong.push(FieldError::new("/pack_logs_after_days", "out_of_range"));
        }
        self.hours.sort_by_key(|hours| hours.weekday);
        let days: Vec<u8> = self.hours.iter().map(|hours| hours.weekday).collect();
        let bad = self.hours.iter().any(|hours| hours.minutes().is_none());
        if bad || days.windows(2).any(|two| two[0] == two[1]) {
            wrong.push(FieldError::new("/hours", "no_hours"));
        }
        if wrong.is_empty() { Ok(self) } else { Err(invalid_fields(wrong)) }
    }
}
