//! What the engine says in a game's own words, as the API's document names it. The document takes the schemas of these from the
//! engine; here is only what they are called.

use serde_json::Value;
use utoipa::ToSchema;

macro_rules! shapes {
    ($($(#[$doc:meta])+ $name:ident),+ $(,)?) => {$(
        $(#[$doc])+
        #[derive(Debug, ToSchema)]
        #[schema(value_type = Object)]
        pub struct $name(pub Value);
    )+};
}

shapes! {
    /// The rule switches of a game.
    GameOptions,
    /// A move: its `type`, and the fields of that type.
    GameMove,
    /// Something that was told: its `type`, and the fields of that type.
    GameEvent,
    /// What a seat, or the public, sees of a match.
    GameView,
    /// How a match ended.
    MatchOutcome,
    /// To whom an event was told.
    EventAudience,
    /// What a record of a match holds for its check.
    EngineRecord,
    /// A JSON Schema, of the draft 2020-12.
    JsonSchema,
    /// Who meets whom in a stage of a tournament.
    StageFormat,
    /// What a result is worth in a stage of a tournament.
    StageScoring,
    /// What tells entrants with equal points apart.
    StageTieBreak,
    /// What an event of a series brings, and what of it counts.
    SeriesRules,
    /// What the lab found out about rules.
    LabReport,
    /// A share of a whole, and where it lies with a certainty of 95 %.
    LabShare,
    /// Why a bout was paired so.
    PairingReason,
}
