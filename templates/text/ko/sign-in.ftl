# OpenID Connect 제공자로 로그인.
me-registered = 등록된 계정
sign-in-by = 다른 계정으로 로그인
sign-in-by-help = 지금까지 한 게임과 기록이 그대로 남아요.
sign-in-with = { $name } 계정으로 로그인
sign-in-link = { $name } 연결하기
sign-in-unlink = { $name } 연결 끊기
flash-signed-in-by = { $name } 계정으로 로그인했어요.
flash-sign-in-broken-off = { $name } 로그인이 끝나지 않았어요. 다시 해 주세요.
flash-sign-in-failed = { $name }: 연결할 수 없어요. 잠시 뒤에 다시 해 주세요.
flash-already_linked = 이 계정은 그 서비스의 다른 사람과 이미 연결되어 있어요.
flash-staff_sign_in = 직원 계정은 비밀번호로 로그인해요.
flash-banned = 이용이 정지된 계정이에요.
flash-sign-in-unlinked = { $name } 연결을 끊었어요.
flash-only_sign_in = 이 연결을 끊으면 로그인할 방법이 없어요. 먼저 비밀번호를 만들어 주세요.
