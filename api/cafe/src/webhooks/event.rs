//! What happens in the café that others want to know of; the triggers of the database use the same words.

base::text_enum! {
    /// What a webhook can be told of.
    pub enum WebhookEvent {
        MatchFinished = "match.finished",
        ResultDisputed = "result.disputed",
        CallOpened = "call.opened",
        SittingOpened = "sitting.opened",
        SittingClosed = "sitting.closed",
        RoundPublished = "tournament.round_published",
    }
}
