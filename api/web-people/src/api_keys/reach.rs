//! What keys may do, by address: nothing but this. Accounts, staff, other keys, webhooks, settings and backups stay with people,
//! and so does a seat in a match or in a tournament.

/// Where sandbox keys may change something: what they made themselves.
pub(super) const OF_SANDBOX: &str = "/api/v1/tournaments";

/// Whether a key may do this at the address of this pattern, if its role may.
pub(super) fn holds(method: &str, pattern: &str) -> bool {
    let Some(path) = pattern.strip_prefix("/api/v1") else { return false };
    REACH.iter().any(|(methods, paths)| {
        methods.split(' ').any(|it| it == method) && paths.split_ascii_whitespace().any(|it| it == path)
    })
}

/// Methods, and the patterns where keys may use them.
pub const REACH: &[(&str, &str)] = &[
    (
        "GET",
        "/cafe /cafe/tariff /calls /closing /floor-plans /games /games/{game} /games/{game}/rules
         /games/{game}/words /leaderboards/{game} /library/copies /library/copies/{id}
         /library/copies/{id}/history /library/copies/{id}/notes /library/export.csv /library/titles
         /library/titles/{id} /library/titles/{id}/copies /limits /matches /matches/by-code/{code} /matches/{id}
         /matches/{id}/events /matches/{id}/record /matches/{id}/replay /matches/{id}/results /matches/{id}/stream
         /matches/{id}/view /players /players/{id} /players/{id}/matches /players/{id}/ratings /players/{id}/stats
         /results/waiting /series /series/by-code/{code} /series/{id} /series/{id}/next-season
         /series/{id}/table.csv /shift-notes /sittings/{id} /sittings/{id}/calls /stats/days /stats/games /stats/hours
         /stats/length /stats/returning /stats/seats /stats/summary /stats/tables /tables /tables/by-code/{code}
         /tables/{id} /tables/{id}/qr.svg /tables/{id}/sittings /tournaments /tournaments/by-code/{code}
         /tournaments/{id} /tournaments/{id}/arena /tournaments/{id}/bouts /tournaments/{id}/entrants
         /tournaments/{id}/export /tournaments/{id}/log /tournaments/{id}/open-bracket /tournaments/{id}/pair
         /tournaments/{id}/regulars /tournaments/{id}/rulings /tournaments/{id}/stages/{stage}/bracket
         /tournaments/{id}/stages/{stage}/brackets-viewer /tournaments/{id}/stages/{stage}/pairings.csv
         /tournaments/{id}/stages/{stage}/report.trf /tournaments/{id}/stages/{stage}/standings
         /tournaments/{id}/stages/{stage}/standings.csv /tournaments/{id}/stream /undos /variants /variants/{id}
         /variants/{id}/versions /variants/{id}/versions/{number}/difference /variants/{id}/versions/{number}/lab
         /waiting /waiting/by-code/{code} /waiting/by-token/{token} /waiting/{id}",
    ),
    (
        "POST",
        "/closing /library/copies/{id}/notes /library/copies/{id}/{errand} /library/import /library/titles
         /library/titles/{id}/copies /library/titles/{id}/restore /matches /matches/{id}/abort
         /matches/{id}/result /matches/{id}/results/{number}/confirm /matches/{id}/seats/{seat}/offer
         /matches/{id}/seats/{seat}/remove /matches/{id}/start /series /series/{id}/next-season /series/{id}/seeding /shift-notes
         /shift-notes/{id}/read
         /sittings/{id}/merge /tables /tables/{id}/sittings /tournaments /tournaments/{id}/arena/end
         /tournaments/{id}/arena/pause /tournaments/{id}/cancel
         /tournaments/{id}/check-in /tournaments/{id}/copy /tournaments/{id}/discard /tournaments/{id}/entrants
         /tournaments/{id}/entrants/list /tournaments/{id}/entrants/{number}/check-in
         /tournaments/{id}/entrants/{number}/no-show /tournaments/{id}/entrants/{number}/pause
         /tournaments/{id}/entrants/{number}/reinstate /tournaments/{id}/finish /tournaments/{id}/next-stage
         /tournaments/{id}/pair /tournaments/{id}/registration
         /tournaments/{id}/stages/{stage}/bouts/{bout}/correction
         /tournaments/{id}/stages/{stage}/bouts/{bout}/following
         /tournaments/{id}/stages/{stage}/bouts/{bout}/play-again
         /tournaments/{id}/stages/{stage}/bouts/{bout}/result /tournaments/{id}/stages/{stage}/bouts/{bout}/table
         /tournaments/{id}/stages/{stage}/results
         /tournaments/{id}/stages/{stage}/rounds/{round}/minutes
         /tournaments/{id}/stages/{stage}/rounds/{round}/pause
         /tournaments/{id}/stages/{stage}/rounds/{round}/publish
         /tournaments/{id}/stages/{stage}/rounds/{round}/start
         /tournaments/{id}/stages/{stage}/rounds/{round}/withdraw /tournaments/{id}/start /tournaments/{id}/swap
         /tournaments/{id}/undo /undos/{id} /variants /variants/{id}/publish /variants/{id}/retire
         /variants/{id}/versions /variants/{id}/versions/{number}/lab /waiting /waiting/by-code/{code}
         /waiting/{id}/sitting",
    ),
    (
        "PUT",
        "/floor-plans /library/titles/{id} /series/{id}/events/{tournament} /series/{id}/people/{player}
         /tournaments/{id}/entrants/{number}/rating /tournaments/{id}/entrants/{number}/table
         /tournaments/{id}/entrants/{number}/team /tournaments/{id}/rulings /tournaments/{id}/seeds
         /tournaments/{id}/stages/{stage}/bouts/{bout}/lock
         /tournaments/{id}/stages/{stage}/rounds/{round}/break",
    ),
    (
        "PATCH",
        "/calls/{id} /library/copies/{id} /library/notes/{id} /series/{id} /sittings/{id} /tables/{id} /tournaments/{id}
         /variants/{id} /waiting/{id}",
    ),
    (
        "DELETE",
        "/library/titles/{id} /series/{id} /series/{id}/events/{tournament} /sittings/{id} /sittings/{id}/members/{player_id}
         /tournaments/{id}/arena/pause /tournaments/{id}/entrants/{number}
         /tournaments/{id}/entrants/{number}/check-in /tournaments/{id}/entrants/{number}/pause
         /tournaments/{id}/stages/{stage}/bouts/{bout}/lock /tournaments/{id}/stages/{stage}/rounds/{round}/break
         /tournaments/{id}/stages/{stage}/rounds/{round}/pause
         /variants/{id}/versions/{number}/lab /waiting/by-token/{token}",
    ),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn what_belongs_to_people_is_out_of_reach() {
        let prefixes = ["auth", "staff", "keys", "webhooks", "audit", "operations"];
        let reached: BTreeSet<_> = REACH.iter().flat_map(|(_, paths)| paths.split_ascii_whitespace()).collect();
        for path in reached {
            let first = path.split('/').nth(1).unwrap();
            assert!(!prefixes.contains(&first) && path.split('/').all(|it| it != "me"), "{path}");
        }
        assert!(holds("GET", "/api/v1/cafe") && !holds("PUT", "/api/v1/cafe") && !holds("GET", "/admin"));
        assert!(!holds("POST", "/api/v1/matches/{id}/seats") && !holds("POST", "/api/v1/matches/{id}/moves"));
    }
}
