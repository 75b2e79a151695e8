-- A deleted account takes the guests along that were merged into it. Accounts that were deleted earlier left their names.
UPDATE players SET display_name = 'someone', deleted_at = account.deleted_at
FROM players account
WHERE account.id = players.merged_into AND account.deleted_at IS NOT NULL AND players.deleted_at IS NULL;
