"""Runs a command and moves a table from one prompt to the next.

A `CommandRun` carries out one command on a copy of a table and collects its events and postings.
Nothing is saved unless the whole command succeeds and is committed. The `Environment` supplies
everything that isn't part of the table itself, such as the time, the cards, and shared meters.

The engine defines the order of play. This module decides who answers and when defaults apply, and
handles shoes between rounds: they are committed, cut, put into play, and revealed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from ventiuna.core import meters
from ventiuna.core.refusals import RefusalCode
from ventiuna.engine import Refused, execute
from ventiuna.engine.commands import (
    CloseWagers,
    Command,
    DealCard,
    Insure,
    PlaceWagers,
    PlayerCommand,
    ShowMeters,
    Stand,
    Supervise,
    TakeBlackjack,
    VoidRound,
    WithdrawWagers,
)
from ventiuna.engine.dealing import OutOfCards
from ventiuna.engine.events import Authority, Event, Stage, Stakes, WagerSettled
from ventiuna.engine.prompts import (
    BlackjackAnswersWanted,
    CardWanted,
    DecisionWanted,
    InsuranceAnswersWanted,
    MetersWanted,
    NothingWanted,
    SupervisorWanted,
    WagersWanted,
)
from ventiuna.money import money_text
from ventiuna.rules.model import JackpotKind
from ventiuna.table.domain import commands as do
from ventiuna.table.domain import events as ev
from ventiuna.table.domain.events import (
    FOR_SUPERVISOR,
    MOVES_MONEY,
    PAID_BY_JACKPOT,
    AskKind,
    ChipAccounts,
    TableEvent,
    pending_contributions,
    postings_of,
)
from ventiuna.table.domain.inspection import refused_step
from ventiuna.table.domain.state import (
    Cut,
    RoundOutcome,
    Seat,
    SeatStatus,
    ShoeRecord,
    TableState,
    TableStatus,
    apply_posting,
    apply_to_table,
    remainders_of,
)
from ventiuna.table.fairness import (
    SECRET_BYTES,
    SHOE_START,
    Entropy,
    HouseKey,
    LiveShoe,
    Position,
    ShoeContext,
    check_on_top,
    context_of,
    cut_commitment,
    mix_of,
    shoe_commitment,
)
from ventiuna.table.ledger import Posting, PostingCode

_CHANGES_LAYOUT = (
    ev.SeatTaken,
    ev.SpotsChosen,
    ev.SeatLeft,
    ev.RoundOpened,
    ev.RoundClosed,
    ev.JackpotLinked,
    ev.JackpotUnlinked,
)
# The database requires a round to end with no chips at stake and a seat to be free before it is
# taken.
_ROWS_FIRST = (ev.RoundClosed, ev.SeatLeft)


_EMPTY: Stakes[Any] = Stakes({})


class NeedsMeters(Exception):  # not an error: the command needs its own transaction
    """The command must run by itself: with the jackpots locked, or to read earlier entries."""

    def __init__(self, games: tuple[int, ...]) -> None:
        self.games = games
        super().__init__(games)


class ShoeFactory(Protocol):
    """Creates shoes, with the house key and a source of randomness."""

    def new_shoe(self, context: ShoeContext) -> ShoeRecord:
        """Commit to a shoe."""

    def seed(self, shoe: ShoeRecord) -> bytes:
        """Return the secret behind the commitment."""

    def fits(self, shoe: ShoeRecord) -> bool:
        """Whether the shoe was committed with the current house key."""

    def live(self, shoe: ShoeRecord, position: Position = SHOE_START) -> LiveShoe:
        """Return the cards in a shoe that has been cut."""

    def on_top(self, salt: bytes) -> tuple[int, ...]:
        """Return the cards that a test put on top of the shoe with this salt."""


# Returns meter readings by game, given each game's jackpot number and the command's contributions.
ReadMeters = Callable[[Mapping[int, int], Mapping[int, int]], Stakes[int]]


@dataclass(frozen=True, slots=True)
class PastSpot:
    """An earlier round's payment to a spot, after any correction and without jackpots."""

    outcome: RoundOutcome
    person: str = ""  # empty if the spot had no wagers
    staked: int = 0
    paid: int = 0  # including returned stakes
    correction: int = 0  # event number of the last correction; 0 if there is none


