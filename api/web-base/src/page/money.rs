//! Amounts and bills in words.

use super::{Page, Say};
use base::settings::tariff::{BillLine, decimals};

impl Page {
    /// An amount as people write it, from the currency's smallest unit.
    pub fn money(&self, amount: &i64, currency: &str) -> String {
        let key = if currency == "KRW" { "money-krw" } else { "money-other" };
        let amount = self.number(in_units(*amount, currency));
        self.say(key).with("amount", amount).with("currency", currency).to_string()
    }

    /// How it is made up what people owe who came and left together.
    pub fn bill_line(&self, line: &BillLine, currency: &str) -> String {
        let key = match line {
            BillLine { free: true, .. } => "bill-free",
            BillLine { day_pass: true, .. } => "bill-day-pass",
            BillLine { steps: 0, .. } => "bill-first",
            _ => "bill-steps",
        };
        self.say(key)
            .with("people", self.say("party-of").with("count", line.people))
            .with("first", self.span(line.first_minutes))
            .with("price", self.money(&line.first_price, currency))
            .with("step", self.span(line.step_minutes))
            .with("step-price", self.money(&line.step_price, currency))
            .with("steps", line.steps)
            .with("each", self.money(&line.each, currency))
            .to_string()
    }

    /// A length of time in hours, where it is whole ones.
    pub fn span(&self, minutes: impl std::borrow::Borrow<i64>) -> Say {
        match *minutes.borrow() {
            minutes if minutes % 60 == 0 && minutes > 0 => self.say("span-hours").with("h", minutes / 60),
            minutes if minutes < 60 => self.say("since-minutes").with("m", minutes),
            minutes => self.say("since-hours").with("h", minutes / 60).with("m", minutes % 60),
        }
    }
}

/// With the decimals that the currency has.
pub fn in_units(amount: i64, currency: &str) -> String {
    match decimals(currency).unwrap_or(0) {
        0 => amount.to_string(),
        decimals => {
            let unit = 10_i64.pow(decimals);
            format!("{}.{:0width$}", amount / unit, amount % unit, width = decimals as usize)
        }
    }
}

/// The other way round; none for what is no amount of this currency.
pub fn from_units(text: &str, currency: &str) -> Option<i64> {
    let decimals = decimals(currency).unwrap_or(0) as usize;
    let (whole, part) = text.split_once(['.', ',']).unwrap_or((text, ""));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || part.len() > decimals || !is_number(whole) || !is_number(part) {
        return None;
    }
    format!("{whole}{part:0<decimals$}").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::text::Lang;
    use jiff::Timestamp;

    #[test]
    fn amounts_have_the_decimals_of_their_currency() {
        assert_eq!((in_units(7500, "KRW"), in_units(7505, "EUR")), ("7500".to_owned(), "75.05".to_owned()));
        let read = |text| (from_units(text, "KRW"), from_units(text, "EUR"));
        assert_eq!(read("3000"), (Some(3000), Some(300_000)));
        assert_eq!(read("4.5"), (None, Some(450)));
        assert_eq!(read("4,05"), (None, Some(405)));
        for nonsense in ["", "-1", ".5", "1.234", "1e3", "9".repeat(30).as_str()] {
            assert_eq!(read(nonsense), (None, None), "{nonsense}");
        }
    }

    #[test]
    fn a_bill_says_how_it_is_made_up_in_every_language() {
        let line = BillLine {
            people: 2,
            since: Timestamp::UNIX_EPOCH,
            until: Timestamp::UNIX_EPOCH,
            weekend: false,
            first_minutes: 60,
            first_price: 3000,
            steps: 3,
            step_minutes: 10,
            step_price: 500,
            free: false,
            day_pass: false,
            each: 4500,
            total: 9000,
        };
        let said = |lang| Page::sample(lang).bill_line(&line, "KRW");
        assert_eq!(said(Lang::Ko), "2명 × (첫 1시간 3,000원 + 10분 500원 × 3)");
        assert_eq!(said(Lang::En), "2 people × (first 1 h 3,000 KRW + 10 min 500 KRW × 3)");
        for lang in Lang::ALL {
            let free = BillLine { free: true, ..line.clone() };
            let short = BillLine { steps: 0, ..line.clone() };
            let pass = BillLine { day_pass: true, ..line.clone() };
            for line in [free, short, pass] {
                let said = Page::sample(lang).bill_line(&line, "EUR");
                assert!(!said.starts_with("bill-"), "{said}");
            }
        }
    }
}
