middle-race-name = 중간 달리기
middle-race-tagline = 열 캐릭터가 특수능력을 겨루며 중간 등수를 노리는 달리기
middle-race-picture = 트랙 위의 말들과 가운데가 가장 높은 시상대

middle-race-option-track_length = 트랙 길이
middle-race-option-track_length-help = 스타트 라인과 골인 지점 사이의 칸 수입니다.
middle-race-option-move_cards = 이동카드
middle-race-option-move_cards-help = 한 벌은 1부터 이 숫자까지 한 장씩입니다.
middle-race-option-characters = 캐릭터 정하기
middle-race-option-characters-help = 차례로 고를지, 무작위로 나눌지 정합니다.
middle-race-option-characters-draft = 차례로 고르기
middle-race-option-characters-random = 무작위로 나누기
middle-race-option-winner = 이기는 등수
middle-race-option-winner-help = 어느 등수로 들어와야 이기는지 정합니다.
middle-race-option-winner-middle = 한가운데
middle-race-option-winner-not_ends = 1등과 꼴찌만 빼고 모두
middle-race-option-full_race = 끝까지 달리기
middle-race-option-full_race-help = 한가운데가 이기는 게임에서, 말이 하나 남을 때까지 달리고 가운데에 가까운 순서로 순위를 매깁니다.
middle-race-option-max_rounds = 최대 라운드
middle-race-option-max_rounds-help = 이 라운드가 끝나도 승부가 나지 않으면 달리기를 멈추고, 앞선 말부터 남은 등수를 받습니다.
middle-race-option-open_hands = 손 공개
middle-race-option-open_hands-help = 모두의 이동카드를 펼쳐 놓습니다.
middle-race-option-deal_counts_as_reset = 첫 카드도 리셋으로 치기
middle-race-option-deal_counts_as_reset-help = 처음 카드를 받을 때 오퍼가 카드를 주고 카피가 능력을 복사합니다.
middle-race-option-may_decline = 능력 포기 허용
middle-race-option-may_decline-help = 원래 꼭 써야 하는 능력도 쓰지 않을 수 있습니다.

middle-race-refused-must_choose = 먼저 지금 묻는 선택을 해야 해요.
middle-race-refused-not_a_choice = 지금 고를 수 있는 것이 아니에요.
middle-race-refused-nothing_to_choose = 지금은 선택할 것이 없어요. 이동카드를 내 주세요.
middle-race-refused-no_gravity = 카드를 버리고 당기는 것은 그래비티 능력이 있을 때만 할 수 있어요.
middle-race-refused-nobody_to_pull = 당길 수 있는 말이 없어요. 두 칸 이상 떨어져 있고 바로 전에 지목하지 않은 사람이어야 해요.
middle-race-refused-card_not_in_hand = 손에 없는 카드예요.

middle-race-phase-draft = 캐릭터 고르기
middle-race-phase-turn = 이동카드 내기
middle-race-phase-choosing = 능력 선택
middle-race-phase-finished = 게임 종료

middle-race-move-pick = 캐릭터 고르기
middle-race-move-play = 카드 내고 이동
middle-race-move-discard = 카드 버리고 당기기
middle-race-move-choose_seat = 지목하기
middle-race-move-choose_card = 카드 고르기
middle-race-move-choose_direction = 밀어낼 방향
middle-race-move-accept = 끌어오기
middle-race-move-decline = 쓰지 않기

middle-race-event-draft_order = 캐릭터를 고르는 순서: { $seats }
middle-race-event-picked = { $seat }: { $character } 선택
middle-race-event-dealt = 모두 이동카드 한 벌을 받았어요. 캐릭터: { $characters }
middle-race-event-turn_started = { $round }라운드, 차례: { $seat }
middle-race-event-played = { $seat }: 이동카드 { $card } 사용
middle-race-event-discarded = { $seat }: 이동카드 { $card } 버림, 이동 포기
middle-race-event-asked = { $seat }: { $ability } 발동
middle-race-event-named = { $seat }: { $ability }, 지목한 상대: { $target }
middle-race-event-declined = { $seat }: { $ability } 사용 안 함
middle-race-event-moved = { $seat }: { $from ->
    [0] 스타트 라인에서
   *[other] { $from }번 칸에서
} { $to ->
    [0] 스타트 라인으로
   *[other] { $to }번 칸으로
} 이동
middle-race-event-moved-by = { $seat }: { $from ->
    [0] 스타트 라인에서
   *[other] { $from }번 칸에서
} { $to ->
    [0] 스타트 라인으로
   *[other] { $to }번 칸으로
} 이동 ({ $by }, { $ability })
middle-race-event-finished = { $seat }: { $place }번째로 골인
middle-race-event-silenced = { $seat }: 능력 무력화 ({ $by })
middle-race-event-freed = { $seat }: 무력화 해제 ({ $by })
middle-race-event-copied = { $seat }: { $ability } 능력 복사
middle-race-event-copy_ended = { $seat }: 복사한 { $ability } 능력이 사라짐
middle-race-event-reset = { $seat }: 이동카드 리셋
middle-race-event-reset-by = { $seat }: 이동카드 리셋 ({ $by })
middle-race-event-looked = { $seat }: 손을 확인함, 상대: { $target }
middle-race-event-looked-cards = { $target }의 손: { $cards }
middle-race-event-deleted = { $target }: 이동카드 { $count }장이 사라지고 1장 남음 ({ $seat })
middle-race-event-deleted-kept = { $target }: 이동카드 { $count }장이 사라지고 { $kept } 한 장 남음 ({ $seat })
middle-race-event-given = { $seat }: 이동카드 한 장을 줌, 받은 사람: { $target }
middle-race-event-given-card = { $seat }: 이동카드 { $card } 한 장을 줌, 받은 사람: { $target }
middle-race-event-game_over = 달리기가 끝났어요.

