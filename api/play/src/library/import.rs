//! A sheet on its way into the library: what each line would do, and then all of it or nothing.

use std::collections::{HashMap, HashSet};

use diesel_async::{AsyncConnection, AsyncPgConnection};
use serde::Serialize;
use utoipa::ToSchema;

use super::csv::{self, Line};
use super::form::{Column, TitleText, joined};
use super::store::TitleContent;
use super::{Shelf, TitleId, TitleRow, copies, store, titles};
use base::auth::{Actor, StaffContext, can};
use base::error::{FieldError, Result};
use base::text::Lang;

base::text_enum! {
    /// What a line of a sheet does.
    pub enum Effect {
        New = "new",
        Changed = "changed",
        Same = "same",
        /// Something is wrong with it.
        Refused = "refused",
    }
}

/// What a sheet does to the library.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LibraryImport)]
pub struct Import {
    /// Whether it was done: only if asked for, and only if no line is refused.
    pub written: bool,
    pub lines: Vec<ImportLine>,
    /// Headings that mean nothing here.
    pub ignored: Vec<String>,
}

/// What one line of a sheet does.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LibraryImportLine)]
pub struct ImportLine {
    /// Where it begins in the file, from 1.
    pub line: u64,
    pub name: String,
    pub effect: Effect,
    pub changes: Vec<CellChange>,
    pub errors: Vec<CellError>,
    #[serde(skip)]
    write: Option<Write>,
}

/// A field that will be another.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LibraryCellChange)]
pub struct CellChange {
    pub column: Column,
    /// The field's name, in the caller's language.
    pub label: String,
    pub from: String,
    pub to: String,
}

/// What is wrong with a field.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LibraryCellError)]
pub struct CellError {
    pub column: Option<Column>,
    /// The field's name, in the caller's language.
    pub label: String,
    #[schema(example = "out_of_range")]
    pub code: String,
    pub detail: String,
}

/// What to write for a line.
#[derive(Debug)]
struct Write {
    /// None for a new title.
    id: Option<TitleId>,
    /// None if it stays as it is.
    content: Option<TitleContent>,
    /// Of copies to be added.
    shelves: Vec<Shelf>,
}

/// What the sheet would do, and if that is wanted and nothing is wrong, it is done.
pub async fn import(
    cx: &mut StaffContext<'_, can::ManageLibrary>,
    lang: Lang,
    bytes: &[u8],
    write: bool,
) -> Result<Import> {
    let sheet = csv::read(bytes, lang)?;
    let (conn, actor) = cx.parts().await?;
    conn.transaction(async |conn| {
        let library = Library::read(conn, lang).await?;
        let mut seen = HashSet::new();
        let lines: Vec<ImportLine> =
            sheet.lines.iter().map(|line| library.weigh(line, &sheet.columns, &mut seen)).collect();
        let written = write && lines.iter().all(|line| line.effect != Effect::Refused);
        for line in lines.iter().filter(|_| written) {
            if let Some(write) = &line.write {
                write.apply(conn, actor).await?;
            }
        }
        Ok(Import { written, lines, ignored: sheet.ignored })
    })
    .await
}

/// What the sheet is compared with.
struct Library {
    lang: Lang,
    titles: Vec<TitleRow>,
    shelves: HashMap<TitleId, Vec<String>>,
    by_id: HashMap<String, usize>,
    by_name: HashMap<String, usize>,
}

impl Library {
    async fn read(conn: &mut AsyncPgConnection, lang: Lang) -> Result<Self> {
        let titles = store::list_all(conn).await?;
        let ids: Vec<TitleId> = titles.iter().map(|title| title.id).collect();
        let mut shelves: HashMap<TitleId, Vec<String>> = HashMap::new();
        for copy in store::list_copies(conn, &ids, false).await? {
            shelves.entry(copy.title_id).or_default().push(copy.shelf);
        }
        Ok(Self::of(lang, titles, shelves))
    }

    fn of(lang: Lang, titles: Vec<TitleRow>, shelves: HashMap<TitleId, Vec<String>>) -> Self {
        let present = || titles.iter().enumerate().filter(|(_, title)| title.archived_at.is_none());
        let by_id = present().map(|(at, title)| (title.id.to_string(), at)).collect();
        let by_name = present().map(|(at, title)| (title.name_ko.to_lowercase(), at)).collect();
        Self { lang, titles, shelves, by_id, by_name }
    }

    /// What a line would do. `seen` are the names of the lines before it.
    fn weigh(&self, line: &Line, columns: &[Column], seen: &mut HashSet<String>) -> ImportLine {
        let (found, mut wrong) = match self.find(&line.text) {
            Ok(found) => (found, Vec::new()),
            Err(err) => (None, vec![err]),
        };
        // What the sheet has no column for stays as it is.
        let before = found.map(|title| self.text_of(title));
        let mut after = before.clone().unwrap_or_default();
        for column in columns {
            after.set(*column, line.text.cell(*column));
        }
        let content = match after.content() {
            Ok(content) => Some(content),
            Err(errors) => {
                wrong.extend(errors);
                None
            }
        };
        wrong.extend(content.as_ref().and_then(|(content, _)| self.taken(found, content)));
        if !seen.insert(after.name_ko.to_lowercase()) {
            wrong.push(FieldError::new("/name/ko", "twice"));
        }
        let (effect, write, changes) = match content.filter(|_| wrong.is_empty()) {
            Some((content, shelves)) => self.compare(found, before, content, shelves),
            None => (Effect::Refused, None, Vec::new()),
        };
        let errors = wrong.iter().map(|err| self.error(err)).collect();
        let name = after.name_ko.chars().take(80).collect();
        ImportLine { line: line.number, name, effect, changes, errors, write }
    }

