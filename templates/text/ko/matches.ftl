# 대국과 테이블: 요청이 안 되는 까닭. 코드마다 하나.
error-match_not_found = 그런 대국은 없습니다.
error-match_not_running = 진행 중인 대국이 아닙니다.
error-match_not_waiting = 이미 시작한 대국입니다.
error-match_over = 이미 끝난 대국입니다.
error-match_not_over = 대국이 끝난 뒤에 볼 수 있습니다.
error-match_never_started = 시작하지 않고 끝난 대국에는 기록이 없습니다.
error-version_not_found = 아직 그 수까지 진행되지 않았습니다.
error-match_full = 빈자리가 없습니다.
error-not_seated = 이 대국에 앉아 있지 않습니다.
error-already_seated = 이 대국의 다른 자리에 이미 앉아 있습니다.
error-seat_taken = 다른 분이 앉은 자리입니다.
error-seats_open = 빈자리가 있어 아직 시작할 수 없습니다.
error-invalid_seat = 그런 자리는 없습니다.
error-invalid_seats = 이 게임은 그 인원으로 할 수 없습니다.
error-invalid_options = 게임 규칙 설정이 올바르지 않습니다.
error-unknown_game = 그런 게임은 없습니다.
error-unknown_mode = 그런 진행 방식은 없습니다.
error-unknown_table = 그런 테이블은 없습니다.
error-resigned = 이미 기권한 대국입니다.
error-version_conflict = 그 사이에 상황이 바뀌었습니다. 새로 보고 다시 골라 주세요.
error-busy = 동시에 여러 수가 들어왔습니다. 다시 시도해 주세요.
error-other_revision = 예전 규칙으로 진행한 대국이라 이어 갈 수 없습니다.
error-not_shown_yet = 관전자에게는 아직 보여 주지 않는 대국입니다.
error-too_many_invitations = 더 초대할 수 없습니다.
error-unknown_player = 그런 사람은 없습니다.
error-table_not_found = 그런 테이블은 없습니다.
error-table_name_taken = 같은 이름의 테이블이 있습니다.
error-too_many_tables = 테이블을 더 만들 수 없습니다.

field-out_of_range = 허용 범위를 벗어났습니다.
field-one_each = 자리마다 하나씩 있어야 합니다.
field-taken = 이미 쓰고 있는 값입니다.

# 모든 게임에 공통인, 수가 안 되는 까닭.
refused-game_over = 게임이 끝났습니다.
refused-not_your_turn = 지금은 차례가 아닙니다.
refused-unknown_move = 이 게임에는 없는 수입니다.
refused-invalid_move = 수의 형식이 올바르지 않습니다.
