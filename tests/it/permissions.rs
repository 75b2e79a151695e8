//! One table says who may do what (`auth/permission.rs`). Every call of the API and every page of staff asks for a permission
//! in its signature, both refuse the same roles, and no page shows a form that its reader may not send.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use harness::{Answer, Evening, TestApp, Visitor, repository};
use reqwest::Method;
use serde_json::json;

use crate::barriers::staff_pages;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Role {
    Staff,
    Manager,
    Owner,
}

/// An address whose handler asks for a permission.
#[derive(Debug)]
struct Route {
    method: Method,
    path: String,
    permission: String,
    is_page: bool,
}

impl Route {
    /// With ids of things that are not there.
    fn address(&self) -> String {
        let nothing = "00000000-0000-7000-8000-000000000000";
        let path = self.path.replace("{errand}", "check_in").replace("{seat}", "0").replace("{number}", "1");
        let path = path.replace("{transfer}", "check_in").replace("{key}", "main-1-1").replace("{bout}", "main-1-1");
        let path = path.replace("{stage}", "1").replace("{round}", "1").replace("{version}", "1").replace("{n}", "1");
        path.replace("{game}", "perudo")
            .replace("{id}", nothing)
            .replace("{result}", nothing)
            .replace("{delivery}", nothing)
            .replace("{note}", nothing)
            .replace("{tournament}", nothing)
            .replace("{player}", nothing)
    }

    fn is_at(&self, action: &str) -> bool {
        let action = action.split('?').next().unwrap_or_default();
        let (own, asked): (Vec<_>, Vec<_>) = (self.path.split('/').collect(), action.split('/').collect());
        own.len() == asked.len() && own.iter().zip(asked).all(|(own, asked)| own.starts_with('{') || *own == asked)
    }
}

/// The lowest role that has each permission, as the table says.
fn table() -> BTreeMap<String, Role> {
    let path = repository().join("api/base/src/auth/permission.rs");
    let source = fs::read_to_string(path).expect("it is there");
    let (_, table) = source.split_once("permissions! {\n").expect("the table is there");
    let rows = table.split("\n}").next().unwrap_or_default().lines().filter_map(|line| line.trim().split_once(": "));
    let roles = [("Staff,", Role::Staff), ("Manager,", Role::Manager), ("Owner,", Role::Owner)];
    rows.filter_map(|(name, least)| Some((name.to_owned(), roles.iter().find(|(role, _)| *role == least)?.1))).collect()
}

fn routes() -> Vec<Route> {
    let mut found = Vec::new();
    collect(&repository().join("api"), &mut found);
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
        for (verb, method) in [
            ("get", Method::GET),
            ("post", Method::POST),
            ("put", Method::PUT),
            ("patch", Method::PATCH),
            ("delete", Method::DELETE),
        ] {
            for handler in source.split(&format!("\n#[{verb}(\"")).skip(1) {
                let (path, rest) = handler.split_once('"').expect("it ends");
                let signature = rest.split("{\n").next().unwrap_or_default();
                let Some((_, permission)) = signature.split_once("can::") else { continue };
                let permission = permission.chars().take_while(|it| it.is_alphanumeric()).collect();
                let is_page = path.starts_with("/admin");
                let path = if is_page { path.to_owned() } else { format!("/api/v1{path}") };
                found.push(Route { method: method.clone(), path, permission, is_page });
            }
        }
    }
}

/// Somebody with this role: at the staff's pages, and as the API knows them.
pub(crate) async fn hire(app: &TestApp, owner: &Visitor, role: &str) -> (Visitor, Visitor) {
    let email = format!("{role}@house-rules.test");
    let link = owner.post("/staff/invitations", json!({ "email": email, "role": role })).await.is(201);
    let link = link["url"].as_str().expect("it has one").to_owned();
    let page = app.anybody();
    let token = link.split_once("token=").expect("it has one").1;
    let welcome = page.open(&link[link.find("/admin/welcome").expect("it leads there")..]).await;
    let password = "correct horse battery";
    let fields = [("token", token), ("display_name", role), ("password", password)];
    assert_eq!(page.submit(&welcome, "/admin/welcome", &fields).await.status, 303);
    let api = app.anybody().sign_in("/auth/login", json!({ "email": email, "password": password }), 200).await;
    (page, api)
}

#[test]
fn every_permission_is_asked_for() {
    let (table, routes) = (table(), routes());
    assert!(table.len() > 20, "only {} permissions were found", table.len());
    let asked: BTreeSet<_> = routes.iter().map(|route| route.permission.clone()).collect();
    let listed: BTreeSet<_> = table.keys().cloned().collect();
    assert!(asked.is_subset(&listed), "the table lacks {:?}", asked.difference(&listed));
    assert!(routes.iter().filter(|route| route.is_page).count() > 80, "hardly any page was found");
    assert!(routes.iter().filter(|route| !route.is_page).count() > 60, "hardly any call was found");
}

