"""A gambling day: from a set hour to the same hour of the next day."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from ventiuna.errors import VentiunaError

START_HOUR = 6
LAST_HOUR = 23


class DayError(VentiunaError, ValueError):
    """Not a day that can be reported."""


@dataclass(frozen=True, slots=True)
class GamblingDay:
    """The day that begins on this date; a round belongs to the day in which it ends."""

    date: date
    start_hour: int = START_HOUR
    zone: tzinfo = UTC

    def __post_init__(self) -> None:
        if not 0 <= self.start_hour <= LAST_HOUR:
            raise DayError(f"start hour: give 0 to {LAST_HOUR}, not {self.start_hour}.")
        if self.date == date.max:
            raise DayError(f"{self.date}: no calendar has the day after, with which it would end.")

    @property
    def start(self) -> int:
        """Milliseconds since 1970; the first that belongs to the day."""
        return _milliseconds(datetime.combine(self.date, time(self.start_hour), self.zone))

    @property
    def end(self) -> int:
        """The first that belongs to the next day."""
        tomorrow = self.date + timedelta(days=1)
        return _milliseconds(datetime.combine(tomorrow, time(self.start_hour), self.zone))

    def __str__(self) -> str:
        return f"{self.date.isoformat()} from {self.start_hour:02d}:00"


def day_of(at: int, start_hour: int = START_HOUR, zone: tzinfo = UTC) -> GamblingDay:
    """The gambling day that this moment belongs to."""
    here = datetime.fromtimestamp(at / 1000, zone)
    first = GamblingDay(here.date(), start_hour, zone)
    if at >= first.start:
        return first
    return GamblingDay(here.date() - timedelta(days=1), start_hour, zone)


def read_day(text: str, start_hour: int = START_HOUR, zone: tzinfo = UTC) -> GamblingDay:
    """`2026-11-16`."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise DayError(f"{text[:20]!r} is not a day such as 2026-11-16.") from None
    return GamblingDay(day, start_hour, zone)


def _milliseconds(moment: datetime) -> int:
    return int(moment.timestamp()) * 1000


def read_zone(name: str) -> tzinfo:
    """A time zone by its name; this computer's where none is given."""
    if not name:
        local = datetime.now().astimezone().tzinfo
        assert local is not None, "a time with a zone has one"
        return local
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(name)
    except (LookupError, ValueError, OSError):
        raise DayError(
            f"--zone {name[:40]!r}: there is no such time zone; give one such as UTC."
        ) from None
