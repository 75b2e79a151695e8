//! What parties owe at the moment of a request.

use std::future::{Ready, ready};
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::web::Data;
use actix_web::{FromRequest, HttpRequest};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::Page;
use crate::config::Config;
use crate::error::{ApiError, ApiResult};
use base::error::internal;
use base::settings::tariff::CafeDays;
use base::settings::{Bill, CachedSettings, Cafe, Prices};
use base::world::World;
use play::sittings::SittingRow;

/// By what parties are charged, and when it is.
#[derive(Clone)]
pub struct Charges {
    settings: Arc<CachedSettings>,
    zone: TimeZone,
    now: Timestamp,
}

impl Charges {
    /// None where no tariff is set.
    pub fn prices(&self) -> Option<Prices<'_>> {
        self.settings.prices(&self.zone)
    }

    pub fn days(&self) -> CafeDays<'_> {
        CafeDays { hours: &self.settings.hours, zone: &self.zone }
    }

    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// What a party owes, or owed when it left.
    pub fn bill(&self, sitting: &SittingRow) -> Option<Bill> {
        sitting.bill(self.prices().as_ref(), self.now)
    }
}

impl Page {
    pub fn prices(&self) -> Option<Prices<'_>> {
        self.settings().prices(self.time_zone())
    }

    /// What a party owes, or owed when it left.
    pub fn bill(&self, sitting: &SittingRow) -> Option<Bill> {
        sitting.bill(self.prices().as_ref(), self.now)
    }
}

impl FromRequest for Charges {
    type Error = ApiError;
    type Future = Ready<ApiResult<Self>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let read = || {
            let cafe = request.app_data::<Data<Cafe>>()?;
            let (config, world) = (request.app_data::<Data<Config>>()?, request.app_data::<Data<World>>()?);
            Some(Self { settings: cafe.cached(), zone: cafe.zone(&config.time_zone), now: world.now() })
        };
        ready(read().ok_or_else(|| internal(anyhow::anyhow!("the settings are not among the app's data")).into()))
    }
}
