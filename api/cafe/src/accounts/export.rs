//! Everything that is stored about an account, for its owner.

use diesel_async::AsyncPgConnection;

use crate::claims::{self, ClaimRow};
use crate::identities;
use base::audit;
use base::auth::Identity;
use base::error::{Result, unauthorized};
use base::ids::MatchId;
use base::world::World;
use competitions::series::{self, store::PlayedIn};
use competitions::tournaments::{self, store::Entered};
use play::calls::{self, CallRow};
use play::matches::results::{self, ResultRow};
use play::matches::store::OwnMove;
use play::matches::{self, Filter, MatchRow, SeatRow};
use play::players::{self, PlayerRow};
use play::sessions::{self, SessionRow};
use play::sittings::{self, Joined};

const MATCHES_A_PAGE: i64 = 50;
const AUDIT_LINES: i64 = 10_000;
const PARTIES: i64 = 10_000;

/// All but the matches, which come a page at a time.
pub struct Export {
    pub player: PlayerRow,
    pub sessions: Vec<SessionRow>,
    /// Issuer and subject.
    pub identities: Vec<(String, String)>,
    pub sittings: Vec<Joined>,
    pub calls: Vec<CallRow>,
    pub claims: Vec<ClaimRow>,
    pub entered: Vec<Entered>,
    /// Seasons in which staff said something of the account.
    pub series: Vec<PlayedIn>,
    pub audit: Vec<audit::Line>,
}

/// Matches that the player made or sat in, with everybody's seats and the player's own moves and results.
pub struct MatchPage {
    pub matches: Vec<MatchRow>,
    pub seats: Vec<SeatRow>,
    pub moves: Vec<OwnMove>,
    pub results: Vec<ResultRow>,
}

impl Export {
    pub async fn read(conn: &mut AsyncPgConnection, world: &World, player: &Identity) -> Result<Self> {
        let row = players::store::find(conn, player.id).await?;
        Ok(Self {
            player: row.ok_or_else(|| unauthorized("session_ended"))?,
            sessions: sessions::store::list_open(conn, player.id, world.now()).await?,
            identities: identities::store::list(conn, player.id).await?,
            sittings: sittings::store::list_joined(conn, player.id, PARTIES).await?,
            calls: calls::store::list_by(conn, player.id, PARTIES).await?,
            claims: claims::store::list_of(conn, player.id, PARTIES).await?,
            entered: tournaments::store::list_entered(conn, player.id, PARTIES).await?,
            series: series::store::list_said_of(conn, player.id, PARTIES).await?,
            audit: audit::list_for(conn, player.id, AUDIT_LINES).await?,
        })
    }
}

impl MatchPage {
    /// The matches before this one; the latest if there is none.
    pub async fn read(conn: &mut AsyncPgConnection, player: &Identity, before: Option<MatchId>) -> Result<Self> {
        let filter = Filter { mine: Some(player.id), before, ..Filter::default() };
        let matches = matches::store::list(conn, &filter, MATCHES_A_PAGE).await?;
        let ids: Vec<MatchId> = matches.iter().map(|row| row.id).collect();
        Ok(Self {
            matches,
            seats: matches::store::list_seats(conn, &ids).await?,
            moves: matches::store::list_moves_of(conn, player.id, &ids).await?,
            results: results::store::list_of(conn, player.id, &ids).await?,
        })
    }
}
