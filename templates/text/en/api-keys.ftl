api-keys = Keys
api-keys-empty = No keys yet
api-keys-empty-help = With a key, another service uses the API: a bracket, a screen, a till.
api-key-new = New key
api-key-new-help = Another service sends it with each request and may then do what this role may. Accounts, staff, settings and other keys are out of its reach.
api-key-make = Make a key
api-key-name = Name
api-key-name-help = Stands in the audit log beside all that is done with it.
api-key-life = Lasts
api-key-lasts = Until it is revoked
api-key-days = { $count ->
    [one] { $count } day
   *[other] { $count } days
}
api-key-sandbox = Only to try things out
api-key-sandbox-help = A sandbox key changes nothing but tournaments that sandbox keys made. Guests do not see them, they count nowhere, and they are gone after a day.
api-key-secret = Key
api-key-secret-lead = Enter this key in { $name }.
api-key-secret-once = It is shown this once and never again.
api-key-go-on = I have copied it
api-key-used = Used { $time }
api-key-unused = Never used
api-key-until = Until { $time }
api-key-expired = Expired
api-key-revoke = Revoke
sandbox = Sandbox
flash-api-key-revoked = The key is good for nothing more.
error-key_not_found = There is no such key.
error-too_many_keys = No more keys can be made. Revoke one first.
error-not_for_keys = A key cannot do this. Somebody has to sign in for it.
error-sandbox_only = A sandbox key changes only what sandbox keys made, and that stays apart from real players and tables.
