animal-kingdom-name = 동물의 호구왕국
animal-kingdom-tagline = 열 마리 동물이 정체를 숨긴 채 네 필드를 오가며 서로를 노리는 심리 게임

animal-kingdom-option-max_rounds = 마지막 라운드
animal-kingdom-option-max_rounds-help = 단독 선두가 없어도 이 라운드가 끝나면 게임이 끝납니다.
animal-kingdom-option-water_deer_win = 고라니의 승리
animal-kingdom-option-water_deer_win-help = 고라니가 이겼는지를 언제 확인하는지 정합니다.
animal-kingdom-option-water_deer_win-at_once = 조건을 채우는 즉시
animal-kingdom-option-water_deer_win-at_end = 게임이 끝날 때만
animal-kingdom-option-snake_double = 독뱀 두 배
animal-kingdom-option-snake_double-help = 독뱀이 포식자를 공격하면서 자신도 공격당하면 포인트를 두 번 받습니다.
animal-kingdom-option-copied_attack_halves = 흉내 낸 공격도 절반
animal-kingdom-option-copied_attack_halves-help = 카멜레온이 포식자를 흉내 내어 공격해도 피식자의 포인트가 절반이 됩니다.

animal-kingdom-refused-wrong_phase = 지금은 그 행동을 할 때가 아닙니다. 이동할 때는 필드만, 스킬을 쓸 때는 스킬만 고를 수 있습니다.
animal-kingdom-refused-must_use_skill = 쓸 수 있는 스킬이 있으면 반드시 써야 합니다.
animal-kingdom-refused-not_your_skill = 내 동물이 쓸 수 있는 스킬이 아닙니다. 흉내 낼 동물은 카멜레온만 고를 수 있습니다.
animal-kingdom-refused-already_copied = 이 동물의 스킬은 이미 흉내 냈습니다.
animal-kingdom-refused-own_seat = 자기 자신은 고를 수 없습니다.
animal-kingdom-refused-not_in_field = 같은 필드에 있는 사람만 고를 수 있습니다.
animal-kingdom-refused-already_chosen = 지난 라운드에 이미 고른 사람입니다.

animal-kingdom-phase-moving = 이동
animal-kingdom-phase-skill = 스킬
animal-kingdom-phase-finished = 게임 종료

animal-kingdom-move-go = 이동하기
animal-kingdom-move-attack = 공격하기
animal-kingdom-move-predict = 정체 예측하기
animal-kingdom-move-follow = 따라가기
animal-kingdom-move-judge = 포인트를 얻을지 예측하기
animal-kingdom-move-rob = 빼앗기
animal-kingdom-move-pass = 넘기기

animal-kingdom-event-dealt = 내 동물: { $animal }
animal-kingdom-event-round_started = { $round }라운드 시작, 걸린 포인트: { $value }
animal-kingdom-event-chose = { $seat }: 선택 완료
animal-kingdom-event-chose-move = { $seat }: 선택 완료
animal-kingdom-event-moved = { $round }라운드 이동: { $fields }
animal-kingdom-event-gains = { $round }라운드에 동물별로 얻은 포인트: { $gains }
animal-kingdom-event-gained = { $round }라운드에 내가 얻은 포인트: { $gained }
animal-kingdom-event-learned = { $target }의 정체: { $animal }
animal-kingdom-event-game_over = 게임이 끝났습니다. 모두의 정체: { $animals }

animal-kingdom-word-none = 없음
animal-kingdom-word-true = 얻는다
animal-kingdom-word-false = 얻지 못한다
animal-kingdom-word-forest = 숲
animal-kingdom-word-plain = 들
animal-kingdom-word-river = 강
animal-kingdom-word-sky = 하늘
animal-kingdom-word-lion = 사자
animal-kingdom-word-crocodile = 악어
animal-kingdom-word-eagle = 독수리
animal-kingdom-word-snake = 독뱀
animal-kingdom-word-crow = 까마귀
animal-kingdom-word-hyena = 하이에나
animal-kingdom-word-toad = 두꺼비
animal-kingdom-word-cuckoo = 뻐꾸기
animal-kingdom-word-chameleon = 카멜레온
animal-kingdom-word-water_deer = 고라니
animal-kingdom-word-predator = 포식자
animal-kingdom-word-neutral = 중립자
animal-kingdom-word-prey = 피식자
animal-kingdom-word-leader = 단독 선두
animal-kingdom-word-round_limit = 마지막 라운드까지 진행
animal-kingdom-word-at_once = 즉시
animal-kingdom-word-at_end = 게임이 끝날 때
