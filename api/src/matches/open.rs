//! Before the first move: a match is made, players sit down, and it starts.

use diesel::result::{DatabaseErrorKind, Error as DieselError};
use diesel_async::{AsyncConnection, AsyncPgConnection};
use engine::{FairDealer, SeatSet, Seed, StartError, VariantHash, catalogue};
use serde::{Deserialize, Deserializer};
use serde_json::value::to_raw_value;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::sight::stranger;
use super::store::{self, JsonText, NewMatch, Started};
use super::terms::{SeatName, Terms, Visibility, within};
use super::{MatchRow, Mode, OTHER, SeatRow, Standing, Status, guarded, kind_as_played};
use crate::audit::{self, Entry};
use crate::error::{ApiResult, FieldError, conflict, internal, invalid_field, not_found, unprocessable};
use crate::extract::{Player, refuse_field, tidy_text};
use crate::games::{bad_options, settle_options};
use crate::ids::{MatchId, PlayerId, SittingId, TableId, VariantId};
use crate::live::Live;
use crate::players::Role;
pub(super) use crate::sessions::is_staff;
use crate::sittings::{self, SittingRow};
use crate::undo::{Doer, Named, Undo, UndoId};
use crate::variants;
use crate::world::World;

/// Without vowels no word comes about, and nothing here is mistaken for anything else here.
const CODE_LETTERS: &[u8] = b"23456789BCDFGHJKMNPQRSTVWXYZ";
const CODE_LENGTH: usize = 6;
const TURN_SECONDS: std::ops::RangeInclusive<i64> = 10..=86_400;

/// A new match.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewMatchRequest {
    /// One of the catalogue, or `other` for any other game at all, which is then written down (`scored`).
    #[schema(example = "perudo")]
    pub game: String,
    /// What is played, if it is an `other` game.
    pub title: Option<MatchName>,
    /// The game's rule switches; those left out keep their defaults.
    #[schema(value_type = Option<Object>)]
    pub options: Option<Value>,
    /// Or else a variant of the game …
    pub variant_id: Option<VariantId>,
    /// … in this version; the latest that was published if left out.
    #[schema(minimum = 1)]
    pub variant_version: Option<i64>,
    #[schema(example = 4)]
    pub seats: i64,
    pub name: Option<MatchName>,
    /// Where it is played. Who scanned the code on that table during this sitting may, and staff.
    pub table_id: Option<TableId>,
    #[schema(value_type = Option<Mode>)]
    pub mode: Option<String>,
    /// How long a seat may think before the house moves for it.
    #[schema(minimum = 10, maximum = 86_400)]
    pub turn_seconds: Option<i64>,
    /// What each seat has for the whole match beyond that.
    #[schema(minimum = 1, maximum = 86_400)]
    pub reserve_seconds: Option<i64>,
    /// Who may know of it; `open` if left out.
    pub visibility: Option<Visibility>,
    /// Whether it may be watched by who has no seat while it runs; they may if left out.
    pub spectators: Option<bool>,
    /// So many moves late.
    #[schema(minimum = 0, maximum = 1000)]
    pub spectator_delay: Option<i64>,
    /// What the seats are called: a name for each.
    pub seat_names: Option<Vec<SeatName>>,
}

/// One line of text in any script.
#[derive(Clone, Debug, ToSchema)]
#[schema(value_type = String, min_length = 1, max_length = 60)]
pub struct MatchName(pub String);

impl<'de> Deserialize<'de> for MatchName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse(&String::deserialize(deserializer)?).map_err(|refusal| refuse_field(&refusal))
    }
}

impl MatchName {
    const MAX: usize = 60;

    pub fn parse(text: &str) -> Result<Self, FieldError> {
        tidy_text(text, Self::MAX).map(Self)
    }
}

pub async fn create(
    conn: &mut AsyncPgConnection,
    world: &World,
    live: &Live,
    player: &Player,
    request: &NewMatchRequest,
) -> ApiResult<MatchRow> {
    let row = if player.role < Role::Staff {
        insert(conn, world, live, player, request).await?
    } else {
        conn.transaction(async |conn| {
            let row = insert(conn, world, live, player, request).await?;
            record_of_staff(conn, world, player, "match.make", &row).await?;
            ApiResult::Ok(row)
        })
        .await?
    };
    live.tell(row.id, row.news);
    Ok(row)
}

