# Results: what is written down of matches with real dice and cards.
match-scored = Written down, not played here
result = Result
result-none = Nobody has written down a result yet. It appears here when one of the players does.
result-never = The match ended without a result.
result-number = Result { $number }
result-reported = Waiting for confirmation
result-disputed = Disputed
result-confirmed = Confirmed
result-replaced = Replaced
result-confirm = Confirm this result
result-write = Write down the result
result-write-button = Write down and confirm
result-correct = Correct the confirmed result
result-correct-button = Correct and confirm
result-help = Without places, the points decide, the most first, or else the order in which players were out. After a tie the next place is skipped (1, 2, 2, 4).
result-place = Place
result-points = Points
result-out = Out
result-reason = Reason (optional)
result-own = You play in this match: another player or another member of staff has to confirm.
result-before = { $count ->
    [one] { $count } earlier result
   *[other] { $count } earlier results
}
result-confirmed-by = Confirmed by { $name } · { $time }
flash-result-settled = The result is confirmed.
attention-result = A result waits for confirmation
attention-result-disputed = A result is disputed
result-look = See the result
start-scored = Make a match that is only written down
scored-title = What is played
scored-help = For another game, give its name. It is played with real dice and cards, and its players write down the result.
start-scored-button = Make it
