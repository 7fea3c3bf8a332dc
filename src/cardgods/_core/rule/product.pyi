from cardgods._core.rule.machine import Machine

def compare(
    a: Machine, b: Machine, state_a: int, state_b: int, cap: int
) -> tuple[bool, list[int] | None, list[int] | None]: ...