class Environment(NamedTuple):
    """Inputs that aren't part of the table's state."""

    at: int
    shoes: ShoeFactory
    wallets: Mapping[str, int] = _EMPTY  # cents by person
    holds: Mapping[int, int] = _EMPTY  # deadline of each seat without a client
    suspended: frozenset[int] = frozenset()  # jackpots that take no wagers
    shown: Mapping[int, int] = _EMPTY  # last known display by jackpot
    reserve_rates: Mapping[int, int] = _EMPTY  # rates of jackpots about to be linked
    read_meters: ReadMeters | None = None  # None if the jackpots aren't locked
    past: PastSpot | None = None  # the payment to correct; None if there is no such round


@dataclass(frozen=True, slots=True)
class AwardPlacement:
    """The seats that receive awards, and the number of table postings before the awards."""

    layout: ChipAccounts
    postings_before: int


class CommandRun:
    """A command in progress."""

    def __init__(self, state: TableState, environment: Environment) -> None:
        self.state = state
        self.environment = environment
        self.events: list[TableEvent] = []
        self.postings: list[Posting] = []
        self.awards: AwardPlacement | None = None
        self.rows_first = False  # the rows must be written before the table's next command
        self._layout: ChipAccounts | None = None  # built at the first event that moves money

    def emit(self, event: ev.OwnEvent) -> None:
        """Record an event of the table itself."""
        self._record(event)
        if isinstance(event, _CHANGES_LAYOUT):
            self._layout = None
        if isinstance(event, _ROWS_FIRST):
            self.rows_first = True

    def play(self, command: Command) -> None:
        """Pass a command to the round."""
        events = execute(self.state.open_round, command)
        for event in events:
            self._record(event)
        if self.state.options.hand_pay:
            self._hold_awards(events)

    def _hold_awards(self, events: Iterable[Event]) -> None:
        """Record the awards that are now waiting for a hand-pay (R-122)."""
        opened, played = self.state.opened, self.state.open_round
        assert opened is not None, "an award belongs to a round"
        for event in events:
            if isinstance(event, WagerSettled) and event.rule in PAID_BY_JACKPOT and event.paid:
                person = played.spots[event.spot].person
                game = event.wager.game
                self.emit(ev.AwardHeld(opened.number, event.spot, person, game, event.paid))

    def _record(self, event: TableEvent) -> None:
        state = self.state
        number = state.head.events + len(self.events) + 1
        if type(event) in MOVES_MONEY:
            self._post(event, number)
        apply_to_table(state, event, number, self.environment.at)
        self.events.append(event)

    def _post(self, event: TableEvent, number: int) -> None:
        state = self.state
        for posting in postings_of(event, number, state.chips, self.layout):
            apply_posting(state, posting)
            self._check_covered(posting)
            self.postings.append(posting)
        if isinstance(event, WagerSettled) and event.meter:
            # The posting goes into the jackpot's entry.
            if self.awards is None:
                self.awards = AwardPlacement(self.layout, len(self.postings))
            post_award(self.state, self.layout, event)

    @property
    def layout(self) -> ChipAccounts:
        """The current owner of the chips at each seat and spot."""
        if self._layout is None:
            self._layout = self.state.layout
        return self._layout

    def _check_covered(self, posting: Posting) -> None:
        short = -self.state.balances.get(posting.from_account, 0)
        if short > 0 and posting.from_account.startswith("stack/"):
            has = posting.amount - short
            raise Refused(
                RefusalCode.NOT_COVERED,
                (),
                f"This takes {money_text(posting.amount)}, but you have only "
                f"{money_text(has)} in chips. Buy some, or wager less.",
            )

    def read_meters(self, games: tuple[int, ...]) -> Stakes[int]:
        """Read the linked jackpots, including this command's own contributions (O-19)."""
        if self.environment.read_meters is None:
            raise NeedsMeters(games)
        jackpots = {game: self.state.links[game].jackpot for game in games}
        added = {game: pending_contributions(self.events, game).meter for game in self.state.links}
        return self.environment.read_meters(jackpots, added)


