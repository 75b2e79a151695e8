//! A message in pieces, for programs that fill it themselves: Fluent's patterns without Fluent.

use fluent_syntax::ast::{Expression, InlineExpression, Pattern, PatternElement, Variant, VariantKey};
use serde::Serialize;
use utoipa::ToSchema;

/// A piece of a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[schema(as = SentencePart)]
pub enum Part {
    /// These characters.
    Text { text: String },
    /// The field of this name, said as its `kind` says.
    Field {
        #[schema(example = "seat")]
        field: String,
    },
    /// The parts of the first case that fits the field, or else the others.
    Choice {
        #[schema(example = "count")]
        field: String,
        cases: Vec<Case>,
        #[schema(no_recursion)]
        otherwise: Vec<Part>,
    },
}

/// What is said if a field has this value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = SentenceCase)]
pub struct Case {
    /// A word or a number as JSON writes it; `none` for null; or the plural category of a number in the language, as Unicode CLDR
    /// names it: `zero`, `one`, `two`, `few`, `many`.
    #[schema(example = "one")]
    pub when: String,
    #[schema(no_recursion)]
    pub parts: Vec<Part>,
}

/// None where it asks for more than fields of its own.
pub(super) fn parts(pattern: &Pattern<&str>) -> Option<Vec<Part>> {
    pattern.elements.iter().map(part).collect()
}

fn part(element: &PatternElement<&str>) -> Option<Part> {
    let expression = match element {
        PatternElement::TextElement { value } => return Some(text(value)),
        PatternElement::Placeable { expression } => expression,
    };
    match expression {
        Expression::Inline(inline) => inline_part(inline),
        Expression::Select { selector: InlineExpression::VariableReference { id }, variants } => {
            let named = variants.iter().filter(|variant| !variant.default);
            let default = variants.iter().find(|variant| variant.default)?;
            Some(Part::Choice {
                field: id.name.to_owned(),
                cases: named.map(case).collect::<Option<_>>()?,
                otherwise: parts(&default.value)?,
            })
        }
        Expression::Select { .. } => None,
    }
}

fn inline_part(inline: &InlineExpression<&str>) -> Option<Part> {
    match inline {
        InlineExpression::StringLiteral { value } | InlineExpression::NumberLiteral { value } => Some(text(value)),
        InlineExpression::VariableReference { id } => Some(Part::Field { field: id.name.to_owned() }),
        _ => None,
    }
}

fn case(variant: &Variant<&str>) -> Option<Case> {
    let (VariantKey::Identifier { name: when } | VariantKey::NumberLiteral { value: when }) = &variant.key;
    Some(Case { when: (*when).to_owned(), parts: parts(&variant.value)? })
}

fn text(text: &str) -> Part {
    Part::Text { text: text.to_owned() }
}
