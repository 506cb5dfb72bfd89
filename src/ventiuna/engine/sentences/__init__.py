"""Each event as the sentence that people read: at a terminal, in a log, by a screen reader.

A `Teller` follows a round and tells it event by event, from one person's point of view. What is
hidden from that person is not told.
"""

from ventiuna.engine.sentences.parts import CardStyle, Payment, Sentence
from ventiuna.engine.sentences.point_of_view import ONLOOKER, PointOfView
from ventiuna.engine.sentences.teller import SILENT, Teller, tell_all

__all__ = [
    "ONLOOKER",
    "SILENT",
    "CardStyle",
    "Payment",
    "PointOfView",
    "Sentence",
    "Teller",
    "tell_all",
]
