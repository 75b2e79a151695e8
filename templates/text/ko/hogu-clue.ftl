hogu-clue-name = 호구 클루
hogu-clue-tagline = 문양이나 숫자를 불러 카드를 맞바꾸며 엎어 놓은 카드를 알아맞히는 추리 게임
hogu-clue-picture = 손에 든 카드와 돋보기로 살펴보는 엎어 놓은 카드

hogu-clue-option-max_rounds = 마지막 부르기 라운드
hogu-clue-option-max_rounds-help = 이 라운드가 지나면 더는 부를 수 없고, 차례가 온 사람은 정답을 말해야 합니다.
hogu-clue-option-same_kind_back = 부른 종류로 되돌려 주기
hogu-clue-option-same_kind_back-help = 부른 사람이 자기가 부른 문양이나 숫자의 카드를 내주어도 됩니다. 끄면 다른 종류가 있을 때는 그것을 내야 합니다.

hogu-clue-refused-wrong_phase = 지금은 그 행동을 할 때가 아니에요. 교환 중에는 카드를 건네는 것만, 교환이 아닐 때는 부르기나 정답만 할 수 있어요.
hogu-clue-refused-calls_closed = 부르기가 끝났어요. 이제는 정답만 말할 수 있어요.
hogu-clue-refused-not_your_card = 손에 없는 카드예요.
hogu-clue-refused-not_matching = 불린 문양이나 숫자와 맞는 카드를 건네야 해요.
hogu-clue-refused-same_kind = 부른 종류가 아닌 카드가 있으면 그것을 건네야 해요.
hogu-clue-refused-card_known = 이미 눈에 보이는 카드는 정답으로 말할 수 없어요.

hogu-clue-phase-turn = 부르기 또는 정답
hogu-clue-phase-exchange = 카드 교환
hogu-clue-phase-final = 정답만 가능
hogu-clue-phase-finished = 게임 종료

hogu-clue-move-call = 부르기
hogu-clue-move-answer = 정답!
hogu-clue-move-give = 카드 건네기

hogu-clue-event-dealt = 내 카드: { $cards }
hogu-clue-event-opened = 중앙에 펼쳐진 카드: { $cards }
hogu-clue-event-turn_started = { $round }라운드 { $turn }번째 턴, 차례: { $seat }
hogu-clue-event-called = { $seat }: 부르기. 확인한 순서: { $asked }
hogu-clue-event-called-suit = { $seat }: “{ $suit }!” { $holder ->
    [none] 아무도 가지고 있지 않아요.
   *[other] 교환 상대: { $holder }
}
hogu-clue-event-called-rank = { $seat }: “숫자 { $rank }!” { $holder ->
    [none] 아무도 가지고 있지 않아요.
   *[other] 교환 상대: { $holder }
}
hogu-clue-event-gave = { $seat }: 건넬 카드를 정했어요.
hogu-clue-event-gave-card = { $seat }: 건넬 카드로 { $card } 선택
hogu-clue-event-exchanged = 카드 교환 완료: { $seats }
hogu-clue-event-exchanged-gave = 카드 교환 완료: { $seats }. 준 카드 { $gave }, 받은 카드 { $got }
hogu-clue-event-answered = { $seat }: “정답, { $card }!” { $right ->
    [true] 맞혔어요.
   *[other] 틀렸어요.
} { $rank }등, 공개한 카드: { $opened }
hogu-clue-event-looked = 확인한 히든 카드: { $hidden }
hogu-clue-event-game_over = 게임이 끝났어요. 히든 카드: { $hidden }

hogu-clue-word-none = 없음
hogu-clue-word-S = 스페이드
hogu-clue-word-H = 하트
hogu-clue-word-D = 다이아몬드
hogu-clue-word-C = 클로버
hogu-clue-word-S1 = ♠1
hogu-clue-word-S2 = ♠2
hogu-clue-word-S3 = ♠3
hogu-clue-word-S4 = ♠4
hogu-clue-word-H1 = ♥1
hogu-clue-word-H2 = ♥2
hogu-clue-word-H3 = ♥3
hogu-clue-word-H4 = ♥4
hogu-clue-word-D1 = ♦1
hogu-clue-word-D2 = ♦2
hogu-clue-word-D3 = ♦3
hogu-clue-word-D4 = ♦4
hogu-clue-word-C1 = ♣1
hogu-clue-word-C2 = ♣2
hogu-clue-word-C3 = ♣3
hogu-clue-word-C4 = ♣4
hogu-clue-word-JK = 조커
hogu-clue-word-one_left = 한 명만 남음
hogu-clue-word-answer = 정답 말하기
hogu-clue-word-call = 부르기

hogu-clue-board-rank = 숫자 { $rank }
hogu-clue-board-found = 찾음
hogu-clue-board-giving = 건넬 카드
hogu-clue-board-given = 카드를 정함: { $names }
hogu-clue-board-in-vain = 없음: { $names }
hogu-clue-board-nobody = 아무도 없음
hogu-clue-board-right = 맞음
hogu-clue-board-wrong = 틀림
hogu-clue-board-earlier = 이전 턴

# 손에 든 것.
hogu-clue-tray-turn = 내 차례예요. 수첩을 펼쳐 부르거나 정답을 말하세요
hogu-clue-tray-final = 이제는 정답만 말할 수 있어요
hogu-clue-tray-give-called = 불린 { $call } 카드 한 장을 건네세요
hogu-clue-tray-give-any = 교환이에요. 건넬 카드 한 장을 고르세요
hogu-clue-tray-hand = 내 카드
hogu-clue-tray-give = 건네기
hogu-clue-tray-notebook = 수첩
hogu-clue-tray-help = 문양이나 숫자를 누르면 부르고, 칸을 누르면 그 카드를 정답으로 말해요.
hogu-clue-tray-help-final = 칸을 누르면 그 카드를 정답으로 말해요.
hogu-clue-tray-pencil = 연필로 표시하기
hogu-clue-tray-marks = 아님|모름|의심됨
hogu-clue-tray-absent = 지금 없는 사람
hogu-clue-tray-swaps = 내 교환
hogu-clue-tray-note-own = 내 카드
hogu-clue-tray-note-open = 펼침
hogu-clue-tray-note-laid = 공개한 사람:
hogu-clue-tray-note-found = 찾음
hogu-clue-tray-note-hidden = 히든
hogu-clue-tray-note-seen = 마지막으로 가진 사람:
hogu-clue-tray-note-wrong = 오답
hogu-clue-tray-note-unknown = ?
