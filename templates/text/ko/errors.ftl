# 문제 문서(RFC 9457)의 제목: 상태 코드마다 하나.
status-400 = 잘못된 요청
status-401 = 로그인 필요
status-403 = 권한 없음
status-404 = 찾을 수 없음
status-405 = 허용되지 않는 방식
status-408 = 요청 시간 초과
status-409 = 충돌
status-413 = 너무 큰 요청
status-415 = 지원하지 않는 형식
status-422 = 처리할 수 없는 요청
status-429 = 너무 잦은 요청
status-500 = 서버 오류
status-503 = 잠시 이용할 수 없음

# 무엇이 왜 안 됐는지: 코드마다 하나.
error-internal = 저희 쪽에 문제가 생겼습니다. 잠시 후 다시 시도해 주세요.
error-unavailable = 지금은 응답할 수 없습니다. 잠시 후 다시 시도해 주세요.
error-refused = 요청이 받아들여지지 않았습니다 ({ $code }).
error-bad_request = 요청을 이해하지 못했습니다.
error-unknown_route = 그런 주소는 없습니다.
error-method_not_allowed = 이 주소에서는 쓸 수 없는 방식입니다.
error-not_found = 찾으시는 것이 없습니다.
error-unsupported_media_type = 본문은 application/json 형식이어야 합니다.
error-body_too_large = 본문이 너무 큽니다.
error-body_timeout = 본문이 제때 도착하지 않았습니다.
error-body_broken_off = 본문이 도중에 끊겼습니다.
error-invalid_body = 본문을 읽을 수 없습니다.
error-invalid_query = 주소의 검색 조건이 올바르지 않습니다.
error-invalid_fields = 입력한 내용을 확인해 주세요.
error-too_many_requests = 너무 자주 시도했습니다. 잠시 후 다시 시도해 주세요.
error-not_signed_in = 먼저 로그인해 주세요.
error-invalid_token = 로그인 정보가 올바르지 않습니다.
error-token_expired = 로그인 시간이 끝났습니다. 다시 로그인해 주세요.
error-session_ended = 이미 로그아웃되었습니다. 다시 로그인해 주세요.
error-invalid_refresh_token = 로그인을 이어 갈 수 없습니다. 다시 로그인해 주세요.
error-wrong_credentials = 이메일이나 비밀번호가 맞지 않습니다.
error-banned = 이용이 정지된 계정입니다.
error-forbidden = 이 일을 할 권한이 없습니다.
error-cross_site = 다른 사이트에서 보낸 요청은 받지 않습니다.
error-email_taken = 이미 가입된 이메일입니다.
error-already_registered = 이미 가입된 계정입니다.
error-setup_link_invalid = 더 이상 쓸 수 없는 설정 링크입니다.

# 항목 하나가 안 되는 까닭.
field-invalid = 올바르지 않은 값입니다.
field-not_json = 올바른 JSON이 아닙니다.
field-nul_character = 쓸 수 없는 문자(U+0000)가 있습니다.
field-unknown_field = 알 수 없는 항목입니다.
field-missing_field = 빠진 항목입니다.
field-wrong_type = 값의 종류가 맞지 않습니다.
field-unknown_value = 고를 수 없는 값입니다.
field-empty = 비워 둘 수 없습니다.
field-too_long = { $limit }자까지 쓸 수 있습니다.
field-too_short = { $limit }자 이상이어야 합니다.
field-invisible_characters = 보이지 않는 문자는 쓸 수 없습니다.
field-no_email = 이메일 주소가 아닙니다.
