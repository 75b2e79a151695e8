//! What stands at each operation: a short name, what it does and for whom, and what its answers are.

use base::auth::Role;
use serde_json::{Value, json};

use super::permissions;
use super::schemas::referred;

/// What the groups of operations are about.
pub(super) const TAGS: [(&str, &str); 19] = [
    ("auth", "Signing in and one's own account."),
    ("games", "The games on offer and their rules."),
    ("matches", "Making, joining, playing, watching and ending matches."),
    ("ratings", "Leaderboards and how ratings developed."),
    ("players", "Who players are, how they have played, and what staff do about them."),
    ("tables", "Tables, the parties at them, and their calls for staff."),
    ("waiting", "Parties for whom no table is free: what staff do about them, and what the guests see."),
    ("floor", "What staff do about all tables: calls, and the way back from an action."),
    ("tournaments", "Rounds that order players. What to do next, the tournament says itself."),
    ("series", "Seasons of tournaments whose results add up to a table."),
    ("variants", "Rules under a name, in versions that never change."),
    ("library", "The house's box games: titles, and where each box is."),
    ("stats", "What the café plays, when and with whom."),
    ("staff", "Who works here, and what they may do."),
    ("keys", "Keys with which other services use the API."),
    ("audit", "What staff did."),
    ("cafe", "The café's name, language, time zone and hours."),
    ("webhooks", "Services elsewhere that are told what happens."),
    ("operations", "How the server is doing, and what it lets callers do."),
];

/// An operation, where it stands.
pub(super) struct Operation<'a> {
    pub method: &'a str,
    pub path: &'a str,
    pub value: &'a Value,
}

impl Operation<'_> {
    pub(super) fn id(&self) -> &str {
        self.value["operationId"].as_str().unwrap_or_default()
    }

    /// Its parameters that stand there.
    pub(super) fn parameters(&self, place: &str) -> impl Iterator<Item = &Value> {
        self.value["parameters"].as_array().into_iter().flatten().filter(move |it| it["in"] == place)
    }

    /// Whether it reads who asks.
    pub(super) fn knows_callers(&self) -> bool {
        match self.value["security"].as_array() {
            Some(ways) => ways.iter().any(|way| way.get("bearer").is_some()),
            None => true,
        }
    }

    fn needs_callers(&self) -> bool {
        self.knows_callers() && self.value["security"].as_array().is_none_or(|ways| !ways.contains(&json!({})))
    }
}

/// Each operation of the document, with its method and path.
pub(super) fn each(document: &mut Value, mut change: impl FnMut(&mut Value, &str, &str)) {
    for (path, item) in document["paths"].as_object_mut().into_iter().flatten() {
        for (method, operation) in item.as_object_mut().into_iter().flatten() {
            change(operation, method, path);
        }
    }
}

/// Splits what the handler says into a short name and a description, and says for whom it is.
pub(super) fn describe(operation: &mut Value, method: &str, path: &str) {
    let known = Operation { method, path, value: operation };
    let said = [&known.value["summary"], &known.value["description"]];
    let said: Vec<&str> = said.into_iter().filter_map(Value::as_str).collect();
    let whole = said.join("\n\n").replace('\n', " ");
    let description = format!("{}\n\n{}", whole.trim(), for_whom(&known));
    let summary = first_sentence(&whole).to_owned();
    operation["summary"] = summary.into();
    operation["description"] = description.into();
}

/// Without its full stop; what stands after a colon or semicolon is detail.
fn first_sentence(text: &str) -> &str {
    let end = [". ", "; ", ": "].iter().filter_map(|it| text.find(it)).min().unwrap_or(text.len());
    text[..end].trim_end_matches(['.', ' '])
}

fn for_whom(operation: &Operation<'_>) -> String {
    match permissions::of(operation.id()) {
        Some(permission) => {
            let least = permission.least();
            let above = if least == Role::Owner { "" } else { " and above" };
            format!("For staff (`{}`{above}) who may {}.", least.as_str(), permission.what().trim())
        }
        None if operation.needs_callers() => "For everybody who is signed in, guests too.".to_owned(),
        None if operation.knows_callers() => "For anybody; who signs in may be told more.".to_owned(),
        None => "For anybody, without a sign-in.".to_owned(),
    }
}

/// Says of each answer what it is: what its component is, where the handler says nothing.
pub(super) fn describe_answers(operation: &mut Value, schemas: &Value) {
    for (status, answer) in operation["responses"].as_object_mut().into_iter().flatten() {
        if answer.get("description").and_then(Value::as_str).is_some_and(|it| !it.is_empty())
            || answer.get("$ref").is_some()
        {
            continue;
        }
        let content = answer.get("content").and_then(Value::as_object).and_then(|it| it.iter().next());
        let said = match content {
            Some((_, content)) if referred(&content["schema"]).is_some() => {
                let name = referred(&content["schema"]).unwrap_or_default();
                let about = schemas[name]["description"].as_str().unwrap_or(name);
                first_line(about)
            }
            Some((kind, _)) if kind.starts_with("text/csv") => "A sheet.".to_owned(),
            Some((kind, _)) if kind.starts_with("text/plain") => "A file of text.".to_owned(),
            Some((kind, _)) if kind.starts_with("text/event-stream") => "Server-sent events.".to_owned(),
            Some((kind, _)) if kind.starts_with("image/") => "A picture.".to_owned(),
            _ if status == "204" => "Done.".to_owned(),
            _ => "What was asked for.".to_owned(),
        };
        answer["description"] = said.into();
    }
}

fn first_line(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let end = line.find(". ").map_or(line.len(), |at| at + 1);
    line[..end].to_owned()
}
