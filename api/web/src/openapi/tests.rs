use super::*;
use web_people::api_keys::reach::REACH;

fn operations() -> Vec<(String, Value)> {
    let document = serde_json::to_value(document()).unwrap();
    let paths = document["paths"].as_object().unwrap().clone();
    let named = |(path, item): (String, Value)| {
        let methods = item.as_object().unwrap().clone();
        methods.into_iter().map(move |(method, operation)| (format!("{method} {path}"), operation))
    };
    paths.into_iter().flat_map(named).collect()
}

#[test]
fn every_call_says_what_it_does_and_how_it_may_be_refused() {
    for (call, operation) in operations() {
        assert!(operation["summary"].is_string(), "{call} has no summary");
        assert!(operation["tags"][0].is_string(), "{call} has no tag");
        assert_eq!(operation["responses"]["default"]["$ref"], "#/components/responses/Problem", "{call}");
    }
}

#[test]
fn whole_json_says_its_tag_and_what_is_streamed_or_no_json_says_none() {
    for (path, says) in [
        ("/api/v1/games", true),
        ("/t/{code}", true),
        ("/api/v1/auth/me/export", false),
        ("/api/v1/library/export.csv", false),
        ("/api/v1/matches/{id}/stream", false),
    ] {
        let operation = &json()["paths"][path]["get"];
        let mut parameters = operation["parameters"].as_array().into_iter().flatten();
        let answers = ["200", "304"].map(|status| operation["responses"][status]["headers"]["ETag"].is_object());
        assert_eq!((parameters.any(|it| it["name"] == "if-none-match"), answers), (says, [says; 2]), "{path}");
    }
}

#[test]
fn who_of_the_equals_goes_on_is_told_in_each_of_its_ways() {
    let schemas = &json()["components"]["schemas"];
    let ways = schemas["TournamentCut"]["discriminator"]["mapping"].as_object().unwrap();
    assert_eq!(ways.keys().collect::<Vec<_>>(), ["all", "hand", "lot", "none", "seed"]);
    for way in ["All", "Hand", "Lot", "None", "Seed"] {
        assert_eq!(schemas[format!("TournamentCut{way}")]["additionalProperties"], false, "{way}");
    }
}

#[test]
fn what_may_hold_anything_says_so() {
    let schemas = &json()["components"]["schemas"];
    assert_eq!(schemas["MoveRequest"]["properties"]["move"]["$ref"], "#/components/schemas/GameMove");
    assert_eq!(schemas["MoveRequest"]["additionalProperties"], false);
    assert_eq!(schemas["GameMove"]["additionalProperties"], true);
}

#[test]
fn every_game_has_types_of_its_own() {
    let schemas = &json()["components"]["schemas"];
    for kind in engine::catalogue::GAMES {
        let start = schemas::pascal(kind.info().id);
        for what in ["Options", "Move", "Event", "View", "Outcome", "Record"] {
            assert!(schemas[format!("{start}{what}")].is_object(), "{start}{what}");
        }
        for union in ["Move", "Event"] {
            assert!(schemas[format!("{start}{union}")]["discriminator"].is_object(), "{start}{union}");
        }
        let record = &schemas[format!("{start}Record")]["properties"];
        for field in ["seed", "commitment", "nonces", "log", "players"] {
            assert!(record[field].is_object(), "{start}Record.{field}");
        }
    }
}

#[test]
fn every_list_of_words_says_whether_it_is_closed() {
    let mut found = 0;
    let mut document = json().clone();
    schemas::each(&mut document["components"]["schemas"], &mut |fields| {
        let (closed, open) =
            (fields.get("enum").is_some_and(Value::is_array), fields.contains_key("x-extensible-enum"));
        let about = fields.get("description").and_then(Value::as_str).unwrap_or_default();
        assert!(!closed || about.contains("Closed"), "{fields:?}");
        assert!(!open || about.contains("Open:"), "{fields:?}");
        found += usize::from(open);
    });
    assert!(found > 20, "{found}");
}

#[test]
fn lists_hold_components() {
    for (name, schema) in json()["components"]["schemas"].as_object().unwrap() {
        if name.starts_with("List_") {
            assert!(schemas::referred(&schema["properties"]["items"]["items"]).is_some(), "{name}: {schema}");
        }
    }
}

/// Each code is known with its status, and each list names operations that there are.
#[test]
fn every_list_of_codes_is_of_known_codes_and_operations() {
    let ids: Vec<_> = operations().iter().map(|(_, it)| it["operationId"].as_str().unwrap().to_owned()).collect();
    for (operation, codes) in codes::BY_OPERATION {
        assert!(ids.iter().any(|id| id == operation), "there is no operation {operation}");
        let unknown: Vec<_> = codes.split(' ').filter(|code| codes::status_of(code).is_none()).collect();
        assert!(unknown.is_empty(), "{operation}: {unknown:?}");
    }
    for codes in codes::BY_PATH.iter().map(|it| it.1).chain([codes::ANYWHERE, codes::TOURNAMENT_CHANGE]) {
        assert!(codes.split(' ').all(|code| codes::status_of(code).is_some()), "{codes}");
    }
}

