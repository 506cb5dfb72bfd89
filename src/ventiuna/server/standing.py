"""Log-outs, new roles and the end of tokens reach sockets that are open, whichever process heard.

A socket is asked for a token when it opens, and is as good as that token: without a look now and
then somebody who logged out would play on, an operator who was dismissed could still call rounds
off, and a stolen token of a quarter of an hour would be good for as long as its socket.
"""

from __future__ import annotations

from ventiuna.server.actors import actor_of
from ventiuna.server.hub import Close
from ventiuna.server.tables import Tables
from ventiuna.table.persons.people import standing_of


async def check_standing(tables: Tables) -> None:
    """Let those go whose token is not good any more; all others have the role they were given."""
    people = [(client, client.token) for client in tables.hub.clients() if client.token is not None]
    if not people:
        return
    tokens = {token for _, token in people}
    now = tables.clock.now()
    good = await tables.read(lambda one: standing_of(one, tokens, now))
    for client, token in people:
        if token in good:
            client.actor = actor_of(good[token].person)
        elif client.token == token:  # it may have come with a new one meanwhile
            tables.hub.say_token_is_over(client)
            client.close(Close.NOT_ALLOWED)
