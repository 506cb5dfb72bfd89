"""The link that the terminal shows to whoever started the house."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel, ConfigDict, Field

from ventiuna.server.first_use import OwnerLink
from ventiuna.server.problems import wants_token
from ventiuna.server.routes.accounts import SessionData, session_data
from ventiuna.server.security import address_of
from ventiuna.server.services import Services, services_of
from ventiuna.table.persons.people import issue_tokens, person_of

router = APIRouter(prefix="/accounts", tags=["accounts"])
HouseServices = Annotated[Services, Depends(services_of)]


class OwnerToken(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, hide_input_in_errors=True)

    token: str = Field(max_length=128, description="From the link; serves once.")


@router.post("/owner")
def be_owner(asked: OwnerToken, request: Request, house: HouseServices) -> SessionData:
    """Tokens of the house's owner, for the link that its terminal shows."""
    house.log_in_limit.take(address_of(request))
    link: OwnerLink | None = request.app.state.owner_link
    if link is None or not link.use(asked.token):
        raise wants_token()
    now = house.now()
    with house.store.write() as connection:
        owner = person_of(connection, link.person)
        tokens = issue_tokens(connection, owner, now, house.entropy)
    return session_data(owner, tokens)
