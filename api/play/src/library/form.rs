//! A title as people type it, into a form or a sheet: every field is text, and each that is wrong is told.

use super::store::TitleContent;
use super::titles::{Names, Reach, TitleName, TitleRequest};
use super::{Difficulty, Shelf};
use base::error::{Error, FieldError};
use base::text::Lang;

base::text_enum! {
    /// A field of a title.
    pub enum Column {
        /// Only in a sheet.
        Id = "id",
        NameKo = "name_ko",
        NameEn = "name_en",
        NameEs = "name_es",
        PlayersFrom = "players_from",
        PlayersTo = "players_to",
        MinutesFrom = "minutes_from",
        MinutesTo = "minutes_to",
        Difficulty = "difficulty",
        TeachMinutes = "teach_minutes",
        Game = "game",
        RulesUrl = "rules_url",
        /// Of its copies, with a stroke between them.
        Shelves = "shelves",
    }
}

pub const BETWEEN_SHELVES: char = '/';

/// The fields as they were typed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TitleText {
    pub id: String,
    pub name_ko: String,
    pub name_en: String,
    pub name_es: String,
    pub players_from: String,
    pub players_to: String,
    pub minutes_from: String,
    pub minutes_to: String,
    pub difficulty: String,
    pub teach_minutes: String,
    pub game: String,
    pub rules_url: String,
    pub shelves: String,
}

impl Column {
    /// Its name in the catalogues.
    pub fn key(self) -> String {
        format!("title-{}", self.as_str().replace('_', "-"))
    }

    /// Where the API has it.
    fn pointer(self) -> &'static str {
        match self {
            Self::Id => "/id",
            Self::NameKo => "/name/ko",
            Self::NameEn => "/name/en",
            Self::NameEs => "/name/es",
            Self::PlayersFrom => "/players/from",
            Self::PlayersTo => "/players/to",
            Self::MinutesFrom => "/minutes/from",
            Self::MinutesTo => "/minutes/to",
            Self::Difficulty => "/difficulty",
            Self::TeachMinutes => "/teach_minutes",
            Self::Game => "/game",
            Self::RulesUrl => "/rules_url",
            Self::Shelves => "/shelves",
        }
    }

    pub fn of_pointer(pointer: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|column| column.pointer() == pointer)
    }
}

impl TitleText {
    pub fn of(content: &TitleContent, lang: Lang) -> Self {
        Self {
            id: String::new(),
            name_ko: content.name_ko.clone(),
            name_en: content.name_en.clone(),
            name_es: content.name_es.clone(),
            players_from: content.players_from.to_string(),
            players_to: content.players_to.to_string(),
            minutes_from: content.minutes_from.to_string(),
            minutes_to: content.minutes_to.to_string(),
            difficulty: content.difficulty.word(lang),
            teach_minutes: content.teach_minutes.map(|minutes| minutes.to_string()).unwrap_or_default(),
            game: content.game.clone().unwrap_or_default(),
            rules_url: content.rules_url.clone().unwrap_or_default(),
            shelves: String::new(),
        }
    }

    pub fn cell(&self, column: Column) -> &str {
        match column {
            Column::Id => &self.id,
            Column::NameKo => &self.name_ko,
            Column::NameEn => &self.name_en,
            Column::NameEs => &self.name_es,
            Column::PlayersFrom => &self.players_from,
            Column::PlayersTo => &self.players_to,
            Column::MinutesFrom => &self.minutes_from,
            Column::MinutesTo => &self.minutes_to,
            Column::Difficulty => &self.difficulty,
            Column::TeachMinutes => &self.teach_minutes,
            Column::Game => &self.game,
            Column::RulesUrl => &self.rules_url,
            Column::Shelves => &self.shelves,
        }
    }

    pub fn set(&mut self, column: Column, cell: &str) {
        let place = match column {
            Column::Id => &mut self.id,
            Column::NameKo => &mut self.name_ko,
            Column::NameEn => &mut self.name_en,
            Column::NameEs => &mut self.name_es,
            Column::PlayersFrom => &mut self.players_from,
            Column::PlayersTo => &mut self.players_to,
            Column::MinutesFrom => &mut self.minutes_from,
            Column::MinutesTo => &mut self.minutes_to,
            Column::Difficulty => &mut self.difficulty,
            Column::TeachMinutes => &mut self.teach_minutes,
            Column::Game => &mut self.game,
            Column::RulesUrl => &mut self.rules_url,
            Column::Shelves => &mut self.shelves,
        };
        cell.trim().clone_into(place);
    }

