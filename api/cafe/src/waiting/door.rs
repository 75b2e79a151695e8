//! The code at the door, by which guests put themselves on the waiting list.

use diesel_async::{AsyncConnection, AsyncPgConnection};
use serde_json::json;

use super::{Door, WaitingRequest, WaitingRow, insert, store};
use base::audit::{self, Entry};
use base::auth::{Actor, StaffContext, can};
use base::codes::{new_code, normal_code};
use base::error::{Error, Result, conflict, not_found};
use base::live::Live;
use base::world::World;
use play::sittings;

/// The door with this code on it.
pub async fn find(conn: &mut AsyncPgConnection, code: &str) -> Result<Door> {
    let door = store::find_door(conn).await?;
    let is_it = door.code.as_ref().is_some_and(|own| *own == normal_code(code));
    if is_it { Ok(door) } else { Err(not_found("waiting_door_not_found")) }
}

/// Guests put themselves down.
pub async fn join(
    conn: &mut AsyncPgConnection,
    world: &World,
    live: &Live,
    code: &str,
    request: &WaitingRequest,
) -> Result<WaitingRow> {
    let size = sittings::party_size(request.party_size)?;
    let row = conn
        .transaction(async |conn| {
            if !find(conn, code).await?.is_open {
                return Err(conflict("waiting_door_shut"));
            }
            insert(conn, world, request, size, true).await
        })
        .await?;
    live.tell_floor();
    Ok(row)
}

/// Gives the door a code, or another one. The one before leads nowhere from now on.
pub async fn renew_code(cx: &mut StaffContext<'_, can::ManageTables>) -> Result<Door> {
    let (conn, Actor { world, live, staff }) = cx.parts().await?;
    let door = conn
        .transaction(async |conn| {
            let code = new_code(world);
            store::set_code(conn, &code).await?;
            let details = json!({ "code": code });
            let (actor, action) = (Some(staff.id), "waiting.new_code");
            audit::record(conn, world, Entry { actor, action, subject: "house", subject_id: None, details }).await?;
            Ok::<_, Error>(store::find_door(conn).await?)
        })
        .await?;
    live.tell_floor();
    Ok(door)
}

/// The address that the code at the door leads to.
pub fn page_url(base: &str, code: &str) -> String {
    format!("{base}/wait/{code}")
}
