# 어느 화면에나 나오는 말.
house = 하우스 룰스
house-motto = 좋은 바람, 공정한 주사위.
skip = 본문으로 건너뛰기
nav = 주 메뉴
close = 닫기
language = 언어
language-name = 한국어
language-short = 한국어
theme = 화면 밝기
theme-light = 밝게
theme-auto = 기기 설정대로
theme-dark = 어둡게
offline-since = 연결이 끊겼습니다. 지금 보이는 것은 이 시각의 모습입니다:
since-now = 방금
since-minutes = { $m }분
since-hours = { $h }시간 { $m }분
keys = 단축키
keys-show = 이 안내 보기
keys-on = 단축키 쓰기

sign-in = 로그인
sign-in-lead = 카페 직원이 들어오는 곳입니다.
sign-in-button = 들어가기
sign-out = 로그아웃
device-browser = { $system }의 { $browser }
device-unknown = 알 수 없는 기기
email = 이메일
password = 비밀번호
password-help = 8자 이상으로 정해 주세요.
setup = 카페 열기
setup-lead = 첫 주인 계정을 만듭니다. 이 링크는 한 번만 쓸 수 있습니다.
setup-button = 카페 열기
your-name = 이름
to-floor = 플로어로 가기
to-home = 처음으로

error-form_expired = 화면이 오래되어 양식을 받지 못했습니다. 새로 고친 뒤 다시 보내 주세요.
error-staff_only = 직원 계정만 들어올 수 있습니다.

flash-signed-out = 로그아웃했습니다.
flash-welcome = 환영합니다, { $name } 님. 먼저 테이블을 만들어 보세요.
