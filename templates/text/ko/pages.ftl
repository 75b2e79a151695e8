# 홀, 테이블, 게임 화면.
yes = 예
no = 아니요
all = 전체
change = 고치기
save = 저장
print = 인쇄
filter = 보기

floor = 홀
floor-empty = 아직 테이블이 없어요
floor-empty-help = 카페에 놓인 테이블을 추가하면 여기에서 한눈에 보여요.
table-free = 비어 있음
table-playing = 게임 중
table-attention = 확인 필요
count-of = { $what } { $count }
and-more = 외 { $count }판
attention = 할 일
attention-stuck = 게임이 자동으로 진행되지 않아요
attention-long-turn = 한 차례가 길어지고 있어요
attention-long-wait = 시작하지 않고 오래 기다리고 있어요
adrift = 테이블 없는 게임
turn-of = { $name } 차례
turn-count = { $count }명이 함께
seats-taken = { $taken }/{ $seats }명 모임
table-seats = { $seats }석

tables = 테이블
tables-empty-help = 먼저 테이블을 하나 추가해 주세요. 그다음 QR 코드를 인쇄해 테이블에 놓으면 돼요.
qr-empty-help = 테이블을 추가하면 여기에서 QR 코드를 인쇄할 수 있어요.
table-make = 테이블 추가
table-make-button = 추가
table-name = 이름
table-area = 구역
table-chairs = 의자 수
move-up = { $name }: 위로
move-down = { $name }: 아래로
archive = 숨기기
archived = 숨긴 테이블
restore = 다시 보이기
qr-sheets = QR 코드 인쇄
qr-one = 이 테이블의 QR 코드
table-new-code = 새 QR 코드 만들기
table-new-code-help = 지금 코드는 바로 쓸 수 없게 돼요. 누군가 사진을 찍어 갔다면 새 코드를 인쇄해 바꿔 주세요.
qr-per-page = 한 장에 담을 개수
qr-count = 한 장에 { $count }개
qr-how = 카메라로 찍고 앉으면 규칙 보기, 직원 호출, 게임까지 할 수 있어요.
qr-wifi = 먼저 Wi-Fi에 연결해 주세요
qr-for-nobody = 이 QR 코드는 이 컴퓨터에서만 열려요. 인쇄하기 전에 설정에서 주소를 정해 주세요.

flash-table-made = 테이블을 추가했어요: { $name }
flash-table-changed = 고쳤어요: { $name }
flash-table-archived = 숨겼어요: { $name }
flash-table-new-code = 새 코드를 만들었어요: { $name }. 인쇄해서 바꿔 주세요.
flash-table-restored = 다시 보여요: { $name }

error-form_changed = 그사이 다른 사람이 같은 곳을 고쳤어요. 지금 값을 확인하고 다시 저장해 주세요.
form-now = 지금 값: { $value }
flash-form-merged = 저장했어요. 그사이 다른 사람이 고친 것도 그대로 남아 있어요.

matches = 게임
matches-empty = 여기에 맞는 게임이 없어요
matches-empty-help = 홀에서 손님을 앉히고 테이블을 누르면 게임을 시작할 수 있어요.
game = 게임
all-games = 모든 게임
status = 상태
older = 이전 게임
match-waiting = 모이는 중
match-running = 진행 중
match-finished = 끝남
match-aborted = 중단됨
match-expired = 기한 지남
moves-made = { $count }번째 차례
started-at = { $time } 시작
ended-at = { $time } 끝
seats = 자리
seat-number = { $number }번 자리
someone = 누군가
name-and-tag = { $name } #{ $tag }
seat-free = 빈자리
seat-left = 떠남
seat-out = 탈락
on-turn = 차례
rank = { $rank }등
log = 기록
log-all = 처음부터 모두 보기
options = 규칙
board = 게임판
fair = 공정한 운
fair-before = 게임을 만들 때 봉인한 값이에요. 끝나면 봉인을 풀어 누구나 주사위와 카드를 다시 확인할 수 있어요.
fair-after = 봉인이 풀렸어요. 기록을 내려받으면 모든 주사위와 카드를 다시 확인할 수 있어요.
record = 기록 내려받기
abort = 게임 중단
abort-help = 중단한 게임은 되돌릴 수 없어요. 누가 왜 중단했는지 기록에 남아요.
abort-reason = 이유
abort-button = 중단하기
flash-match-aborted = 게임을 중단했어요.

bid-by = { $game ->
    [liars-dice] 지금 추측: { $name }
   *[other] 지금 선언: { $name }
}
bid-none = { $game ->
    [liars-dice] 첫 추측을 기다려요
   *[other] 첫 선언을 기다려요
}
bids = { $game ->
    [liars-dice] 이번 라운드의 추측
   *[other] 이번 라운드의 선언
}
bidder = { $game ->
    [liars-dice] 추측
   *[other] 선언
}
opener = 선
dice-in-game = 판에 남은 주사위 { $count }개
dice-hidden = 가려진 주사위 { $count }개
palifico-round = 팔리피코 라운드
die-paco = 파코
die-helm = 방향타
last-reveal = { $round }라운드 공개
no-reveal = 아직 컵을 열지 않았어요
verdict = { $name }: { $call }!
actual-count = 실제 { $count }개

winner = 승자: { $name }
winner-none = 승자 없이 끝났어요
welcome = 어서 오세요
welcome-lead = 테이블에 놓인 QR 코드를 찍으면 그 테이블로 들어가요. 주사위와 카드는 공정하게, 규칙은 우리말로.
players = { $least }~{ $most }명
for-staff = 직원용
for-developers = 개발자 문서
join-with-code = 이 코드로 함께할 수 있어요:
die-skull = 해골
showdown = 쇼다운
read-rules = 규칙 읽기
rules-on = 켬
rules-off = 끔
rules-basic = 기본 규칙
rules-house = 선택 규칙
rules-variant = 하우스 룰: { $name }
rules-version = 버전 { $number }
minutes = { $least }~{ $most }분
minutes-about = 약 { $minutes }분

offline = 연결이 끊겼어요
offline-help = 카페의 Wi-Fi에 다시 연결되면 하던 곳에서 이어져요. 한 번 읽은 규칙은 지금도 볼 수 있어요.
offline-again = 다시 시도