#[tokio::test]
async fn pages_and_api_let_in_the_same_roles() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let (table, routes) = (table(), routes());
    for (role, least) in [("staff", Role::Staff), ("manager", Role::Manager)] {
        let (page, api) = hire(&app, &owner, role).await;
        let floor = page.open("/admin").await;
        // What never ends is listened to elsewhere.
        for route in routes.iter().filter(|route| !route.path.contains("/live/") && !route.path.ends_with("/stream")) {
            let answer = ask(route, &page, &floor, &api).await;
            let Route { method, path, permission, .. } = route;
            let at = format!("{method} {path} ({permission}) answers {} to {role}", answer.status);
            assert!(answer.status < 500, "{at}");
            if table[&route.permission] <= least {
                assert!(!is_refused(&answer), "{at}, who may");
            } else if route.method == Method::GET {
                assert_eq!(answer.status, 403, "{at}, who may not");
            } else {
                // A form or body may be refused for itself before anybody is looked at.
                assert!((400..500).contains(&answer.status) && answer.status != 404, "{at}, who may not");
            }
        }
    }
}

async fn ask(route: &Route, page: &Visitor, form: &Answer, api: &Visitor) -> Answer {
    let address = route.address();
    match (route.is_page, &route.method) {
        (true, &Method::GET) => page.open(&address).await,
        (true, _) => page.submit(form, &address, &[]).await,
        (false, method) => {
            let path = address.strip_prefix("/api/v1").expect("a call of the API");
            let request = api.api(method.clone(), path);
            Answer::of(if *method == Method::GET { request } else { request.json(&json!({})) }).await
        }
    }
}

/// Whether it was the role that was refused, and not the thing.
fn is_refused(answer: &Answer) -> bool {
    answer.status == 403 && !answer.text().contains("csrf")
}

#[tokio::test]
async fn no_page_shows_a_form_that_its_reader_may_not_send() {
    let app = TestApp::start();
    let evening = Evening::begin(&app).await;
    let owner = app.owner().await;
    let (table, routes) = (table(), routes());
    let mut seen = BTreeSet::new();
    for (role, least) in [("staff", Role::Staff), ("manager", Role::Manager)] {
        let (visitor, _) = hire(&app, &owner, role).await;
        let mut steps = Vec::new();
        for path in staff_pages(&evening) {
            let page = visitor.open(&path).await;
            if page.status == 403 {
                continue;
            }
            for form in forms(&page.text()) {
                // Which step it is decides who may: those are taken below.
                if form.action.ends_with("/steps") {
                    steps.push((path.clone(), form));
                    continue;
                }
                let route = routes.iter().find(|route| route.method == Method::POST && route.is_at(&form.action));
                let Some(route) = route else { continue };
                seen.insert(route.path.clone());
                let may = table[&route.permission] <= least;
                assert!(may, "{path} shows {role} a form to {}, which needs {}", form.action, route.permission);
            }
        }
        for (path, form) in steps {
            let page = visitor.open(&path).await;
            let fields: Vec<_> = form.fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
            let answer = visitor.submit(&page, &form.action, &fields).await;
            assert_ne!(answer.status, 403, "{path} shows {role} the step {fields:?} and refuses it");
        }
    }
    assert!(seen.len() > 40, "only {} forms were seen: {seen:?}", seen.len());
}

/// A form of a page, with what one of its buttons sends.
struct PageForm {
    action: String,
    fields: Vec<(String, String)>,
}

fn forms(html: &str) -> Vec<PageForm> {
    let mut found = Vec::new();
    for rest in html.split("<form").skip(1) {
        let (open, inside) = rest.split_once('>').unwrap_or((rest, ""));
        let inside = inside.split("</form>").next().unwrap_or_default();
        if !open.contains("method=\"post\"") && !open.contains("method=post") {
            continue;
        }
        let hidden = inside.split("<input").skip(1).map(|rest| rest.split('>').next().unwrap_or_default());
        let hidden = hidden.filter(|tag| tag.contains("type=\"hidden\"") || tag.contains("type=hidden"));
        let hidden: Vec<_> =
            hidden.filter_map(|tag| Some((attribute(tag, "name")?, attribute(tag, "value")?))).collect();
        let own = attribute(open, "action");
        let buttons: Vec<_> =
            inside.split("<button").skip(1).map(|rest| rest.split('>').next().unwrap_or_default()).collect();
        for button in if buttons.is_empty() { vec![""] } else { buttons } {
            let Some(action) = attribute(button, "formaction").or_else(|| own.clone()) else { continue };
            let mut fields: Vec<_> = hidden.iter().filter(|(name, _)| name != "csrf").cloned().collect();
            fields.extend(attribute(button, "name").zip(attribute(button, "value")));
            found.push(PageForm { action, fields });
        }
    }
    found
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    Some(rest.split('"').next()?.replace("&amp;", "&").replace("&#38;", "&"))
}

#[test]
fn forms_are_found_with_their_buttons() {
    let html = r#"<form method="post" action="/a"><input type="hidden" name="csrf" value="t"><input type="hidden" name="round" value="1-2">
        <button name="step" value="pair">x</button><button formaction="/b">y</button></form><form action="/c"></form>"#;
    let found: Vec<_> = forms(html).into_iter().map(|form| (form.action, form.fields.len())).collect();
    assert_eq!(found, [("/a".to_owned(), 2), ("/b".to_owned(), 1)]);
}
