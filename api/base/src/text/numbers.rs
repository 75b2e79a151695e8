//! Numbers as people write them in their language: 1,234.5 or 1234,5. The API writes them as machines do, and so is written
//! what is rather a name than an amount: ratings, codes, days. For sheets see `sheets`.

use std::fmt::Display;

use fluent_bundle::FluentValue;
use icu_decimal::DecimalFormatter;
use icu_decimal::input::Decimal;
use icu_decimal::options::DecimalFormatterOptions;
use intl_memoizer::Memoizable;
use intl_memoizer::concurrent::IntlLangMemoizer;
use unic_langid::LanguageIdentifier;

use super::Lang;

impl Lang {
    /// With as many decimals as it has itself.
    pub fn number(self, number: impl Display) -> String {
        thread_local! {
            static WRITERS: [Option<DecimalFormatter>; 3] = Lang::ALL.map(Lang::writer);
        }
        let digits = number.to_string();
        let written = |writers: &[Option<DecimalFormatter>; 3]| {
            let writer = writers.iter().zip(Self::ALL).find(|(_, lang)| *lang == self)?.0.as_ref()?;
            Some(with_true_minus(&writer.format(&digits.parse::<Decimal>().ok()?).to_string()))
        };
        WRITERS.with(written).unwrap_or(digits)
    }

    /// With so many decimals.
    pub fn decimal(self, number: f64, decimals: usize) -> String {
        self.number(format_args!("{number:.decimals$}"))
    }

    /// With at most so many decimals.
    pub fn up_to(self, number: f64, decimals: u8) -> String {
        let scale = 10_f64.powi(decimals.into());
        // Never minus nothing.
        self.number((number * scale).round() / scale + 0.0)
    }

    /// A part of a whole, in percent.
    pub fn percent(self, share: f64, decimals: usize) -> String {
        self.text_with("percent", &[("number", self.decimal(share * 100.0, decimals).into())])
    }

    fn writer(self) -> Option<DecimalFormatter> {
        let locale: icu_locale_core::Locale = self.code().parse().ok()?;
        DecimalFormatter::try_new(locale.into(), DecimalFormatterOptions::default()).ok()
    }
}

/// What is rather a name than an amount, such as a rating: not parted at thousands.
pub fn name(number: i32) -> String {
    with_true_minus(&number.to_string())
}

/// As wide as a plus, and not broken off like a hyphen.
fn with_true_minus(number: &str) -> String {
    number.replace('-', "\u{2212}")
}

/// Of which language a catalogue is.
struct Reader(Lang);

impl Memoizable for Reader {
    type Args = ();
    type Error = ();

    fn construct(language: LanguageIdentifier, (): ()) -> Result<Self, ()> {
        Lang::from_code(language.language.as_str()).map(Self).ok_or(())
    }
}

/// How numbers in messages are written.
pub fn in_messages(value: &FluentValue<'_>, memoizer: &IntlLangMemoizer) -> Option<String> {
    let FluentValue::Number(number) = value else { return None };
    let lang = memoizer.with_try_get::<Reader, _, _>((), |reader| reader.0).ok()?;
    Some(lang.number(number.as_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn everywhere(write: impl Fn(Lang) -> String) -> [String; 3] {
        Lang::ALL.map(write)
    }

    #[test]
    fn thousands_are_parted_as_the_language_does() {
        assert_eq!(everywhere(|lang| lang.number(999)), ["999", "999", "999"]);
        // In Spanish four digits stand together.
        assert_eq!(everywhere(|lang| lang.number(1234)), ["1,234", "1,234", "1234"]);
        assert_eq!(everywhere(|lang| lang.number(-1_234_567_i64)), ["−1,234,567", "−1,234,567", "−1.234.567"]);
    }

    #[test]
    fn decimals_follow_the_mark_of_the_language() {
        assert_eq!(everywhere(|lang| lang.decimal(1.46, 1)), ["1.5", "1.5", "1,5"]);
        assert_eq!(everywhere(|lang| lang.decimal(12_345.0, 2)), ["12,345.00", "12,345.00", "12.345,00"]);
        assert_eq!(everywhere(|lang| lang.number("7.50")), ["7.50", "7.50", "7,50"]);
        assert_eq!([2.04, 2.05, -0.04].map(|it| Lang::Es.up_to(it, 1)), ["2", "2,1", "0"]);
    }

    #[test]
    fn percent_stand_off_from_the_number_in_spanish_only() {
        assert_eq!(everywhere(|lang| lang.percent(0.125, 1)), ["12.5%", "12.5%", "12,5\u{a0}%"]);
        assert_eq!(everywhere(|lang| lang.percent(1.0, 0)), ["100%", "100%", "100\u{a0}%"]);
    }

    #[test]
    fn what_is_no_number_stays_as_it_is() {
        for text in ["", "–", "NaN", "2026-11-22"] {
            assert_eq!(Lang::Es.number(text), text);
        }
    }

    #[test]
    fn numbers_in_messages_are_written_alike() {
        let said = |lang: Lang, count: i64| lang.text_with("rated-matches", &[("count", count.into())]);
        assert!(said(Lang::En, 12_345).contains("12,345"));
        assert!(said(Lang::Es, 12_345).contains("12.345"));
        assert!(said(Lang::Ko, 1234).contains("1,234"));
        // A word for one thing is chosen by the number, not by how it is written.
        assert_eq!(said(Lang::En, 1), "1 match");
    }
}
