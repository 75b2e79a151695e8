//! `/api/docs`: the document as pages for people, without a script, in the house's own look.

mod kind;
mod operation;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use actix_web::{HttpResponse, get, http::header};
use askama::Template;
use pulldown_cmark::{Parser, html};
use serde::Deserialize;
use serde_json::Value;

use self::kind::{Field, Piece, bounds, fields, notation};
use self::operation::{Listed, Operation};
use super::operations::TAGS;
use super::schemas::referred;
use super::{DOCUMENT_URL, json};
use base::error::not_found;
use web_base::error::ApiResult;
use web_base::extract::{Path, Search};
use web_base::page::Page;

/// Where these pages are.
pub(super) const ADDRESSES: [&str; 5] =
    ["/api/docs", "/api/docs/", "/api/docs/operations/{id}", "/api/docs/types", "/api/docs/types/{name}"];

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Words {
    #[serde(default)]
    q: String,
}

#[derive(Template)]
#[template(path = "guest/reference/index.html")]
struct IndexPage {
    page: Page,
    q: String,
    document: &'static str,
    /// A tag, what it is about, and its operations.
    groups: Vec<(&'static str, &'static str, Vec<Listed>)>,
    /// Those whose name has the words that were looked for.
    types: Vec<&'static str>,
}

impl IndexPage {
    fn of(page: Page, q: String) -> Self {
        let words = q.trim().to_lowercase();
        let found: Vec<_> = operation::all(json()).map(|(it, _)| it).filter(|it| it.says(&words)).collect();
        let mut by_tag: BTreeMap<&str, Vec<Listed>> = BTreeMap::new();
        for it in found {
            by_tag.entry(it.tag).or_default().push(it);
        }
        let groups = TAGS.into_iter().filter_map(|(tag, about)| Some((tag, about, by_tag.remove(tag)?))).collect();
        let has_words = |name: &&str| !words.is_empty() && name.to_lowercase().contains(&words);
        let types = schemas().map(|(name, _)| name).filter(has_words).collect();
        Self { page, q, document: DOCUMENT_URL, groups, types }
    }
}

#[get("/api/docs")]
pub(super) async fn show_index(page: Page, Search(words): Search<Words>) -> ApiResult<HttpResponse> {
    let template = IndexPage::of(page, words.q);
    template.page.html(&template)
}

/// Links of old end with a slash.
#[get("/api/docs/")]
pub(super) async fn leave_slash() -> HttpResponse {
    HttpResponse::PermanentRedirect().insert_header((header::LOCATION, "/api/docs")).finish()
}

#[derive(Template)]
#[template(path = "guest/reference/operation.html")]
struct OperationPage {
    page: Page,
    operation: Operation,
}

#[get("/api/docs/operations/{id}")]
pub(super) async fn show_operation(page: Page, Path(id): Path<String>) -> ApiResult<HttpResponse> {
    let operation = operation::find(json(), &id).ok_or_else(|| not_found("not_found"))?;
    let template = OperationPage { page, operation };
    template.page.html(&template)
}

#[derive(Template)]
#[template(path = "guest/reference/types.html")]
struct TypesPage {
    page: Page,
    types: Vec<&'static str>,
}

#[get("/api/docs/types")]
pub(super) async fn list_types(page: Page) -> ApiResult<HttpResponse> {
    let template = TypesPage { page, types: schemas().map(|(name, _)| name).collect() };
    template.page.html(&template)
}