middle-race-word-gravity = 그래비티
middle-race-word-push = 푸시
middle-race-word-delete = 딜리트
middle-race-word-offer = 오퍼
middle-race-word-with = 위드
middle-race-word-union = 유니온
middle-race-word-mirror = 미러
middle-race-word-copy = 카피
middle-race-word-reset = 리셋
middle-race-word-silence = 사일런스
middle-race-word-forward = 앞으로
middle-race-word-back = 뒤로
middle-race-word-seat = 지목
middle-race-word-card = 카드
middle-race-word-direction = 방향
middle-race-word-accept = 끌어오기
middle-race-word-none = 없음
middle-race-word-draft = 차례로 고르기
middle-race-word-random = 무작위로 나누기
middle-race-word-middle = 한가운데
middle-race-word-not_ends = 1등과 꼴찌만 빼고 모두
middle-race-word-decided = 승부가 남
middle-race-word-all_home = 모두 들어옴
middle-race-word-round_limit = 라운드가 다 됨

middle-race-board-start = 스타트 라인
middle-race-board-line = 스타트 라인
middle-race-board-finish = 골인 지점
middle-race-board-place = { $place }번째
middle-race-board-space = { $number }번 칸
middle-race-board-spaces = { $count }칸
middle-race-board-wins = 이기는 등수
middle-race-board-silenced = 무력화: { $name }
middle-race-board-copied = 복사: { $ability }
middle-race-board-looked = 확인한 손: { $name }
middle-race-board-kept = 남은 카드 { $card }

# 손에 든 것.
middle-race-tray-ask-pick = 달릴 캐릭터를 고르세요
middle-race-tray-ask-play = 내 차례예요. 이동카드를 내세요
middle-race-tray-ask-gravity = 누구를 옆으로 끌어당길까요?
middle-race-tray-ask-push = 어느 쪽으로 밀까요?
middle-race-tray-ask-delete = 누구의 손을 볼까요?
middle-race-tray-ask-offer = 누구에게 카드를 줄까요?
middle-race-tray-ask-with = 누구와 함께 갈까요?
middle-race-tray-ask-union = 내 칸으로 끌어올까요?
middle-race-tray-ask-mirror = 누구를 반대로 움직일까요?
middle-race-tray-ask-copy = 누구의 능력을 복사할까요?
middle-race-tray-ask-reset = 누구의 카드를 리셋할까요?
middle-race-tray-ask-silence = 누구의 능력을 막을까요?
middle-race-tray-ask-card-delete = 어떤 카드를 남길까요?
middle-race-tray-ask-card-offer = 어떤 카드를 줄까요?
middle-race-tray-ability-gravity = 이동하는 대신 카드를 버리고, 두 칸 이상 떨어진 말을 옆 칸으로 끌어당겨요.
middle-race-tray-ability-push = 같은 칸에 있게 된 말을 앞이나 뒤로 한 칸 밀어요.
middle-race-tray-ability-delete = 남의 능력으로 움직이면 한 사람의 손을 보고 한 장만 남겨요.
middle-race-tray-ability-offer = 카드가 리셋되면 한 장을 다른 사람에게 줘요.
middle-race-tray-ability-with = 마지막 카드를 낼 때 다른 말과 함께 가요.
middle-race-tray-ability-union = 바로 앞 칸에 온 말을 내 칸으로 끌어올 수 있어요.
middle-race-tray-ability-mirror = 남의 능력으로 움직이면 다른 말을 그만큼 반대로 움직여요.
middle-race-tray-ability-copy = 카드가 리셋되면 다른 능력을 복사해요.
middle-race-tray-ability-reset = 뒤로 움직이면 한 사람의 카드를 리셋해요.
middle-race-tray-ability-silence = 내 차례마다 한 사람의 능력을 막아요.
middle-race-tray-finish = { $place }번째로 골인
middle-race-tray-hand = 내 이동카드
middle-race-tray-silenced = 지금은 능력을 쓸 수 없어요