def post_award(state: TableState, layout: ChipAccounts, award: WagerSettled) -> None:
    """Apply an award to the table: the chips go to the player's stack or wait for a hand-pay."""
    if award.paid:
        meter = f"meter/{layout.jackpots[award.meter]}"
        apply_posting(
            state, Posting(PostingCode.AWARD, meter, layout.award_of(award.spot), award.paid)
        )


class HouseShoeFactory:
    """Creates shoes. The database stores only salts; the house key turns them into seeds."""

    def __init__(self, key: HouseKey, entropy: Entropy) -> None:
        self._key = key
        self._entropy = entropy

    def new_shoe(self, context: ShoeContext) -> ShoeRecord:
        salt = self._entropy.salt()
        check_on_top(context, self.on_top(salt))
        seed = self._key.seed(context, salt)
        commitment = shoe_commitment(context, seed)
        return ShoeRecord(context.number, context, salt, commitment, str(self._entropy.source))

    def seed(self, shoe: ShoeRecord) -> bytes:
        return self._key.seed(shoe.context, shoe.salt)

    def signature(self, purpose: str, text: str) -> str:
        """Sign with the house key."""
        return self._key.signature(purpose, text)

    def fits(self, shoe: ShoeRecord) -> bool:
        return shoe_commitment(shoe.context, self.seed(shoe)) == shoe.commitment

    def live(self, shoe: ShoeRecord, position: Position = SHOE_START) -> LiveShoe:
        assert shoe.mix is not None, "a shoe is cut before it is dealt"
        on_top = self.on_top(shoe.salt)
        return LiveShoe(shoe.context, self.seed(shoe), shoe.mix, position, on_top)

    def on_top(self, salt: bytes) -> tuple[int, ...]:
        """Return the cards that a test put on top of the shoe with this salt."""
        return self._entropy.on_top(salt)


_CUT_ASKS = (AskKind.CUT_COMMIT, AskKind.CUT_OPEN)


def commit_shoe(run: CommandRun) -> None:
    """Publish the commitment of the next shoe, before anyone cuts it."""
    commit_shoe_of(run, run.state.in_play.number + 1 if run.state.in_play else 1)


def commit_shoe_of(run: CommandRun, number: int) -> None:
    state = run.state
    context = context_of(state.rules, state.house, str(state.number), number)
    state.next_shoe = run.environment.shoes.new_shoe(context)
    run.emit(ev.ShoeCommitted(state.next_shoe.number, state.next_shoe.commitment.hex()))


def reveal_shoe(run: CommandRun) -> None:
    """End the shoe in play and publish its seed so that anyone can verify the shoe."""
    shoe = run.state.in_play
    assert shoe is not None, "no shoe is in play"
    run.emit(ev.ShoeRevealed(shoe.number, run.environment.shoes.seed(shoe).hex()))


def lose_shoes(run: CommandRun, reason: str) -> None:
    """End the shoe in play and the next one without revealing them, and commit to a new one."""
    state = run.state
    shoes = [shoe for shoe in (state.in_play, state.next_shoe) if shoe is not None]
    for shoe in shoes:
        run.emit(ev.ShoeLost(shoe.number, reason))
    commit_shoe_of(run, shoes[-1].number + 1)


def advance_cutting(run: CommandRun) -> None:
    """Advance the cut of the next shoe as far as possible without an answer."""
    state = run.state
    if state.ask is None:
        run.emit(ev.AskRaised(AskKind.CUT_COMMIT))
    if state.ask is not None and state.ask.kind is AskKind.CUT_COMMIT and _all_committed(state):
        if state.cuts:
            run.emit(ev.CutsListed())
            run.emit(ev.AskRaised(AskKind.CUT_OPEN))
        else:
            _put_in_play(run)
    if state.ask is not None and state.ask.kind is AskKind.CUT_OPEN and _all_opened(state):
        _put_in_play(run)


def is_cutting(state: TableState) -> bool:
    return state.ask is not None and state.ask.kind in _CUT_ASKS


def _all_committed(state: TableState) -> bool:
    """Whether everyone present has committed a cut, declined to cut, or is barred from cutting."""
    return all(
        seat.number in state.cuts or seat.number in state.ready or seat.person in state.barred
        for seat in state.present
    )


def _all_opened(state: TableState) -> bool:
    return all(
        cut.value is not None or cut.seat in state.ready or not _still_seated(state, cut)
        for cut in state.cuts.values()
    )


