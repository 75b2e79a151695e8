# 활동 기록에 남는 일: api/src/audit/words.rs.
action-table-create = 테이블을 놓음
action-table-change = 테이블을 고침
action-match-start = 손님 대신 대국을 시작함
action-match-abort = 대국을 중단함
action-variant-create = 변형 규칙을 만듦
action-variant-change = 변형 규칙을 고침
action-variant-version = 변형 규칙의 새 버전을 만듦
action-variant-publish = 변형 규칙을 공개함
action-variant-retire = 변형 규칙을 거둠
action-player-delete = 자기 계정을 지움
action-staff-add = 직원을 더함
action-audit-export = 활동 기록을 내려받음
action-audit-check = 활동 기록의 봉인을 확인함
action-house-backup = 백업을 받음
action-house-restore = 백업에서 되살림

subject-table = 테이블
subject-match = 대국
subject-variant = 변형 규칙
subject-player = 계정
subject-audit = 활동 기록
subject-house = 카페