/// What somebody who works here does with a match is on record.
pub(super) async fn record_of_staff(
    conn: &mut AsyncPgConnection,
    world: &World,
    player: &Player,
    action: &str,
    row: &MatchRow,
) -> ApiResult<()> {
    if player.role < Role::Staff {
        return Ok(());
    }
    let (actor, subject_id, details) = (Some(player.id), Some(row.id.0), json!({ "game": row.game, "code": row.code }));
    Ok(audit::record(conn, world, Entry { actor, action, subject: "match", subject_id, details }).await?)
}

/// Staff make a match for a party, and may take it back until somebody sits down to it.
pub async fn create_for(
    conn: &mut AsyncPgConnection,
    doer: Doer<'_>,
    sitting: &SittingRow,
    request: &NewMatchRequest,
) -> ApiResult<(MatchRow, UndoId)> {
    if sitting.closed_at.is_some() {
        return Err(conflict("sitting_over"));
    }
    let (row, undo) = conn
        .transaction(async |conn| {
            let row = insert(conn, doer.world, doer.live, doer.staff, request).await?;
            let named = Named { action: "match.make", table: Some(sitting.table_id), other_table: None };
            let undo = doer.record(conn, named, &Undo::Match { id: row.id }).await?;
            ApiResult::Ok((row, undo))
        })
        .await?;
    doer.live.tell(row.id, row.news);
    Ok((row, undo))
}

async fn insert(
    conn: &mut AsyncPgConnection,
    world: &World,
    live: &Live,
    player: &Player,
    request: &NewMatchRequest,
) -> ApiResult<MatchRow> {
    let mode = request.mode.as_deref().map_or(Ok(Mode::Played), str::parse);
    let unknown_mode = || unprocessable("unknown_mode").with_field("/mode", "unknown_value");
    let mode = mode.map_err(|_| unknown_mode())?;
    if request.game == OTHER && mode != Mode::Scored {
        return Err(unknown_mode());
    }
    // Real dice know no clock of ours.
    if mode == Mode::Scored && request.turn_seconds.is_some() {
        return Err(invalid_field("/turn_seconds", "invalid"));
    }
    let turn_seconds =
        request.turn_seconds.map(|seconds| within(seconds, TURN_SECONDS, "/turn_seconds")).transpose()?;
    let terms = Terms::of(request)?;
    let seats = u8::try_from(request.seats).unwrap_or(0);
    let variant = chosen_variant(conn, player, &request.game, request).await?;
    let given = variant.as_ref().map(|it| &it.options).or(request.options.as_ref());
    let rules = Rules::settle(&request.game, given, seats)?;
    // A version from before the game was revised is not what it was.
    if variant.as_ref().is_some_and(|it| it.variant_hash != rules.variant_hash.0) {
        return Err(conflict("variant_outdated"));
    }
    let sitting = match request.table_id {
        Some(table) => Some(sittings::of_new_match(conn, world, live, player, (table, i16::from(seats))).await?),
        None => None,
    };
    let plan = Plan {
        rules: &rules,
        seat_count: i16::from(seats),
        // A match of another game goes by its title.
        name: request.name.as_ref().or(request.title.as_ref()).map(|name| name.0.as_str()),
        mode,
        table_id: request.table_id,
        sitting,
        turn_seconds,
        variant: variant.as_ref().map(|it| (it.variant_id, it.number)),
    };
    make(conn, world, player.id, &plan, &terms).await
}

/// By what a match is played: a game with its options settled, or any other game, of which nothing is known here.
pub(super) struct Rules {
    game: &'static str,
    revision: u32,
    options: Value,
    pub variant_hash: VariantHash,
}

impl Rules {
    pub(super) fn settle(game: &str, given: Option<&Value>, seats: u8) -> ApiResult<Self> {
        let (game, revision, options) = match catalogue::find(game) {
            Some(kind) => (kind.info().id, kind.info().revision, settle_options(kind, given, seats)?),
            None if game != OTHER => {
                return Err(unprocessable("unknown_game").with_field("/game", "unknown_value"));
            }
            None if !(1..=SeatSet::MOST).contains(&seats) => {
                return Err(unprocessable("invalid_seats").with_field("/seats", "out_of_range"));
            }
            None if given.is_some_and(|given| *given != json!({})) => {
                return Err(unprocessable("invalid_options").with_field("/options", "invalid"));
            }
            None => (OTHER, 0, json!({})),
        };
        Ok(Self { game, revision, variant_hash: VariantHash::of(game, revision, &options), options })
    }