def _still_seated(state: TableState, cut: Cut) -> bool:
    """Whether the person who committed the cut still has the seat."""
    seat = state.seats.get(cut.seat)
    return seat is not None and seat.person == cut.person


def _put_in_play(run: CommandRun) -> None:
    """Fix the shoe's order, put it in play, and commit to the next one right away."""
    state = run.state
    assert state.next_shoe is not None, "no shoe is committed"
    opened = {cut.seat: cut.value for cut in state.cuts.values() if cut.value is not None}
    withheld = tuple(sorted(state.cuts.keys() - opened.keys()))
    mix = mix_of(state.next_shoe.commitment, opened)
    run.emit(ev.ShoeCut(state.next_shoe.number, mix.hex(), withheld))
    assert state.in_play is not None, "the shoe that was cut is in play"
    state.live = run.environment.shoes.live(state.in_play)
    commit_shoe(run)


def commit_cut(run: CommandRun, seat: Seat, command: do.CommitCut) -> None:
    state = run.state
    _require_ask(state, AskKind.CUT_COMMIT)
    if seat.person in state.barred:
        raise Refused(
            RefusalCode.CUT_BARRED,
            (),
            "You once committed a cut at this table and didn't open it, so you may no "
            "longer cut here.",
        )
    if seat.number in state.cuts:
        raise Refused(RefusalCode.NO_CUT_NOW, (), "You have already committed a cut.")
    _read_secret(command.commitment, "commitment")
    run.emit(ev.CutCommitted(seat.number, command.commitment))


def open_cut(run: CommandRun, seat: Seat, command: do.OpenCut) -> None:
    state = run.state
    _require_ask(state, AskKind.CUT_OPEN)
    cut = state.cuts.get(seat.number)
    if cut is None or cut.person != seat.person or cut.value is not None:
        raise Refused(RefusalCode.NO_CUT_NOW, (), "You have no committed cut to open.")
    assert state.next_shoe is not None, "a cut has no shoe"
    value = _read_secret(command.value, "value")
    if cut_commitment(state.next_shoe.commitment, seat.number, value) != cut.commitment:
        raise Refused(
            RefusalCode.NOT_A_CUT,
            (),
            "This is a different cut. Send the one you committed.",
        )
    run.emit(ev.CutOpened(seat.number, command.value))


def _require_ask(state: TableState, kind: AskKind) -> None:
    if state.ask is None or state.ask.kind is not kind:
        raise Refused(RefusalCode.NO_CUT_NOW, (), "The table isn't waiting for this cut now.")


def _read_secret(text: str, name: str) -> bytes:
    digits = 2 * SECRET_BYTES
    if len(text) != digits or not all(digit in "0123456789abcdef" for digit in text):
        raise Refused(
            RefusalCode.NOT_A_CUT,
            (),
            f"The {name} must have {digits} hexadecimal digits, 0-9 and a-f.",
        )
    return bytes.fromhex(text)


OUT_OF_CARDS = "every card of the shoe is on the table"


def advance(run: CommandRun) -> None:
    """Advance the table until it needs an answer or there is nothing left to do."""
    while _step(run):
        pass


def _step(run: CommandRun) -> bool:
    """Take one step that needs no answer; False if there is none."""
    state = run.state
    if state.status in (TableStatus.FAULT, TableStatus.CLOSED):
        return False
    return _step_in_round(run) if state.round is not None else _step_between_rounds(run)


def _step_between_rounds(run: CommandRun) -> bool:
    state = run.state
    if state.live is not None and state.live.is_over:
        reveal_shoe(run)
        return True
    if state.status is TableStatus.CLOSING:
        _close_table(run)
        return False
    if leaving := [seat for seat in state.seats.values() if seat.status is SeatStatus.LEAVING]:
        vacate_seat(run, leaving[0])
        return True
    if state.inspection_text:
        return False
    if state.live is None and (state.players or is_cutting(state)):
        # Finish a cut even if everyone has left, so the next player doesn't find it half done.
        advance_cutting(run)
        return state.live is not None
    if not state.players:
        return False
    _open_round(run)
    return True


