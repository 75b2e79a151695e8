//! `/admin/variants`: the house's rules by game, and the editor that their schema makes.

mod editor;
mod list;
mod show;

use diesel_async::AsyncPgConnection;
pub(crate) use editor::{change_variant, make_variant, show_new_variant, show_variant_form};
use engine::Kind;
pub(crate) use list::show_variants;
use serde_json::Value;
pub(crate) use show::{publish_variant, retire_variant, show_variant};

use super::{VariantId, VariantRow, VariantStatus, store};
use crate::error::{ApiResult, not_found};
use crate::games::settle_options;

const LIST: &str = "/admin/variants";

/// More plays of a variant than this are not counted one by one.
pub(super) const COUNTED: i64 = 10_000;

async fn find(conn: &mut AsyncPgConnection, id: VariantId) -> ApiResult<VariantRow> {
    store::find(conn, id).await?.ok_or_else(|| not_found("variant_not_found"))
}

fn basic(kind: &dyn Kind) -> ApiResult<Value> {
    settle_options(kind, None, *kind.info().seats.start())
}

fn address(id: VariantId) -> String {
    format!("{LIST}/{id}")
}

impl VariantStatus {
    pub(super) fn key(self) -> &'static str {
        match self {
            Self::Draft => "variant-draft",
            Self::Published => "variant-published",
            Self::Retired => "variant-retired",
        }
    }

    /// Of its colour in the style sheet.
    pub(super) fn tone(self) -> &'static str {
        match self {
            Self::Draft => "waiting",
            Self::Published => "finished",
            Self::Retired => "none",
        }
    }

    pub(super) fn icon(self) -> &'static str {
        match self {
            Self::Draft => "edit",
            Self::Published => "check",
            Self::Retired => "crate",
        }
    }
}
