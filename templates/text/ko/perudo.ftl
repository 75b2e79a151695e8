perudo-name = 페루도
perudo-tagline = 컵 아래 숨긴 주사위로 허세를 겨루는 페루의 블러핑 게임
perudo-picture = 컵 세 개와 굴린 주사위, 누군가의 말풍선

perudo-option-palifico = 팔리피코 라운드
perudo-option-palifico-help = 주사위가 하나만 남은 사람이 여는 라운드에서는 파코가 조커가 아니고, 눈을 바꿀 수 없습니다.
perudo-option-calza = 칼사 (전문가 규칙)
perudo-option-calza-help = 지금 선언이 정확히 맞다고 누구나 외칠 수 있습니다. 맞히면 주사위 하나를 되찾고, 틀리면 하나를 잃습니다.

perudo-refused-no_bid = 아직 나온 선언이 없어요.
perudo-refused-bid_too_high = 게임에 남은 주사위보다 많은 개수는 선언할 수 없어요.
perudo-refused-paco_opening = 보통 라운드의 첫 선언은 파코로 할 수 없어요.
perudo-refused-face_locked = 팔리피코 라운드에서는 주사위 눈을 바꿀 수 없어요. 팔리피코를 해 본 사람만 바꿀 수 있어요.
perudo-refused-bid_too_low = 지금보다 높게 선언해야 해요.

perudo-phase-bidding = 선언
perudo-phase-finished = 게임 종료

perudo-move-bid = 선언하기
perudo-move-dudo = 두도! (의심)
perudo-move-calza = 칼사! (정확해)

perudo-tray-dudo = 두도!
perudo-tray-dudo-hint = 그만큼은 없어요
perudo-tray-calza = 칼사!
perudo-tray-calza-hint = 딱 그만큼이에요
perudo-tray-wild = 파코가

perudo-event-first_seat = 첫 번째로 시작: { $seat }
perudo-event-round_started = { $round }라운드 시작, 첫 선언: { $opener }
perudo-event-rolled = 내 주사위: { $dice }
perudo-event-bid = { $seat }: { $face ->
    [1] 파코 { $count }개 이상
   *[other] 눈 { $face }, { $count }개 이상
}
perudo-event-call = { $seat }: { $call }!
perudo-event-revealed = 모두 컵을 들었어요. 실제 개수: { $actual }개
perudo-event-lost = { $seat }: 주사위 { $dice }개를 잃고 { $left }개 남음
perudo-event-gained = { $seat }: 주사위 { $dice }개를 되찾아 { $left }개
perudo-event-eliminated = { $seat }: 주사위를 모두 잃고 탈락
perudo-event-palifico = { $seat }: 팔리피코! 이번 라운드에는 파코가 조커가 아니에요.
perudo-event-game_over = 게임이 끝났어요.

perudo-word-dudo = 두도
perudo-word-calza = 칼사
perudo-word-last_standing = 마지막까지 주사위를 지킴
