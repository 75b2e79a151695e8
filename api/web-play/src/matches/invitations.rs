//! `/api/v1/matches/{id}/invitations`: whom the creator of a match lets know of it.

use actix_web::web::{Data, Json as JsonBody};
use actix_web::{HttpResponse, delete, get, post};
use diesel_async::{AsyncConnection, AsyncPgConnection};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use base::auth::{Identity, Permission, holds};
use base::db::{Db, OnConstraint};
use base::error::{conflict, unprocessable};
use base::ids::PlayerId;
use base::list::List;
use base::world::World;
use play::matches::access::stranger;
use play::matches::store::{self, InvitationRow};
use play::matches::{MatchId, MatchRow};
use play::matches::{lock, record_of_staff};
use play::players::PlayerCard;
use web_base::error::ApiResult;
use web_base::extract::{Body, Path, Player};
use web_base::limits::{Budget, Writes};

const MOST_INVITED: usize = 100;

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct InvitationRequest {
    player_id: PlayerId,
}

/// Somebody who may know of a match.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = MatchInvitation)]
pub(crate) struct InvitationAnswer {
    player: PlayerCard,
    invited_by: PlayerId,
    created_at: Timestamp,
}

/// Who is invited. Its creator and staff may ask.
#[utoipa::path(
    tag = "matches",
    params(("id" = MatchId, Path)),
    responses((status = 200, body = List<InvitationAnswer>))
)]
#[get("/matches/{id}/invitations")]
pub async fn list_invitations(
    db: Data<Db>,
    Player(player): Player,
    Path(id): Path<MatchId>,
) -> ApiResult<JsonBody<List<InvitationAnswer>>> {
    let mut conn = db.conn().await?;
    let row = store::find(&mut conn, id).await?;
    refuse_others(&mut conn, row.as_ref(), id, &player).await?;
    let invited = store::list_invitations(&mut conn, id).await?;
    Ok(JsonBody(List { items: invited.into_iter().map(InvitationAnswer::from).collect(), next: None }))
}

/// Invites somebody: they may know of the match, and sit down. Asking again changes nothing.
#[utoipa::path(
    tag = "matches",
    params(("id" = MatchId, Path)),
    request_body = InvitationRequest,
    responses((status = 204, description = "Invited"))
)]
#[post("/matches/{id}/invitations")]
pub async fn create_invitation(
    _: Budget<Writes>,
    db: Data<Db>,
    world: Data<World>,
    Player(player): Player,
    Path(id): Path<MatchId>,
    Body(request): Body<InvitationRequest>,
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    conn.transaction(async |conn| {
        let row = lock(conn, id).await?;
        refuse_others(conn, Some(&row), id, &player).await?;
        if row.status.is_over() {
            return Err(conflict("match_over"));
        }
        if store::list_invitations(conn, id).await?.len() >= MOST_INVITED {
            return Err(conflict("too_many_invitations"));
        }
        let unknown = || unprocessable("unknown_player").with_field("/player_id", "unknown_value");
        let invited = store::insert_invitation(conn, id, request.player_id, player.id, world.now()).await;
        invited.on_constraint("match_invitations_player_id_fkey", unknown)?;
        record_of_staff(conn, &world, &player, "match.invite", &row).await
    })
    .await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Withdraws an invitation. A player who has taken a seat keeps it.
#[utoipa::path(
    tag = "matches",
    params(("id" = MatchId, Path), ("player" = PlayerId, Path)),
    responses((status = 204, description = "Not invited, or no longer"))
)]
#[delete("/matches/{id}/invitations/{player}")]
pub async fn delete_invitation(
    _: Budget<Writes>,
    db: Data<Db>,
    world: Data<World>,
    Player(player): Player,
    Path((id, invited)): Path<(MatchId, PlayerId)>,
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    conn.transaction(async |conn| {
        let row = store::lock(conn, id).await?;
        refuse_others(conn, row.as_ref(), id, &player).await?;
        store::delete_invitation(conn, id, invited).await?;
        match &row {
            Some(row) => record_of_staff(conn, &world, &player, "match.uninvite", row).await,
            None => Ok(()),
        }
    })
    .await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Only its creator and staff have a say in who is invited.
async fn refuse_others(
    conn: &mut AsyncPgConnection,
    row: Option<&MatchRow>,
    id: MatchId,
    player: &Identity,
) -> base::error::Result<()> {
    if row.is_some_and(|row| row.created_by == player.id)
        || holds(conn, player, Permission::RunFloor).await? && row.is_some()
    {
        return Ok(());
    }
    Err(stranger(conn, id, player.id, "forbidden").await)
}

impl From<InvitationRow> for InvitationAnswer {
    fn from(row: InvitationRow) -> Self {
        Self {
            player: PlayerCard { id: row.player_id, display_name: row.display_name, deleted: row.deleted },
            invited_by: row.invited_by,
            created_at: row.created_at,
        }
    }
}
