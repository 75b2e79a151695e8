perudo-pirates-name = 페루도: 해적판
perudo-pirates-tagline = 해적 컵을 흔들고, 큰소리치고, "아니야!"와 "맞아!"로 주사위를 빼앗는 블러핑 게임
perudo-pirates-picture = 돛을 단 배와 해골이 그려진 주사위

perudo-pirates-option-hidden = 히든
perudo-pirates-option-hidden-help = 선언한 뒤에 주사위를 다시 굴릴 수 없습니다.
perudo-pirates-option-high_risk = 하이리스크
perudo-pirates-option-high_risk-help = 빗나간 개수만큼 주사위를 잃습니다. 정확히 맞은 선언에 "아니야"를 외치면 선언한 사람만 빼고 모두 하나씩 잃습니다.
perudo-pirates-option-showdown = 쇼다운
perudo-pirates-option-showdown-help = 주사위가 하나만 남게 된 사람은 다음 차례에 쇼다운을 외쳐 그 라운드의 규칙을 바꿀 수 있습니다.
perudo-pirates-option-first_blood = 퍼스트 블러드
perudo-pirates-option-first_blood-help = 처음으로 누군가 탈락하면 게임이 끝나고, 남은 모두가 함께 이깁니다.
perudo-pirates-option-track = 해골 칸의 위치
perudo-pirates-option-track-help = 해골 선언이 숫자 선언 사이의 어디에 놓이는지 정합니다.
perudo-pirates-option-track-classic = 클래식: 해골 4는 8과 9 사이
perudo-pirates-option-track-bluff = 블러프: 해골 4는 7과 8 사이
perudo-pirates-option-cap_five = 주사위는 다섯 개까지
perudo-pirates-option-cap_five-help = 주사위가 다섯 개 이상이면 "맞아"를 맞혀도 더 가져오지 않습니다.
perudo-pirates-option-high_risk_exact = 하이리스크에서 "맞아"의 대가
perudo-pirates-option-high_risk_exact-help = 하이리스크에서 "맞아"가 성공했을 때 선언한 사람이 잃는 주사위입니다.
perudo-pirates-option-high_risk_exact-one = 하나를 잃음
perudo-pirates-option-high_risk_exact-none = 잃지 않음

perudo-pirates-refused-must_decide = 먼저 주사위를 다시 굴릴지 그대로 둘지 정해야 해요.
perudo-pirates-refused-nothing_to_reroll = 다시 굴리기는 선언한 직후에만 할 수 있어요.
perudo-pirates-refused-no_showdown = 지금은 쇼다운을 외칠 수 없어요.
perudo-pirates-refused-no_bid = 아직 나온 선언이 없어요.
perudo-pirates-refused-exact_forbidden = 쇼다운 중에는 "맞아"를 외칠 수 없어요.
perudo-pirates-refused-bid_too_high = 전체 주사위보다 많은 개수는 선언할 수 없어요.
perudo-pirates-refused-face_locked = 쇼다운 중에는 주사위 눈을 바꿀 수 없어요.
perudo-pirates-refused-bid_too_low = 지금 선언보다 주사위의 눈이나 개수를 높여야 해요.
perudo-pirates-refused-reroll_dice = 컵 안에 있는 주사위만 따로 둘 수 있고, 적어도 하나는 다시 굴려야 해요.

perudo-pirates-phase-bidding = 선언
perudo-pirates-phase-rerolling = 다시 굴리기
perudo-pirates-phase-finished = 게임 종료

perudo-pirates-move-bid = 선언하기
perudo-pirates-move-reroll = 다시 굴리기
perudo-pirates-move-stand = 그대로 두기
perudo-pirates-move-challenge = 아니야!
perudo-pirates-move-exact = 맞아!
perudo-pirates-move-showdown = 쇼다운!

perudo-pirates-tray-challenge = 아니야!
perudo-pirates-tray-challenge-hint = 그만큼은 없어요
perudo-pirates-tray-exact = 맞아!
perudo-pirates-tray-exact-hint = 딱 그만큼이에요
perudo-pirates-tray-wild = 해골이
perudo-pirates-tray-decide = 다시 굴리면 컵 안의 주사위를 모두에게 보여 주고, 남긴 주사위는 컵 밖에 둬요.
perudo-pirates-tray-ticks = 남길 주사위를 골라요 · 누르면 가려져요
perudo-pirates-tray-look = 눌러서 남길 주사위 고르기
perudo-pirates-tray-keep = { $kept }개 남기고 { $rolled }개 굴리기
perudo-pirates-missing-keep = 남길 주사위를 하나 이상 골라 주세요.

perudo-pirates-event-first_seat = 시작 플레이어: { $seat }
perudo-pirates-event-round_started = { $round }라운드 시작, 첫 선언: { $opener }
perudo-pirates-event-rolled = 내 주사위: { $dice }
perudo-pirates-event-bid = { $seat }: { $face ->
    [1] 해골 { $count }개 이상
   *[other] 눈 { $face }, { $count }개 이상
}
perudo-pirates-event-reroll = { $seat }: { $shown } 공개, { $keep } 따로 두고 다시 굴림
perudo-pirates-event-stand = { $seat }: 주사위를 그대로 둠
perudo-pirates-event-showdown = { $seat }: 쇼다운! 이제 해골은 눈 1이고, 눈을 바꾸거나 "맞아"를 외칠 수 없어요.
perudo-pirates-event-call = { $seat }: { $call }!
perudo-pirates-event-revealed = 모두 컵을 들었어요. 결과 주사위: { $actual }개
perudo-pirates-event-lost = { $seat }: 주사위 { $dice }개를 잃고 { $left }개 남음
perudo-pirates-event-gained = { $seat }: 가운데에서 주사위 { $dice }개를 가져와 { $left }개
perudo-pirates-event-eliminated = { $seat }: 주사위를 모두 잃고 탈락
perudo-pirates-event-game_over = 게임이 끝났어요.

perudo-pirates-word-challenge = 아니야
perudo-pirates-word-exact = 맞아
perudo-pirates-word-classic = 클래식
perudo-pirates-word-bluff = 블러프
perudo-pirates-word-one = 하나
perudo-pirates-word-none = 없음
perudo-pirates-word-last_standing = 마지막까지 주사위를 지킴
perudo-pirates-word-first_blood = 퍼스트 블러드