    /// By which all matches are told that are played by the same: of another game nothing is known but its title.
    pub(super) fn hash(&self, terms: &Terms) -> VariantHash {
        match &terms.title {
            Some(title) => VariantHash::of(self.game, self.revision, &json!({ "title": title })),
            None => self.variant_hash,
        }
    }
}

/// All that is settled of a match before it is made, but for its terms.
pub(super) struct Plan<'a> {
    pub rules: &'a Rules,
    pub seat_count: i16,
    pub name: Option<&'a str>,
    pub mode: Mode,
    pub table_id: Option<TableId>,
    /// Whose match it is, at a table.
    pub sitting: Option<SittingId>,
    pub turn_seconds: Option<i32>,
    pub variant: Option<(VariantId, i32)>,
}

/// Makes the match, with a seed and a code of its own.
pub(super) async fn make(
    conn: &mut AsyncPgConnection,
    world: &World,
    creator: PlayerId,
    plan: &Plan<'_>,
    terms: &Terms,
) -> ApiResult<MatchRow> {
    let seed = Seed(world.bytes());
    let mut new = NewMatch {
        id: MatchId(world.uuid()),
        code: code(world),
        game: plan.rules.game,
        revision: i32::try_from(plan.rules.revision).map_err(internal)?,
        options: &plan.rules.options,
        seat_count: plan.seat_count,
        name: plan.name,
        mode: plan.mode,
        created_by: creator,
        table_id: plan.table_id,
        turn_seconds: plan.turn_seconds,
        created_at: world.now().into(),
        seed: &seed.0,
        commitment: &seed.commitment().0,
        variant_id: plan.variant.map(|(variant, _)| variant),
        variant_version: plan.variant.map(|(_, version)| version),
        variant_hash: &plan.rules.hash(terms).0,
    };
    loop {
        let made = conn.transaction(async |conn| {
            let row = store::insert(conn, &new).await?;
            if *terms != Terms::default() {
                store::insert_terms(conn, row.id, terms).await?;
            }
            if let Some(sitting) = plan.sitting
                && !sittings::store::attach(conn, row.id, sitting).await?
            {
                return Err(DieselError::RollbackTransaction);
            }
            Ok::<_, DieselError>(row)
        });
        match made.await {
            Ok(row) => return Ok(row),
            // One in hundreds of millions is taken.
            Err(err) if violates(&err, "matches_code_key") => new.code = code(world),
            Err(err) if violates(&err, "matches_created_by_fkey") => {
                return Err(crate::error::unauthorized("session_ended"));
            }
            // Their party left meanwhile.
            Err(DieselError::RollbackTransaction) => return Err(conflict("sitting_over")),
            Err(err) => return Err(err.into()),
        }
    }
}

/// The version of a variant by which the match is to be played, if one was named.
async fn chosen_variant(
    conn: &mut AsyncPgConnection,
    player: &Player,
    game: &str,
    request: &NewMatchRequest,
) -> ApiResult<Option<variants::VersionRow>> {
    let Some(id) = request.variant_id else {
        return match request.variant_version {
            Some(_) => Err(unprocessable("unknown_variant").with_field("/variant_id", "missing_field")),
            None => Ok(None),
        };
    };
    if request.options.is_some() {
        return Err(unprocessable("options_of_variant").with_field("/options", "invalid"));
    }
    variants::to_play(conn, player, game, id, request.variant_version).await.map(Some)
}

/// Sets the match up as far as its first decision. Asking again changes nothing.
pub async fn start(
    conn: &mut AsyncPgConnection,
    world: &World,
    live: &Live,
    player: &Player,
    id: MatchId,
) -> ApiResult<()> {
    let news = conn
        .transaction(async |conn| {
            let row = lock(conn, id).await?;
            let by_staff = row.created_by != player.id;
            if by_staff && !is_staff(conn, player).await? {
                return Err(stranger(conn, id, player.id, "forbidden").await);
            }
            match row.status {
                Status::Waiting => {}
                Status::Running => return Ok(None),
                Status::Finished | Status::Aborted | Status::Expired => return Err(conflict("match_over")),
            }
            let seats = store::list_seats(conn, &[id]).await?;
            if seats.len() != usize::from(row.seat_count.unsigned_abs()) {
                return Err(conflict("seats_open"));
            }
            if by_staff {
                record_of_staff(conn, world, player, "match.start", &row).await?;
            }
            Ok(Some(begin(conn, world, &row, &seats).await?))
        })
        .await?;
    if let Some(news) = news {
        live.tell(id, news);
    }
    Ok(())
}

