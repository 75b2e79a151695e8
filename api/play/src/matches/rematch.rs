//! Once more: the same players may play the same again, each one seat further on. Nobody sits there who did not ask to.

use diesel_async::{AsyncConnection, AsyncPgConnection};
use engine::{Kind, catalogue};

use super::access::stranger;
use super::plan::{Plan, Rules, WaitingQuota, make_own};
use super::seats::sit;
use super::terms::Terms;
use super::{MatchRow, Status, lock, record_of_staff, store};
use crate::sittings::{self, SittingRow};
use crate::variants;
use base::auth::{Identity, Permission, holds};
use base::error::{Result, conflict, forbidden, internal};
use base::ids::{MatchId, PlayerId, VariantId};
use base::live::Live;
use base::world::World;

/// A match on the same terms, in which the second player sits first. Asking again gives the same match, to others as well;
/// whichever player of the first match asks is seated, and the others are invited.
pub async fn rematch(
    conn: &mut AsyncPgConnection,
    world: &World,
    live: &Live,
    player: &Identity,
    quota: Option<WaitingQuota>,
    of: MatchId,
) -> Result<(MatchId, bool)> {
    let (id, next, news) = conn
        .transaction(async |conn| {
            // A party is locked before its matches.
            let party = sittings::store::lock_of_match(conn, of).await?;
            let row = lock(conn, of).await?;
            let seats = store::list_all_seats(conn, &[of]).await?;
            let mine = seats.players.iter().find(|it| it.holder() == player.id);
            let mine = mine.or_else(|| seats.players.iter().find(|it| it.player_id == player.id));
            let one_further = |seat: i16| (seat + row.seat_count - 1) % row.seat_count;
            let next = mine.map(|mine| one_further(mine.seat));
            if mine.is_none() && row.created_by != player.id && !holds(conn, player, Permission::RunFloor).await? {
                return Err(stranger(conn, of, player.id, "not_seated").await);
            }
            if !row.status.is_over() {
                return Err(conflict("match_not_over"));
            }
            if let Some(id) = store::find_rematch(conn, of).await? {
                return Ok((id, next, None));
            }
            let again = make_again(conn, world, player, quota, &row, party).await?;
            store::copy_invitations(conn, of, again.id, world.now()).await?;
            for bot in seats.bots() {
                store::insert_bot(conn, again.id, one_further(bot.seat), bot.level, world.now()).await?;
            }
            let sat = seats.players.iter().filter(|it| !it.deleted).map(|it| it.player_id);
            let played = sat.chain(seats.players.iter().filter_map(|it| it.stand_in_id));
            for other in played.filter(|it| *it != player.id) {
                store::insert_invitation(conn, again.id, other, player.id, world.now()).await?;
            }
            record_of_staff(conn, world, player, "match.make", &again).await?;
            // Those who wait at the end of the first match hear of the next.
            let heard = store::raise_news(conn, of).await?;
            Ok((again.id, next, Some((again.change_seq, heard))))
        })
        .await?;
    if let Some((news, heard)) = news {
        live.tell(id, news);
        live.tell(of, heard);
    }
    if let Some(next) = next {
        take_seat(conn, world, live, player.id, id, next).await?;
    }
    Ok((id, news.is_some()))
}

/// On this seat, or on any if somebody else was faster. Where they cannot sit down any more, the match itself says why.
async fn take_seat(
    conn: &mut AsyncPgConnection,
    world: &World,
    live: &Live,
    player: PlayerId,
    id: MatchId,
    seat: i16,
) -> Result<()> {
    for wanted in [Some(seat.into()), None] {
        match sit(conn, world, live, player, id, wanted, None).await {
            Err(err) if err.is_refusal() => {}
            seated => return seated.map(|_| ()),
        }
    }
    Ok(())
}

/// Whether this player may ask for another match by the rules of this one, as far as its party, its variant and its revision tell.
pub async fn may_repeat(conn: &mut AsyncPgConnection, player: &Identity, row: &MatchRow) -> Result<bool> {
    let is_revised = |kind: &dyn Kind| i32::try_from(kind.info().revision) != Ok(row.revision);
    if catalogue::find(&row.game).is_some_and(is_revised) {
        return Ok(false);
    }
    let party = sittings::store::find_of_match(conn, row.id).await?;
    match variant_again(conn, player, row, party.as_ref()).await {
        Ok(_) => Ok(true),
        Err(err) if err.is_refusal() => Ok(false),
        Err(err) => Err(err),
    }
}

/// Whether this player sits at the match or may sit down there, as far as its seats and its party tell.
pub async fn may_join(conn: &mut AsyncPgConnection, player: PlayerId, row: &MatchRow) -> Result<bool> {
    let seats = store::list_all_seats(conn, &[row.id]).await?;
    if seats.players.iter().any(|it| it.holder() == player) {
        return Ok(true);
    }
    let has_room = (0..row.seat_count).any(|seat| !seats.is_taken(seat));
    Ok(row.status == Status::Waiting && has_room && sittings::store::lets_in(conn, row.id, player).await?)
}

/// The version of the variant that was played. It may have been retired since, and a draft is for staff to try out. At the table of a
/// party only its members play again.
async fn variant_again(
    conn: &mut AsyncPgConnection,
    player: &Identity,
    row: &MatchRow,
    party: Option<&SittingRow>,
) -> Result<Option<(VariantId, i32)>> {
    if let Some(party) = party
        && !sittings::store::is_member(conn, party.id, player.id).await?
        && !holds(conn, player, Permission::RunFloor).await?
    {
        return Err(forbidden("not_at_table"));
    }
    let Some(id) = row.variant_id else { return Ok(None) };
    let version = variants::to_play(conn, player, &row.game, id, row.variant_version.map(i64::from)).await?;
    Ok(Some((id, version.number)))
}

/// At the table of the party, if it is still there.
async fn make_again(
    conn: &mut AsyncPgConnection,
    world: &World,
    player: &Identity,
    quota: Option<WaitingQuota>,
    row: &MatchRow,
    party: Option<SittingRow>,
) -> Result<MatchRow> {
    let terms = Terms { rematch_of: Some(row.id), ..store::find_terms(conn, row.id).await? };
    let seats = u8::try_from(row.seat_count).map_err(internal)?;
    let rules = Rules::of(&row.game, Some(&row.options), seats)?;
    // The rules were revised in between: what was agreed can no longer be played.
    if rules.hash(&terms).0[..] != row.variant_hash[..] {
        return Err(conflict("other_revision"));
    }
    let variant = variant_again(conn, player, row, party.as_ref()).await?;
    let plan = Plan {
        rules: &rules,
        seat_count: row.seat_count,
        name: row.name.as_deref(),
        mode: row.mode,
        table_id: party.as_ref().map(|party| party.table_id),
        sitting: party.map(|party| party.id),
        turn_seconds: row.turn_seconds,
        variant,
    };
    make_own(conn, world, player.id, quota, &plan, &terms).await
}
