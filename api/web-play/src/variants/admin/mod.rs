//! `/admin/variants`: the café's rules by game, and the editor that their schema makes.

pub mod editor;
pub mod list;
mod preview;
pub mod show;

use diesel_async::AsyncPgConnection;
pub use editor::{change_variant, make_variant, show_new_variant, show_variant_form};
use engine::Kind;
pub use list::show_variants;
use serde_json::Value;
pub use show::{publish_variant, retire_variant, show_variant};

use base::error::not_found;
use base::games::complete_options;
use play::variants::{VariantId, VariantRow, store};
use web_base::error::ApiResult;

const LIST: &str = "/admin/variants";

async fn find(conn: &mut AsyncPgConnection, id: VariantId) -> ApiResult<VariantRow> {
    Ok(store::find(conn, id).await?.ok_or_else(|| not_found("variant_not_found"))?)
}

/// The options of the basic game.
pub(crate) fn basic(kind: &dyn Kind) -> ApiResult<Value> {
    Ok(complete_options(kind, None, *kind.info().seats.start())?)
}

fn address(id: VariantId) -> String {
    format!("{LIST}/{id}")
}
