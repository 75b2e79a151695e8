# Titles of problem documents (RFC 9457): one for each status.
status-400 = Bad request
status-401 = Sign-in needed
status-403 = Not allowed
status-404 = Not found
status-405 = Method not allowed
status-408 = Request timed out
status-409 = Conflict
status-413 = Too large
status-415 = Unsupported format
status-422 = Cannot be done
status-429 = Too many requests
status-500 = Server error
status-503 = Unavailable for a moment

# What went wrong and why: one for each code.
error-internal = Something went wrong on our side. Please try again in a moment.
error-unavailable = We cannot answer right now. Please try again in a moment.
error-refused = The request was refused ({ $code }).
error-bad_request = The request was not understood.
error-unknown_route = There is nothing at this address.
error-method_not_allowed = This address cannot be used in this way.
error-not_found = What you are looking for does not exist.
error-unsupported_media_type = The body must be application/json.
error-body_too_large = The body is too large.
error-body_timeout = The body did not arrive in time.
error-body_broken_off = The body broke off.
error-invalid_body = The body cannot be read.
error-invalid_query = The query of this address is not valid.
error-invalid_fields = Please check what you entered.
error-too_many_requests = That was too often. Please try again in a moment.
error-not_signed_in = Please sign in first.
error-invalid_token = This sign-in is not valid.
error-token_expired = This sign-in has expired. Please sign in again.
error-session_ended = You have been signed out. Please sign in again.
error-invalid_refresh_token = This sign-in cannot be continued. Please sign in again.
error-wrong_credentials = The email or the password is wrong.
error-banned = This account has been suspended.
error-forbidden = You are not allowed to do this.
error-cross_site = Requests from other sites are not accepted.
error-email_taken = This email is already registered.
error-already_registered = This account is already registered.
error-setup_link_invalid = This set-up link is no longer valid.

# Why one field was refused.
field-invalid = This value is not valid.
field-not_json = This is not valid JSON.
field-nul_character = It contains a character that cannot be used (U+0000).
field-unknown_field = This field is not known.
field-missing_field = This field is missing.
field-wrong_type = This value is of the wrong kind.
field-unknown_value = This is not one of the possible values.
field-empty = This must not be empty.
field-too_long = This may have { $limit } characters at most.
field-too_short = This needs { $limit } characters at least.
field-invisible_characters = Invisible characters cannot be used.
field-no_email = This is not an email address.