#[derive(Template)]
#[template(path = "guest/reference/type.html")]
struct TypePage {
    page: Page,
    name: &'static str,
    about: String,
    kind: Vec<Piece>,
    bounds: Vec<(&'static str, String)>,
    fields: Vec<Field>,
    used: &'static Users,
}

impl TypePage {
    fn of(page: Page, name: &str) -> Option<Self> {
        let (name, schema) = schemas().find(|(known, _)| *known == name)?;
        Some(Self {
            page,
            name,
            about: markdown(schema["description"].as_str().unwrap_or_default()),
            kind: notation(schema),
            bounds: bounds(schema),
            fields: fields(schema),
            used: USERS.get(name).unwrap_or(&NOBODY),
        })
    }
}

#[get("/api/docs/types/{name}")]
pub(super) async fn show_type(page: Page, Path(name): Path<String>) -> ApiResult<HttpResponse> {
    let template = TypePage::of(page, &name).ok_or_else(|| not_found("not_found"))?;
    template.page.html(&template)
}

/// Who refers to a type: operations and other types, by their names.
struct Users {
    operations: BTreeSet<&'static str>,
    types: BTreeSet<&'static str>,
}

static NOBODY: Users = Users { operations: BTreeSet::new(), types: BTreeSet::new() };

static USERS: LazyLock<BTreeMap<&'static str, Users>> = LazyLock::new(|| {
    let mut users = BTreeMap::new();
    let mut add = |holder: &'static Value, tell: &dyn Fn(&mut Users)| {
        each_referred(holder, &mut |name| {
            tell(users.entry(name).or_insert(Users { operations: BTreeSet::new(), types: BTreeSet::new() }));
        });
    };
    for (listed, operation) in operation::all(json()) {
        add(operation, &|it| _ = it.operations.insert(listed.id));
    }
    for (name, schema) in schemas() {
        add(schema, &|it| _ = it.types.insert(name));
    }
    users
});

fn each_referred(holder: &'static Value, tell: &mut dyn FnMut(&'static str)) {
    if let Some(name) = referred(holder) {
        tell(name);
    }
    let members = holder.as_object().into_iter().flat_map(|it| it.values());
    let items = holder.as_array().into_iter().flatten();
    members.chain(items).for_each(|it| each_referred(it, tell));
}

fn schemas() -> impl Iterator<Item = (&'static str, &'static Value)> {
    let all = json()["components"]["schemas"].as_object().into_iter().flatten();
    all.map(|(name, schema)| (name.as_str(), schema))
}

/// What a reference such as `#/components/responses/Problem` means.
fn at(document: &'static Value, reference: &str) -> Option<&'static Value> {
    document.pointer(reference.strip_prefix('#')?)
}

fn markdown(text: &str) -> String {
    let mut written = String::new();
    html::push_html(&mut written, Parser::new(text));
    written
}

#[cfg(test)]
mod tests {
    use super::*;
    use web_base::page::samples;

    #[test]
    fn the_list_of_operations_is_complete() {
        samples::check(samples::ANYBODY, |page| IndexPage::of(page, String::new()).render());
        let listed: usize =
            IndexPage::of(Page::sample(base::text::Lang::En), String::new()).groups.iter().map(|it| it.2.len()).sum();
        assert_eq!(listed, operation::all(json()).count());
    }

    #[test]
    fn a_search_finds_operations_and_types() {
        let found = IndexPage::of(Page::sample(base::text::Lang::En), "post MOVES".to_owned());
        let ids: Vec<_> = found.groups.iter().flat_map(|it| &it.2).map(|it| it.id).collect();
        assert!(ids.contains(&"play_move") && !ids.contains(&"list_tournaments"), "{ids:?}");
        let found = IndexPage::of(Page::sample(base::text::Lang::En), "moverequest".to_owned());
        assert_eq!(found.types, ["MoveRequest"]);
    }

    #[test]
    fn every_operation_and_every_type_has_a_page() {
        let page = || Page::sample(base::text::Lang::Ko);
        for (listed, _) in operation::all(json()) {
            let operation = operation::find(json(), listed.id).unwrap();
            assert!(!operation.answers.is_empty(), "{}", listed.id);
            OperationPage { page: page(), operation }.render().unwrap();
        }
        for (name, _) in schemas() {
            TypePage::of(page(), name).unwrap().render().unwrap();
        }
    }

    #[test]
    fn pages_are_whole() {
        for id in ["play_move", "list_tournaments"] {
            samples::check(samples::ANYBODY, |page| {
                OperationPage { page, operation: operation::find(json(), id).unwrap() }.render()
            });
        }
        samples::check(samples::ANYBODY, |page| TypePage::of(page, "PerudoView").unwrap().render());
        samples::check(samples::ANYBODY, |page| TypesPage { page, types: schemas().map(|it| it.0).collect() }.render());
    }

    #[test]
    fn every_name_in_a_type_leads_somewhere() {
        for name in USERS.keys() {
            assert!(schemas().any(|(known, _)| known == *name), "{name}");
        }
    }
}
