# Sign-in by a provider of OpenID Connect.
me-registered = Registered account
sign-in-by = Sign in with another account
sign-in-by-help = You keep everything that you have played so far.
sign-in-with = Sign in with { $name }
sign-in-link = Connect { $name }
sign-in-unlink = Disconnect { $name }
flash-signed-in-by = Signed in with { $name }.
flash-sign-in-broken-off = The sign-in with { $name } was not finished. Please try again.
flash-sign-in-failed = { $name } cannot be reached. Please try again in a moment.
flash-already_linked = This account belongs to somebody else there already.
flash-staff_sign_in = Staff sign in with a password.
flash-banned = This account is banned.
flash-sign-in-unlinked = { $name } is disconnected.
flash-only_sign_in = You could not sign in any more. Choose a password first.
