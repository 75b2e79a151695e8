//! `houserules demo`: a café to look around in, that is as true as any other.

use std::fs;
use std::path::Path;
use std::process::Command;

use harness::{Launch, Ran, Visitor, program, run, workplace};
use serde_json::Value;

const OWNER: (&str, &str) = ("owner@house-rules.test", "correct horse battery staple");

fn houserules(arguments: &[&str], data: &Path) -> Ran {
    let mut command = Command::new(program("houserules"));
    command.args(arguments).arg("--data").arg(data).env_remove("DATABASE_URL");
    run(command.env("HOUSERULES_OWNER_EMAIL", OWNER.0).env("HOUSERULES_OWNER_PASSWORD", OWNER.1))
}

fn items(list: &Value) -> &[Value] {
    list["items"].as_array().expect("it is a list")
}

#[tokio::test]
async fn a_week_of_it_holds_whatever_production_promises() {
    holds(&["demo", "--weeks", "1"]).await;
}

#[tokio::test]
#[ignore = "long"]
async fn months_of_it_hold_the_same() {
    holds(&["demo", "--weeks", "26", "--seed", "7"]).await;
}

async fn holds(demo: &[&str]) {
    let data = workplace().folder("demo");
    let said = houserules(demo, &data).well();
    assert!(said.contains("12 tables") && said.contains(OWNER.0), "{said}");
    let again = houserules(&["demo"], &data);
    assert!(again.status == Some(1) && again.complained.contains("in use"), "{again:?}");
    let audit = houserules(&["audit", "verify"], &data).well();
    assert!(audit.contains("whole"), "{audit}");
    // What was settled and summed up is what reckoning everything again gives.
    for (room, none) in [("ratings", "0 rows differ"), ("stats", "0 rows differ")] {
        let recomputed = houserules(&[room, "recompute"], &data).well();
        assert!(recomputed.contains(none) && !recomputed.starts_with("0 "), "{recomputed}");
    }

    let launch = Launch::new().set("HOUSERULES_DATA", data.to_string_lossy()).set("HOUSERULES_RATE_LIMITS", "off");
    let server = launch.start();
    let owner = Visitor::new(server.url());
    assert_eq!(owner.sign_in_at_page(OWNER).await.status, 303);
    let floor = owner.open("/admin").await;
    assert_eq!(floor.status, 200);
    for table in ["1번", "다락방", "테라스 B"] {
        assert!(floor.text().contains(table), "the floor lacks {table}");
    }
    for page in ["matches", "variants", "library", "players", "stats", "audit", "staff", "tables", "operations"] {
        assert_eq!(owner.open(&format!("/admin/{page}")).await.status, 200, "{page}");
    }
    // Where it says that one can play, one can.
    let (_, code) = said.split_once("/t/").expect("a table is free");
    let table = format!("/t/{}", code.split(' ').next().unwrap_or_default());
    let at_table = Visitor::new(server.url()).open(&table).await;
    assert!(at_table.status == 200 && at_table.text().contains("name=\"party_size\""), "{}", at_table.text());
    let staff = Visitor::new(server.url());
    let login = serde_json::json!({ "email": OWNER.0, "password": OWNER.1 });
    let staff = staff.sign_in("/auth/login", login, 200).await;
    let running = staff.get("/matches?status=running").await.is(200);
    let mut played: Vec<&str> = items(&running).iter().filter_map(|it| it["game"].as_str()).collect();
    played.sort_unstable();
    played.dedup();
    assert!(played.len() >= 5, "at most tables nothing is played: {played:?}");
    // One of each game that was played: the newest.
    for game in ["perudo", "perudo-pirates", "liars-dice", "dead-mans-draw", "hogu-clue", "middle-race"] {
        let finished = staff.get(&format!("/matches?status=finished&game={game}&limit=1")).await.is(200);
        let Some(id) = items(&finished).first().and_then(|it| it["id"].as_str()) else { continue };
        assert_eq!(owner.open(&format!("/admin/matches/{id}")).await.status, 200);
        let record = staff.get(&format!("/matches/{id}/record")).await.is(200);
        let file = data.join(format!("{game}.json"));
        fs::write(&file, record.to_string()).expect("the folder of this run can be written to");
        run(Command::new(program("rules")).arg("verify").arg(&file)).well();
    }
}