def _open_round(run: CommandRun) -> None:
    state = run.state
    assert state.in_play is not None, "a round has no shoe"
    displayed = run.environment.shown
    meters = {
        game: displayed[link.jackpot]
        for game, link in state.links.items()
        if link.jackpot in displayed
    }
    run.emit(
        ev.RoundOpened(
            state.rounds + 1,
            state.in_play.number,
            Stakes(meters),
            remainders_of(state),
            supervised=state.options.supervisor,
        )
    )


def vacate_seat(run: CommandRun, seat: Seat) -> None:
    """Move the seat's chips to its wallet and free the seat."""
    if chips := run.state.stack(seat.number):
        run.emit(ev.ChipsCashedOut(seat.number, chips))
    run.emit(ev.SeatLeft(seat.number))


def _close_table(run: CommandRun) -> None:
    state = run.state
    for seat in list(state.seats.values()):
        vacate_seat(run, seat)
    if state.in_play is not None:
        reveal_shoe(run)
    if state.bank:
        run.emit(ev.BankDropped(state.bank))
    if state.inspection is None or state.inspection.is_over:
        run.emit(ev.TableClosed())


def _step_in_round(run: CommandRun) -> bool:
    prompt = run.state.waiting
    if isinstance(prompt, CardWanted):
        _deal(run)
        return True
    if isinstance(prompt, NothingWanted):
        _close_round(run)
        return True
    if isinstance(prompt, MetersWanted):
        run.play(ShowMeters(run.read_meters(prompt.games)))
        return True
    if isinstance(prompt, WagersWanted):
        return _wait_for_wagers(run)
    if isinstance(prompt, SupervisorWanted):
        if run.state.asks_for not in FOR_SUPERVISOR:
            _call_supervisor(run, AskKind.SUPERVISOR, prompt)
        return False
    return _wait_for_answers(run, prompt)


def _call_supervisor(run: CommandRun, kind: AskKind, prompt: SupervisorWanted) -> None:
    run.emit(ev.AskRaised(kind, task=prompt.task, called=prompt.spots))


def _deal(run: CommandRun) -> None:
    assert run.state.live is not None, "a card is needed, but there is no shoe"
    try:
        card = run.state.live.draw()
    except OutOfCards:
        run.play(VoidRound(OUT_OF_CARDS))
    else:
        run.play(DealCard(card))


def _close_round(run: CommandRun) -> None:
    """Close the round; a void round ends its shoe, because someone may know the next cards."""
    state = run.state
    is_void = state.open_round.stage is Stage.VOID
    run.emit(ev.RoundClosed(state.rounds))
    if is_void:
        reveal_shoe(run)


def _wait_for_wagers(run: CommandRun) -> bool:
    state = run.state
    if not state.open_round.order:
        if state.status is TableStatus.CLOSING or not state.players:
            # Nobody wagered, so the round just closes.
            run.emit(ev.RoundClosed(state.rounds))
            return True
    elif all(seat.number in state.ready for seat in state.players):
        run.play(CloseWagers())
        _raise_reserves(run)
        return True
    if state.ask is None or state.ask.kind is not AskKind.WAGERS:
        run.emit(ev.AskRaised(AskKind.WAGERS))
    return False


def _raise_reserves(run: CommandRun) -> None:
    """Add each jackpot wager's hidden part to the contribution that the meter shows."""
    state = run.state
    for spot in state.open_round.order:
        for game, stake in spot.jackpots.items():
            link = state.links.get(game)
            if link is not None and link.reserve_rate:
                added = stake * link.reserve_rate
                amount = meters.raised_by(link.reserve_remainder, added)
                remainder = meters.remainder_after(link.reserve_remainder, added)
                run.emit(ev.ReserveRaised(game, amount, remainder))


AnswersWanted = BlackjackAnswersWanted | InsuranceAnswersWanted | DecisionWanted


def _wait_for_answers(run: CommandRun, prompt: AnswersWanted) -> bool:
    """Answer for absent players with their defaults at once, and prompt the others."""
    state = run.state
    absent = [spot for spot in _prompted_spots(prompt) if state.is_absent(spot)]
    if absent:
        run.play(_default_answer(prompt, absent[0]))
        return True
    if not _is_prompt_open(state, prompt):
        hand = prompt.hand if isinstance(prompt, DecisionWanted) else 0
        run.emit(ev.AskRaised(_ASK_KINDS[type(prompt)], _prompted_spots(prompt), hand))
    return False


