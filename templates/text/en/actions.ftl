# What the audit log tells of: api/src/audit/words.rs.
action-table-create = Added a table
action-table-change = Changed a table
action-match-start = Started a match
action-match-abort = Called a match off
action-variant-create = Drafted a variant
action-variant-change = Changed a variant
action-variant-version = Drafted a new version of a variant
action-variant-publish = Published a variant
action-variant-retire = Retired a variant
action-player-delete = Deleted their account
action-staff-add = Added a member of staff
action-audit-export = Downloaded the audit log
action-audit-check = Checked the seals of the audit log
action-house-backup = Took a backup
action-house-restore = Restored a backup

subject-table = Table
subject-match = Match
subject-variant = Variant
subject-player = Account
subject-audit = Audit log
subject-house = Café
