//! What is done of a café's first minutes, and what is left.

use actix_web::HttpRequest;

use base::settings::CachedSettings;
use web_base::config::Config;
use web_base::public_url::{base_url, leads_to_itself};

/// The steps of a café's first minutes that are done.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Opening {
    pub has_name: bool,
    pub has_tables: bool,
    /// Phones reach the address that codes are printed with.
    pub has_address: bool,
    pub was_scanned: bool,
}

impl Opening {
    /// None once it is put away or all is done.
    pub(crate) fn left(
        config: &Config,
        request: &HttpRequest,
        cafe: &CachedSettings,
        has_tables: bool,
    ) -> Option<Self> {
        let opening = Self {
            has_name: cafe.name.is_some(),
            has_tables,
            has_address: !leads_to_itself(&base_url(config, request)),
            was_scanned: cafe.first_scan_at.is_some(),
        };
        Some(opening).filter(|it| !cafe.opening_done && it.steps().iter().any(|(_, _, is_done)| !is_done))
    }

    /// Each step with its name in the catalogues and whether it is done.
    pub(crate) fn steps(self) -> [(u8, &'static str, bool); 4] {
        [
            (1, "opening-cafe", self.has_name),
            (2, "opening-tables", self.has_tables),
            (3, "opening-address", self.has_address),
            (4, "opening-scan", self.was_scanned),
        ]
    }
}