    /// What it says, or all that is wrong with it.
    pub fn read(&self) -> Result<(TitleRequest, Vec<Shelf>), Vec<FieldError>> {
        let mut wrong = Vec::new();
        let mut name = |column: Column| {
            let read = TitleName::parse(self.cell(column));
            read.map_err(|err| wrong.push(err.at(column.pointer()))).ok()
        };
        let ko = name(Column::NameKo);
        let mut other = |column: Column| (!self.cell(column).trim().is_empty()).then(|| name(column)).flatten();
        let (en, es) = (other(Column::NameEn), other(Column::NameEs));
        let mut number = |column: Column| {
            let cell = self.cell(column).trim();
            let code = if cell.is_empty() { "empty" } else { "out_of_range" };
            let read = cell.parse::<i64>();
            read.map_err(|_| wrong.push(FieldError::new(column.pointer(), code))).unwrap_or(1)
        };
        let players = Reach { from: number(Column::PlayersFrom), to: number(Column::PlayersTo) };
        let minutes = Reach { from: number(Column::MinutesFrom), to: number(Column::MinutesTo) };
        let teach_minutes = (!self.teach_minutes.trim().is_empty()).then(|| number(Column::TeachMinutes));
        let difficulty = Difficulty::of_word(&self.difficulty);
        if difficulty.is_none() {
            wrong.push(FieldError::new(Column::Difficulty.pointer(), "unknown_value"));
        }
        let shelves = self.shelves.split(BETWEEN_SHELVES).map(str::trim).filter(|shelf| !shelf.is_empty());
        let shelves = shelves.map(Shelf::parse).collect::<Result<Vec<_>, _>>();
        let shelves = shelves.map_err(|err| wrong.push(err.at(Column::Shelves.pointer()))).unwrap_or_default();
        let given = |cell: &str| Some(cell.trim().to_owned()).filter(|cell| !cell.is_empty());
        match (ko, difficulty) {
            (Some(ko), Some(difficulty)) if wrong.is_empty() => {
                let name = Names { ko, en, es };
                let (game, rules_url) = (given(&self.game), given(&self.rules_url));
                Ok((TitleRequest { name, players, minutes, difficulty, teach_minutes, game, rules_url }, shelves))
            }
            _ => Err(wrong),
        }
    }

    /// The same, checked as the database would have it.
    pub fn content(&self) -> Result<(TitleContent, Vec<Shelf>), Vec<FieldError>> {
        let (request, shelves) = self.read()?;
        match request.content() {
            Ok(content) => Ok((content, shelves)),
            Err(Error::Refused(refusal)) => Err(refusal.fields),
            Err(Error::Internal(_)) => Err(vec![FieldError::new("", "invalid")]),
        }
    }
}

/// Shelves as one cell holds them.
pub fn joined<'a>(shelves: impl Iterator<Item = &'a str>) -> String {
    shelves.collect::<Vec<_>>().join(&format!(" {BETWEEN_SHELVES} "))
}

impl Difficulty {
    pub fn key(self) -> &'static str {
        match self {
            Self::Easy => "difficulty-easy",
            Self::Medium => "difficulty-medium",
            Self::Hard => "difficulty-hard",
        }
    }

    pub fn word(self, lang: Lang) -> String {
        lang.text(self.key())
    }

    /// By its word in any language, or as the API has it.
    fn of_word(word: &str) -> Option<Self> {
        let word = word.trim().to_lowercase();
        let is_it =
            |it: &Self| it.as_str() == word || Lang::ALL.iter().any(|lang| it.word(*lang).to_lowercase() == word);
        Self::ALL.iter().copied().find(is_it)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(change: impl FnOnce(&mut TitleText)) -> TitleText {
        let mut text = TitleText {
            name_ko: " 페루도 ".to_owned(),
            players_from: "2".to_owned(),
            players_to: "6".to_owned(),
            minutes_from: "15".to_owned(),
            minutes_to: "30".to_owned(),
            difficulty: "쉬움".to_owned(),
            ..TitleText::default()
        };
        change(&mut text);
        text
    }

    #[test]
    fn what_is_typed_is_read() {
        let (title, shelves) = typed(|it| it.shelves = "카운터 / A-3/ ".to_owned()).content().unwrap();
        assert_eq!((title.name_ko.as_str(), title.name_es.as_str()), ("페루도", "페루도"));
        assert_eq!(title.difficulty, Difficulty::Easy);
        assert_eq!(shelves, ["카운터", "A-3"].map(|shelf| Shelf(shelf.to_owned())));
        for (word, difficulty) in [("hard", Difficulty::Hard), ("Fácil", Difficulty::Easy)] {
            let title = typed(|it| it.difficulty = word.to_owned()).content().unwrap().0;
            assert_eq!(title.difficulty, difficulty);
        }
    }

    #[test]
    fn every_field_that_is_wrong_is_told() {
        let text = typed(|it| {
            it.name_ko.clear();
            it.name_en = "x".repeat(81);
            it.players_from = "two".to_owned();
            it.minutes_to.clear();
            it.teach_minutes = "-".to_owned();
            it.difficulty = "?".to_owned();
            it.shelves = "x".repeat(21);
        });
        let wrong = text.content().unwrap_err();
        let mut columns: Vec<_> = wrong.iter().filter_map(|it| Column::of_pointer(&it.pointer)).collect();
        columns.sort();
        use Column::{MinutesTo, NameEn, NameKo, PlayersFrom, Shelves, TeachMinutes};
        assert_eq!(columns, [NameKo, NameEn, PlayersFrom, MinutesTo, Column::Difficulty, TeachMinutes, Shelves]);
    }

    #[test]
    fn a_title_reads_back_as_it_was_written() {
        let (title, _) = typed(|it| it.teach_minutes = "5".to_owned()).content().unwrap();
        for lang in Lang::ALL {
            assert_eq!(TitleText::of(&title, lang).content().unwrap().0, title);
        }
    }
}
