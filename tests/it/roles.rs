//! What each role is let into: every address under `/admin`, as it stands in the source, asked for by everybody.

use std::fs;
use std::path::Path;

use harness::{Answer, TestApp, Visitor};
use reqwest::Method;
use serde_json::json;

/// Open to everybody, for there they sign in, or out.
const SIGN_IN_PAGES: [&str; 4] = ["/admin/setup", "/admin/welcome", "/admin/sign-in", "/admin/sign-out"];

/// Pages that all staff read, although only managers may send their forms.
const READ_BY_ALL: &[&str] = &["/admin/tournaments/{id}/rulings"];

/// What only managers and owners may, with what each form needs.
const OFFICE: &[(&str, &[(&str, &str)])] = &[
    ("/admin/staff", &[]),
    ("/admin/staff/sessions", &[]),
    ("/admin/staff/sessions/{id}/end", &[]),
    ("/admin/staff/invitations", &[("email", "new@house-rules.test"), ("role", "staff")]),
    ("/admin/staff/invitations/{id}/withdraw", &[]),
    ("/admin/staff/{id}/role", &[("role", "staff")]),
    ("/admin/staff/{id}/password-link", &[]),
    ("/admin/staff/{id}/sign-out", &[]),
    ("/admin/staff/{id}/second-factor/reset", &[]),
    ("/admin/settings", &[]),
    ("/admin/settings/sheets", &[]),
    ("/admin/settings/tariff", &[]),
    ("/admin/settings/tariff/remove", &[]),
    ("/admin/settings/logo", &[]),
    ("/admin/settings/logo/remove", &[]),
    ("/admin/opening", &[]),
    ("/admin/opening/cafe", &[]),
    ("/admin/opening/address", &[("public_url", ""), ("wifi_name", ""), ("wifi_password", "")]),
    ("/admin/opening/done", &[]),
    ("/admin/webhooks", &[]),
    ("/admin/webhooks/{id}", &[]),
    ("/admin/webhooks/{id}/delete", &[]),
    ("/admin/webhooks/{id}/test", &[]),
    ("/admin/webhooks/{id}/deliveries/{delivery}/resend", &[]),
    ("/admin/tournaments/{id}/fit", &[]),
    ("/admin/keys", &[("name", "x"), ("role", "staff")]),
    ("/admin/keys/{id}/revoke", &[]),
    ("/admin/audit", &[]),
    ("/admin/audit/export", &[]),
    ("/admin/audit/check", &[]),
    ("/admin/operations", &[]),
    ("/admin/operations/backups", &[]),
    ("/admin/players/{id}/ban", &[("reason", "x"), ("length", "day")]),
    ("/admin/players/{id}/lift-ban", &[]),
    ("/admin/matches/{id}/reveal", &[("reason", "x")]),
    ("/admin/tournaments/new", &[]),
    ("/admin/tournaments/{id}/edit", &[]),
    ("/admin/tournaments/{id}/copy", &[("name", "x")]),
    ("/admin/tournaments/{id}/entrants/{number}/rating", &[("rating", "1500")]),
    ("/admin/tournaments/{id}/undo", &[("step", "1")]),
    ("/admin/tournaments/{id}/rulings", &[("kind", "apart"), ("entrant", "1"), ("other", "2")]),
    ("/admin/tournaments/{id}/cut", &[("by", "all")]),
    ("/admin/tournaments/{id}/steps", &[("step", "start")]),
    ("/admin/tournaments/{id}/seeds", &[("by", "rating")]),
    ("/admin/tournaments/{id}/seeds/series", &[("series", "00000000-0000-7000-8000-000000000000")]),
    ("/admin/tournaments/{id}/entrants/{number}/seed", &[("place", "1")]),
    ("/admin/tournaments/{id}/rounds/{stage}/{round}/swap", &[("one", "1"), ("other", "2")]),
    ("/admin/series/new", &[]),
    ("/admin/series/{id}/edit", &[]),
    ("/admin/series/{id}/next", &[]),
    ("/admin/series/{id}/status", &[("to", "running")]),
    ("/admin/series/{id}/delete", &[]),
];

/// An address of the source.
struct Route {
    method: Method,
    path: String,
}

