# Variants: the house's own rules.
error-variant_not_found = There is no such variant.
error-unknown_variant = There is no such variant of this game.
error-options_of_variant = A match is made by a variant or by options, not by both.
error-variant_retired = This variant is no longer played.
error-variant_outdated = The game has been revised since. This variant needs a new version.
error-variant_name_taken = There is a variant of this game with this name already.
error-version_is_final = This version has been published or played and never changes. Make a new one.
error-version_unchanged = This would be the same as the version before.
error-too_many_versions = This variant has too many versions.

variant-change = { $option }: { $from } → { $to }

variants = House rules
variants-lead = Make this café's own rules for each game, try them out, then publish them for guests.
variants-none = Only the basic rules so far.
variants-none-of-kind = No house rules here
variants-see-all = See all
variants-older = Older house rules
variant-make = New
variant-make-of = { $name }: new house rules
variant-make-button = Make draft
variant-edit = Change house rules
variant-name = Name
variant-description = Description
variant-description-help = Stands at the top of the rules page that guests read. May be left empty.
variant-draft = Draft
variant-draft-next = Next version in the works
variant-published = Published
variant-retired = Retired
variant-plays = { $count ->
    [one] played once
   *[other] played { $count } times
}
variant-plays-many = played more than { $count } times
variant-bounds = From { $least } to { $most }.
variant-bounds-wrong = It must be a number from { $least } to { $most }.
variant-basic-value = Basic game: { $value }
variant-look = See what changes
variant-preview = What changes in version { $number }
variant-save-so = Save as shown
variant-start-over = Choose again
variant-rules = Rules page
variant-publish = Publish
variant-retire = Retire
variant-try = Try out
variant-versions = Versions
variant-published-at = published { $time }
variant-played = played
variant-since = Unlike version { $number }
variant-since-basic = Unlike the basic game
variant-no-change = Nothing differs.
variant-differs = Unlike the basic game: { $changes }.
variant-same = Just as the basic game.
variant-set = { $option } { $value }
rules-changed = changed by the house
rules-changes = Changed by the house

trial = Try-out
trial-note = This is a try-out: only staff see it, it counts nowhere, and it is gone after a day.
trial-of = { $name }, version { $number }
trial-seats = Seats
trial-start = Start with so many
trial-again = Start again
trial-legal = { $name }: moves
trial-house = Let the house move
trial-house-many = Let the house make { $count } moves
trial-over = It is played to the end.
trial-moves = Move { $count }
trial-log = So far

flash-variant-made = Draft made: { $name }
flash-variant-saved = Saved: { $name }
flash-variant-published = Published.
flash-variant-retired = Retired.
flash-variant-outdated = The game's rules have changed since. Please make a new version.
flash-variant-name-taken = House rules of that name are published already.
flash-trial-moved = The board has changed since. Please choose again.

error-trial_not_found = There is no such try-out, or it is gone.
