# 손에 든 것: 모든 게임에서.
tray = 내 손
tray-look = 눌러서 내 것 보기
tray-hide = 가리기
tray-field-count = 개수
tray-field-face = 눈
tray-field-seat = 누구
tray-field-animal = 동물
tray-field-as = 누구의 능력으로
tray-field-card = 카드
tray-field-gains = 점수를 얻는지
tray-field-field = 곳
tray-field-keep = 남길 주사위
tray-hold-look = 누르고 있는 동안만 보여요
tray-hold-hide = 손을 떼면 가려져요
tray-keep-showing = 계속 보기
tray-hold = 길게 누르기
tray-again = 길게 누르거나 한 번 더 눌러 주세요
tray-choose = 하나를 고르세요
tray-waiting = 기다리는 중: { $names }
tray-highest = 이보다 높게는 말할 수 없어요.
tray-out = 주사위를 모두 잃었어요. 끝까지 지켜봐 주세요.
tray-less = 하나 줄이기
tray-more = 하나 늘리기
tray-from = { $count }개~
tray-unfit = 이 눈은 #c개부터 할 수 있어요
tray-unfit-face = 이 칸에서는 더 높은 값만 고를 수 있어요
# 주사위로 하는 말: "4가 일곱 개".
tray-claim = { $face } { $count }
tray-face = { $face ->
    [3] 3이
    [6] 6이
   *[other] { $face }가
}
tray-count = { $count ->
    [1] 한 개
    [2] 두 개
    [3] 세 개
    [4] 네 개
    [5] 다섯 개
    [6] 여섯 개
    [7] 일곱 개
    [8] 여덟 개
    [9] 아홉 개
    [10] 열 개
    [11] 열한 개
    [12] 열두 개
    [13] 열세 개
    [14] 열네 개
    [15] 열다섯 개
    [16] 열여섯 개
    [17] 열일곱 개
    [18] 열여덟 개
    [19] 열아홉 개
    [20] 스무 개
   *[other] { $count }개
}
