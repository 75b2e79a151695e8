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
