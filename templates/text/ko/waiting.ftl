# 대기 명단: 자리가 없을 때 기다리는 손님, 입구의 코드.
waiting-list = 대기 명단
waiting-now-list = 지금 기다리는 손님
waiting-add = 대기 등록
waiting-add-button = 명단에 올리기
waiting-none = 기다리는 손님이 없어요.
waiting-name = 이름
waiting-phone = 전화번호 (선택)
waiting-phone-help = 이름과 전화번호는 대기가 끝나면 곧 지워요.
waiting-call = 부르기
waiting-seat = 앉히기
waiting-seat-at = { $table }에 앉히기
waiting-no-show = 노쇼
waiting-gone = 대기 취소
waiting-fits-none = 곧 비는 맞는 테이블이 없어요
waiting-table-later = { $table } ({ $wait })
waiting-more = 외 { $count }팀
attention-waiting = 대기 손님 자리가 났어요
attention-waiting-called = 부른 대기 손님을 기다리는 중
due-waiting = 대기 손님

waiting-is-waiting = 대기 중
waiting-is-called = 호출함
waiting-is-seated = 자리에 앉음
waiting-is-no-show = 노쇼
waiting-is-gone = 대기 취소됨

waiting-now = 곧 안내해 드려요
waiting-about = 약 { $minutes }분
waiting-between = { $least ->
    [0] { $most }분 이내
   *[other] { $least }~{ $most }분
}
waiting-more-than = { $least }분 넘게
waiting-no-estimate = 아직 예상할 수 없어요

waiting-title = 대기
waiting-position = { $position }번째 순서예요
waiting-stay-near = 자리가 나면 이 화면에 바로 알려 드려요. 가까이에서 기다려 주세요.
waiting-keep-open = 이 화면을 열어 두세요.
waiting-since = 대기 시작: { $time }
waiting-ready = 자리가 준비됐어요!
waiting-called-at = 호출: { $time }
waiting-ready-help = 지금 카운터로 와 주세요.
waiting-seated = 자리를 안내해 드렸어요
waiting-to-table = 우리 테이블 열기
waiting-missed = 불러도 오지 않으셔서 대기가 끝났어요. 아직 기다리신다면 직원에게 말씀해 주세요.
waiting-ended = 대기가 끝났어요. 다음에 또 오세요!
waiting-leave = 대기 취소하기
waiting-parties = { $count ->
    [0] 지금은 기다리는 팀이 없어요
   *[other] { $count }팀이 기다리고 있어요
}
waiting-join = 대기 등록하기
waiting-join-button = 기다릴게요

waiting-door = 입구 코드
waiting-door-help = 이 종이를 입구에 붙이면 손님이 휴대폰으로 찍고 직접 대기를 등록해요. 벽걸이 화면에는 순서와 이름 첫 글자만 보여요.
waiting-door-make = 입구 코드 만들기
waiting-door-renew = 새 코드로 바꾸기
waiting-door-off = 손님이 직접 등록하는 기능이 설정에서 꺼져 있어요.
waiting-door-title = 대기 등록
waiting-door-how = 카메라로 찍고 대기를 등록하세요
waiting-own-page = 손님의 대기 화면
waiting-own-page-help = 손님이 이 코드를 찍으면 순서와 예상 시간을 볼 수 있고, 부르면 바로 알 수 있어요.
waiting-screen-called = { $name } 님 ({ $count }명), 카운터로 와 주세요
waiting-screen-position = 순서
waiting-screen-wait = 예상
cafe-waiting-door = 손님이 입구 코드로 직접 대기 등록
cafe-waiting-door-help = 끄면 직원만 대기 명단에 올릴 수 있어요.

flash-waiting-added = 대기 명단에 올렸어요: { $name }
flash-waiting-called = 불렀어요: { $name }
flash-waiting-no-show = 노쇼로 처리했어요: { $name }
flash-waiting-gone = 대기를 취소했어요: { $name }
flash-waiting-left = 대기를 취소했어요.
flash-waiting-new-code = 입구 코드를 새로 만들었어요. 전에 쓰던 코드는 이제 쓸 수 없어요.

error-waiting_not_found = 대기가 끝났거나 그런 대기가 없어요.
error-waiting_over = 이미 끝난 대기예요. 다른 직원이 먼저 처리했을 수 있어요.
error-waiting_called = 다른 직원이 이미 불렀어요.
error-waiting_list_full = 대기 명단이 가득 찼어요. 직원에게 말씀해 주세요.
error-waiting_door_not_found = 더 이상 쓸 수 없는 코드예요. 입구의 코드를 다시 찍어 주세요.
error-waiting_door_shut = 지금은 직접 대기를 등록할 수 없어요. 직원에게 말씀해 주세요.
field-no_phone = 전화번호가 아니에요. 예: 010-1234-5678

action-waiting-add = 대기 명단에 올림
action-waiting-call = 대기 손님을 부름
action-waiting-seat = 대기 손님을 앉힘
action-waiting-no-show = 대기 손님을 노쇼로 처리함
action-waiting-gone = 대기를 취소함
action-waiting-new-code = 입구에 새 코드를 줌
