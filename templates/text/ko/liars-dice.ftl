liars-dice-name = 라이어스 다이스
liars-dice-tagline = 콘 아래 주사위를 서로 짐작하고, 틀린 만큼 주사위를 잃는 블러핑 게임
liars-dice-picture = 원뿔 두 개 사이로 칸을 따라 나아가는 추측 주사위

liars-dice-option-track = 빨간 방향타 칸의 위치
liars-dice-option-track-help = 방향타 추측이 숫자 추측 사이의 어디에 놓이는지 정합니다.
liars-dice-option-track-bluff = 블러프: 방향타 4는 7과 8 사이
liars-dice-option-track-classic = 클래식: 방향타 4는 8과 9 사이

liars-dice-refused-no_bid = 아직 나온 추측이 없어 도전할 수 없어요.
liars-dice-refused-bid_too_high = 남아 있는 주사위보다 많은 개수는 추측할 수 없어요.
liars-dice-refused-bid_too_low = 추측 주사위를 앞으로 옮기거나, 같은 칸에서 값을 더 높여야 해요.

liars-dice-phase-bidding = 추측하기
liars-dice-phase-finished = 게임 종료

liars-dice-move-bid = 추측하기
liars-dice-move-challenge = 도전하기

liars-dice-tray-challenge = 도전!
liars-dice-tray-challenge-hint = 그만큼은 없어요
liars-dice-tray-wild = 방향타가

liars-dice-event-start_rolled = { $seat }: 시작 굴림 { $dice }
liars-dice-event-first_seat = 시작 플레이어: { $seat }
liars-dice-event-round_started = { $round }라운드 시작, 첫 추측: { $opener }
liars-dice-event-rolled = 내 주사위: { $dice }
liars-dice-event-bid = { $seat }: { $face ->
    [1] 방향타 { $count }개 이상
   *[other] 값 { $face }, { $count }개 이상
}
liars-dice-event-call = { $seat }: { $call }!
liars-dice-event-revealed = 모두 콘을 들었어요. 실제 개수: { $actual }개
liars-dice-event-lost = { $seat }: 주사위 { $dice }개를 잃고 { $left }개 남음
liars-dice-event-eliminated = { $seat }: 주사위를 모두 잃고 탈락
liars-dice-event-game_over = 게임이 끝났어요.

liars-dice-word-challenge = 도전
liars-dice-word-bluff = 블러프
liars-dice-word-classic = 클래식
liars-dice-word-last_standing = 마지막까지 주사위를 지킴