impl Route {
    /// With ids of things that are not there.
    fn address(&self) -> String {
        let nothing = "00000000-0000-7000-8000-000000000000";
        let path = self.path.replace("{errand}", "check_in").replace("{seat}", "0").replace("{number}", "1");
        let path = path.replace("{stage}", "1").replace("{round}", "1").replace("{key}", "main-1-1");
        ["{id}", "{delivery}", "{player}"].into_iter().fold(path, |path, it| path.replace(it, nothing))
    }

    fn is_sign_in(&self) -> bool {
        SIGN_IN_PAGES.iter().any(|page| self.path.starts_with(page))
    }

    /// What its form needs, if only managers may.
    fn office(&self) -> Option<&'static [(&'static str, &'static str)]> {
        let is_read = self.method == Method::GET && READ_BY_ALL.contains(&self.path.as_str());
        OFFICE.iter().find(|(path, _)| *path == self.path && !is_read).map(|(_, fields)| *fields)
    }

    async fn ask(&self, by: &Visitor, page: &Answer) -> u16 {
        match self.method {
            Method::GET => by.open(&self.address()).await.status,
            _ => by.submit(page, &self.address(), self.office().unwrap_or_default()).await.status,
        }
    }
}

fn routes() -> Vec<Route> {
    let mut found = Vec::new();
    collect(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../api")), &mut found);
    found
}

fn collect(folder: &Path, found: &mut Vec<Route>) {
    for entry in fs::read_dir(folder).expect("it can be listed") {
        let path = entry.expect("it can be listed").path();
        if path.is_dir() {
            collect(&path, found);
            continue;
        }
        let source = fs::read_to_string(&path).expect("it can be read");
        for (attribute, method) in [("#[get(\"/admin", Method::GET), ("#[post(\"/admin", Method::POST)] {
            let rests = source.split(attribute).skip(1).filter_map(|rest| rest.split_once('"'));
            found.extend(rests.map(|(rest, _)| Route { method: method.clone(), path: format!("/admin{rest}") }));
        }
    }
}

#[tokio::test]
async fn every_address_of_the_staff_asks_who_one_is_and_what_one_may() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let link = json!({ "email": "mina@house-rules.test", "role": "staff" });
    let link = owner.post("/staff/invitations", link).await.is(201)["url"].as_str().expect("it has one").to_owned();
    let staff = app.anybody();
    let token = link.split_once("token=").expect("it has one").1;
    let page = staff.open(&link[link.find("/admin/welcome").expect("it leads there")..]).await;
    let fields = [("token", token), ("display_name", "Mina"), ("password", "correct horse battery")];
    assert_eq!(staff.submit(&page, "/admin/welcome", &fields).await.status, 303);
    let floor = staff.open("/admin").await;
    let guest = app.guest("하늘").await;
    let anybody = app.anybody();
    let page = anybody.open("/admin/sign-in").await;
    let routes = routes();
    assert!(routes.len() > 80, "only {} addresses were found", routes.len());
    for route in routes.iter().filter(|route| !route.is_sign_in()) {
        let at = format!("{} {}", route.method, route.path);
        for (who, status) in
            [("anybody", route.ask(&anybody, &page).await), ("a guest", route.ask(&guest, &page).await)]
        {
            // A form may be refused for itself before anybody is looked at.
            let refused =
                if route.method == Method::GET { [401, 403].contains(&status) } else { (400..500).contains(&status) };
            assert!(refused && status != 404, "{at} answers {status} to {who}");
        }
        // What never ends is listened to elsewhere.
        if route.path.starts_with("/admin/live") {
            continue;
        }
        let status = route.ask(&staff, &floor).await;
        match route.office() {
            // Their forms are longer than what is sent here.
            Some(_) if route.path.starts_with("/admin/settings") && route.method == Method::POST => {
                assert!((400..500).contains(&status), "{at} answers {status} to staff");
            }
            Some(_) => assert_eq!(status, 403, "{at} as staff"),
            None => assert!(status != 403 && status < 500, "{at} answers {status} to staff"),
        }
    }
    // The same with the role that may.
    let owner = app.owner_at_pages().await;
    let floor = owner.open("/admin").await;
    for route in routes.iter().filter(|route| !route.is_sign_in() && !route.path.starts_with("/admin/live")) {
        let status = route.ask(&owner, &floor).await;
        assert!(status != 403 && status < 500, "{} {} answers {status} to the owner", route.method, route.path);
    }
}