/// Of a match that is locked and waits, and whose seats are all taken. Gives the count of news.
pub(super) async fn begin(
    conn: &mut AsyncPgConnection,
    world: &World,
    row: &MatchRow,
    seats: &[SeatRow],
) -> ApiResult<i64> {
    Ok(match row.mode {
        Mode::Played => {
            let started = set_up(conn, world, row, seats).await?;
            store::start(conn, row.id, &started).await?
        }
        Mode::Scored => store::start_scored(conn, row.id, world.now()).await?,
    })
}

/// The match as far as its first decision, with all the chance that this takes.
async fn set_up(conn: &mut AsyncPgConnection, world: &World, row: &MatchRow, seats: &[SeatRow]) -> ApiResult<Started> {
    let seed = seed(store::find_seed(conn, row.id).await?)?;
    let mut dealer = FairDealer::new(seed, seats.iter().map(|it| it.nonce.as_deref()), 0);
    let kind = kind_as_played(&row.game, row.revision)?;
    let count = u8::try_from(row.seat_count).map_err(internal)?;
    let set_up = guarded(|| kind.start(&row.options, count, &mut dealer))?;
    let (play, step) = set_up.map_err(|err| match err {
        StartError::BadOptions(bad) => bad_options(&bad),
        StartError::Chance(err) => internal(err),
    })?;
    let standing = Standing::of(&*play)?;
    Ok(Started {
        status: standing.status,
        state: guarded(|| play.save())?,
        chance_count: i64::try_from(dealer.index()).map_err(internal)?,
        to_move: super::bits(standing.to_move),
        interrupt: super::bits(standing.interrupt),
        outcome: standing.outcome,
        chance: JsonText(to_raw_value(&step.chance).map_err(internal)?),
        told: JsonText(to_raw_value(&step.told).map_err(internal)?),
        at: world.now(),
    })
}

pub(super) async fn lock(conn: &mut AsyncPgConnection, id: MatchId) -> ApiResult<MatchRow> {
    store::lock(conn, id).await?.ok_or_else(|| not_found("match_not_found"))
}

pub(super) fn seed(bytes: Vec<u8>) -> ApiResult<Seed> {
    let bytes = bytes.try_into().map_err(|_| internal(anyhow::anyhow!("a seed is not 32 bytes long")))?;
    Ok(Seed(bytes))
}

/// A code that people type in, as kept: capital letters, whatever they typed.
pub fn normal_code(typed: &str) -> String {
    typed.trim().to_ascii_uppercase()
}

/// A new code for a match or a table.
pub(crate) fn code(world: &World) -> String {
    let many = CODE_LETTERS.len();
    let mut code = String::with_capacity(CODE_LENGTH);
    while code.len() < CODE_LENGTH {
        // Skipping the odd end keeps all letters equally likely.
        let fair = world.bytes::<16>().into_iter().map(usize::from).filter(|byte| *byte < 256 / many * many);
        code.extend(fair.take(CODE_LENGTH - code.len()).map(|byte| char::from(CODE_LETTERS[byte % many])));
    }
    code
}

pub(super) fn violates(err: &DieselError, constraint: &str) -> bool {
    match err {
        DieselError::DatabaseError(
            DatabaseErrorKind::UniqueViolation | DatabaseErrorKind::ForeignKeyViolation,
            info,
        ) => info.constraint_name() == Some(constraint),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_six_letters_that_cannot_be_mistaken() {
        let codes: Vec<String> = (0..50).map(|_| code(&World::real())).collect();
        assert!(codes.iter().all(|code| code.len() == 6 && code.bytes().all(|it| CODE_LETTERS.contains(&it))));
        assert!(codes.iter().any(|code| *code != codes[0]));
        assert_eq!(normal_code(" abc234 "), "ABC234");
    }
}