    /// The title that a line is about: by its id, else by its name.
    fn find(&self, text: &TitleText) -> Result<Option<&TitleRow>, FieldError> {
        let at = match text.id.as_str() {
            "" => self.by_name.get(&text.name_ko.to_lowercase()),
            id => Some(self.by_id.get(&id.to_lowercase()).ok_or_else(|| FieldError::new("/id", "unknown_value"))?),
        };
        Ok(at.map(|at| &self.titles[*at]))
    }

    /// What another title has already.
    fn taken(&self, found: Option<&TitleRow>, content: &TitleContent) -> Option<FieldError> {
        let id = found.map(|title| title.id);
        let named = self.by_name.get(&content.name_ko.to_lowercase()).map(|at| self.titles[*at].id);
        let of_game = self.titles.iter().find(|title| title.game.is_some() && title.game == content.game);
        if named.is_some() && named != id {
            Some(FieldError::new("/name/ko", "taken"))
        } else if of_game.is_some_and(|title| Some(title.id) != id) {
            Some(FieldError::new("/game", "taken"))
        } else {
            None
        }
    }

    fn compare(
        &self,
        found: Option<&TitleRow>,
        before: Option<TitleText>,
        content: TitleContent,
        shelves: Vec<Shelf>,
    ) -> (Effect, Option<Write>, Vec<CellChange>) {
        let Some((title, before)) = found.zip(before) else {
            return (Effect::New, Some(Write { id: None, content: Some(content), shelves }), Vec::new());
        };
        let mut there = self.shelves.get(&title.id).cloned().unwrap_or_default();
        // A copy that the sheet does not tell of is not taken away.
        let missing = |shelf: &Shelf| match there.iter().position(|it| *it == shelf.0) {
            Some(at) => {
                there.swap_remove(at);
                false
            }
            None => true,
        };
        let more: Vec<Shelf> = shelves.into_iter().filter(missing).collect();
        let mut after = TitleText { id: before.id.clone(), ..TitleText::of(&content, self.lang) };
        let now = self.shelves.get(&title.id).into_iter().flatten().map(String::as_str);
        after.shelves = joined(now.chain(more.iter().map(|shelf| shelf.0.as_str())));
        let differs = |column: &&Column| before.cell(**column) != after.cell(**column);
        let change = |column: &Column| CellChange {
            column: *column,
            label: self.lang.text(&column.key()),
            from: before.cell(*column).to_owned(),
            to: after.cell(*column).to_owned(),
        };
        let changes: Vec<CellChange> = Column::ALL.iter().filter(differs).map(change).collect();
        if changes.is_empty() {
            return (Effect::Same, None, changes);
        }
        let content = Some(content).filter(|content| *content != title.clone().into());
        (Effect::Changed, Some(Write { id: Some(title.id), content, shelves: more }), changes)
    }

    fn text_of(&self, title: &TitleRow) -> TitleText {
        let mut text = TitleText::of(&title.clone().into(), self.lang);
        text.id = title.id.to_string();
        text.shelves = joined(self.shelves.get(&title.id).into_iter().flatten().map(String::as_str));
        text
    }

    fn error(&self, err: &FieldError) -> CellError {
        let column = Column::of_pointer(&err.pointer);
        CellError {
            column,
            label: column.map(|column| self.lang.text(&column.key())).unwrap_or_default(),
            code: err.code.clone().into_owned(),
            detail: err.detail(self.lang),
        }
    }
}

impl Write {
    async fn apply(&self, conn: &mut AsyncPgConnection, actor: Actor<'_>) -> Result<()> {
        match (self.id, &self.content) {
            (None, Some(content)) => {
                titles::enter(conn, actor, content, &self.shelves).await?;
                return Ok(());
            }
            (Some(id), Some(content)) => {
                let before = titles::lock(conn, id).await?;
                titles::rewrite(conn, actor, &before, content).await?;
            }
            (_, None) => {}
        }
        if let Some(id) = self.id {
            for shelf in &self.shelves {
                copies::enter(conn, actor, id, shelf).await?;
            }
        }
        Ok(())
    }
}

impl Import {
    pub fn count(&self, effect: Effect) -> usize {
        self.lines.iter().filter(|line| line.effect == effect).count()
    }

    pub fn changes_nothing(&self) -> bool {
        self.count(Effect::New) + self.count(Effect::Changed) == 0
    }
}

impl Effect {
    pub fn key(self) -> &'static str {
        match self {
            Self::New => "effect-new",
            Self::Changed => "effect-changed",
            Self::Same => "effect-same",
            Self::Refused => "effect-refused",
        }
    }

    /// Of its colour in the style sheet.
    pub fn tone(self) -> &'static str {
        match self {
            Self::New => "finished",
            Self::Changed => "playing",
            Self::Same => "none",
            Self::Refused => "attention",
        }
    }

    pub fn icon(self) -> &'static str {
        match self {
            Self::New => "plus",
            Self::Changed => "edit",
            Self::Same => "check",
            Self::Refused => "cross",
        }
    }
}