/// Who waits for news takes the place of a stream, and may find none.
#[test]
fn every_operation_that_takes_the_place_of_a_stream_says_that_there_may_be_none() {
    let source = sources(concat!(env!("CARGO_MANIFEST_DIR"), "/..").as_ref());
    for (_, operation) in operations() {
        let id = operation["operationId"].as_str().unwrap();
        let handler = source.iter().find_map(|text| signature(text, id)).unwrap_or_default();
        let takes_place = ["Budget<Streams>", "Budget<LongPolls>"].iter().any(|it| handler.contains(*it));
        let lists =
            |code: &str| codes::BY_OPERATION.iter().any(|(of, all)| *of == id && all.split(' ').any(|it| it == code));
        for code in ["too_many_streams", "streams_full"] {
            assert_eq!(lists(code), takes_place, "{id}: {code}");
        }
    }
}

/// The list of permissions is what the handlers ask for.
#[test]
fn every_operation_of_staff_names_its_permission() {
    let source = sources(concat!(env!("CARGO_MANIFEST_DIR"), "/..").as_ref());
    for (_, operation) in operations() {
        let id = operation["operationId"].as_str().unwrap();
        let asked = permissions::of(id).map(|it| format!("{it:?}"));
        let handler = source.iter().find_map(|text| signature(text, id));
        let of_macro = source.iter().find_map(|text| {
            let (_, rest) = text.split_once(&format!("\n    {id}, \"/"))?;
            rest.split(", ").nth(1).map(str::to_owned)
        });
        let said = match (&of_macro, handler) {
            (Some(permission), _) => Some(permission.clone()),
            (None, Some(signature)) => signature
                .split_once("Authorized<can::")
                .map(|(_, rest)| rest.chars().take_while(char::is_ascii_alphanumeric).collect()),
            (None, None) => None,
        };
        assert_eq!(asked, said, "{id}");
    }
}

/// What stands between the name of a handler of the API and its answer.
fn signature<'a>(text: &'a str, handler: &str) -> Option<&'a str> {
    let (before, rest) = text.split_once(&format!("async fn {handler}("))?;
    let is_of_api = before.rsplit("\n\n").next().is_some_and(|it| it.contains("utoipa::path"));
    is_of_api.then(|| rest.split(" -> ").next().unwrap_or(rest))
}

fn sources(folder: &std::path::Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| if path.is_dir() { sources(&path) } else { vec![std::fs::read_to_string(&path).unwrap()] })
        .collect()
}

#[test]
fn every_body_refuses_unknown_fields() {
    let schemas = serde_json::to_value(document()).unwrap()["components"]["schemas"].clone();
    for (call, operation) in operations() {
        let body = operation["requestBody"]["content"]["application/json"]["schema"].to_string();
        for reference in body.split('"').filter_map(|part| part.strip_prefix("#/components/schemas/")) {
            assert_eq!(schemas[reference]["additionalProperties"], false, "{call}: {reference}");
        }
    }
}

/// The names under which the types of this source are described, each with where that is.
fn schema_names(folder: &std::path::Path, names: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            schema_names(&path, names);
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let after_derives = text.split("#[derive(").skip(1).filter_map(|rest| rest.split_once(")]"));
        let of_macros = text.split("text_enum! {").skip(1).map(|rest| ("ToSchema", rest));
        for (derived, rest) in after_derives.chain(of_macros) {
            let head = rest.split(['{', ';']).next().unwrap_or_default();
            let name = head.split("(as = ").nth(1).or_else(|| head.split("struct ").nth(1));
            let name = name.or_else(|| head.split("enum ").nth(1)).unwrap_or_default();
            let name: String = name.chars().take_while(|it| it.is_alphanumeric() || *it == '_').collect();
            if derived.contains("ToSchema") && !name.is_empty() {
                names.push((name, path.display().to_string()));
            }
        }
    }
}

/// Of two types under one name the document would show either, and no one knows which.
#[test]
fn no_two_types_are_described_under_one_name() {
    let mut names = Vec::new();
    schema_names(concat!(env!("CARGO_MANIFEST_DIR"), "/..").as_ref(), &mut names);
    names.sort();
    assert!(names.iter().any(|(name, _)| name == "Match") && names.iter().any(|(name, _)| name == "Mode"));
    let twice: Vec<_> = names.windows(2).filter(|pair| pair[0].0 == pair[1].0).collect();
    assert!(twice.is_empty(), "say `#[schema(as = …)]` at one of {twice:#?}");
}

#[test]
fn every_reference_leads_somewhere() {
    let document = serde_json::to_value(document()).unwrap();
    for reference in document.to_string().split('"').filter_map(|part| part.strip_prefix('#')) {
        assert!(document.pointer(reference).is_some(), "#{reference}");
    }
}

#[test]
fn keys_reach_addresses_that_there_are() {
    let known =
        |path: &str, method: &str| json()["paths"][format!("/api/v1{path}")].get(method.to_lowercase()).is_some();
    for (methods, paths) in REACH {
        for path in paths.split_ascii_whitespace() {
            assert!(methods.split(' ').all(|method| known(path, method)), "{methods} {path}");
        }
    }
}