def answer_for_all(run: CommandRun) -> None:
    """Answer for everyone with the defaults when time runs out.

    If no supervisor came, an operator may answer from now on; later, the house continues by itself.
    """
    prompt = run.state.waiting
    if isinstance(prompt, SupervisorWanted):
        if run.state.asks_for is AskKind.SUPERVISOR:
            _call_supervisor(run, AskKind.SUPERVISOR_LATE, prompt)
        else:
            run.play(Supervise(Authority.HOUSE))
    if isinstance(prompt, AnswersWanted):
        for spot in _prompted_spots(prompt):
            run.play(_default_answer(prompt, spot))


def _prompted_spots(prompt: AnswersWanted) -> tuple[int, ...]:
    return (prompt.spot,) if isinstance(prompt, DecisionWanted) else prompt.spots


def _default_answer(prompt: AnswersWanted, spot: int) -> Command:
    if isinstance(prompt, DecisionWanted):
        return Stand(spot)
    if isinstance(prompt, InsuranceAnswersWanted):
        return Insure(spot, 0)
    return TakeBlackjack(spot)


_ASK_KINDS: dict[type[AnswersWanted], AskKind] = {
    BlackjackAnswersWanted: AskKind.BLACKJACK,
    InsuranceAnswersWanted: AskKind.INSURANCE,
    DecisionWanted: AskKind.DECISION,
}


def _is_prompt_open(state: TableState, prompt: AnswersWanted) -> bool:
    """Whether the prompt is open; it covers all spots, but each decision gets a new prompt."""
    ask = state.ask
    if ask is None or ask.kind is not _ASK_KINDS[type(prompt)]:
        return False
    return set(_prompted_spots(prompt)) <= set(ask.spots)


def require_inspected(state: TableState) -> None:
    if why := state.inspection_text:
        raise refused_step(why)


def handle_play(run: CommandRun, seat: Seat, command: PlayerCommand) -> None:
    state = run.state
    if state.round is None:
        raise Refused(
            RefusalCode.NO_ROUND, (), "There is no round yet. Wait until the shoe is cut."
        )
    if state.spots.get(command.spot) != seat.number:
        own = ", ".join(map(str, state.spots_of(seat.number))) or "none"
        raise Refused(
            RefusalCode.NOT_YOUR_SPOT,
            (),
            f"Spot {command.spot} isn't yours. Your spots: {own}.",
        )
    if isinstance(command, PlaceWagers):
        if command.person not in ("", seat.person):
            raise Refused(
                RefusalCode.BAD_COMMAND, (), "Omit `person`. Your wagers belong to your seat."
            )
        _check_jackpots(run, command)
        command = PlaceWagers(
            command.spot, command.base, seat.person, command.mtd, command.jackpots
        )
    run.play(command)


def _check_jackpots(run: CommandRun, command: PlaceWagers) -> None:
    for game, cents in command.jackpots.items():
        refusal = jackpot_refusal(run.state, game, run.environment.suspended) if cents else None
        if refusal is not None:
            raise refusal


def jackpot_refusal(state: TableState, game: int, suspended: frozenset[int]) -> Refused | None:
    """Return a refusal if a progressive is suspended or has no linked meter.

    Games that aren't in the rules get None; the round refuses those.
    """
    jackpots = state.rules.jackpots
    if game not in range(1, len(jackpots) + 1) or jackpots[game - 1].kind is JackpotKind.HOUSE:
        return None
    link = state.links.get(game)
    if link is None:
        return Refused(
            RefusalCode.JACKPOT_NOT_LINKED,
            ("R-084",),
            f"Jackpot {game} has no meter at this table. Leave its wager out.",
        )
    if link.jackpot in suspended:
        return Refused(
            RefusalCode.JACKPOT_SUSPENDED,
            ("R-084",),
            f"Jackpot {game} takes no wagers now. Leave its wager out.",
        )
    return None


def withdraw_all(run: CommandRun, seat: Seat) -> None:
    """Withdraw the seat's wagers before the deal."""
    state = run.state
    if state.round is not None and not state.is_dealt:
        for spot in state.spots_of(seat.number):
            if spot in state.round.spots:
                run.play(WithdrawWagers(spot))
