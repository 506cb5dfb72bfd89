"""The right input for each step of a lesson."""

from ventiuna.school.steps import (
    WITH_AMOUNT,
    WITH_HAND,
    WITH_PLACE,
    WITH_WAGER,
    DealerStep,
    StepInput,
    StepKind,
)


def correct_input(step: DealerStep) -> StepInput:
    """The input that does this step correctly."""
    if step.kind in WITH_PLACE:
        return StepInput(step.kind, step.spot, step.hand, step.place)
    if step.kind in WITH_HAND:
        return StepInput(step.kind, step.spot, step.hand)
    if step.kind is StepKind.SUPERVISOR:
        return StepInput(step.kind, step.spot)
    if step.kind in WITH_WAGER:
        amount = step.amount if step.kind in WITH_AMOUNT else None
        return StepInput(step.kind, step.spot, step.hand, None, step.wager, amount)
    return StepInput(step.kind)
