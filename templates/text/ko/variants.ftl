# 변형 규칙: 이 카페만의 규칙.
error-variant_not_found = 그런 변형 규칙이 없습니다.
error-unknown_variant = 이 게임에 그런 변형 규칙이 없습니다.
error-options_of_variant = 변형 규칙과 규칙 설정은 함께 고를 수 없습니다.
error-variant_retired = 더 이상 쓰지 않는 변형 규칙입니다.
error-variant_outdated = 그사이 게임 규칙이 고쳐졌습니다. 변형 규칙의 새 버전을 만들어 주세요.
error-variant_name_taken = 이 게임에 같은 이름의 변형 규칙이 이미 있습니다.
error-version_is_final = 이미 공개했거나 대국에 쓴 버전은 바꿀 수 없습니다. 새 버전을 만들어 주세요.
error-version_unchanged = 바로 앞 버전과 똑같습니다.
error-too_many_versions = 이 변형 규칙에는 버전이 너무 많습니다.

variant-change = { $option }: { $from } → { $to }
