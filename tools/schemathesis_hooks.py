"""What Schemathesis has to know of this API beyond its description."""

import datetime
import functools
import json
import os
import random
import uuid

import requests
import schemathesis

ADDRESS = os.environ["HANSANG_ADDRESS"]
TOKEN = os.environ["HANSANG_TOKEN"]
TOKEN_ID = os.environ["HANSANG_TOKEN_ID"]
ACCOUNT_ID = os.environ["HANSANG_ACCOUNT_ID"]
PASSWORD = "a long password"
# Whether requests come from people with sessions, and not from a program with a token.
SIGNED_IN = os.environ.get("HANSANG_SIGNED_IN") == "true"

# The refusals of well-formed requests that no schema can tell beforehand, and why.
BEYOND = {
    "event_invalid": "a schema cannot compare the times of an event",
    "invalid_cursor": "a cursor is signed, and only fits the question that it came from",
    "invalid_spec": "a schema cannot tell which numbers every reader of JSON keeps",
    "invalid_range": "a schema cannot compare `from` with `to`",
    "range_too_long": "a schema cannot count the months from `from` to `to`",
    "same_key": "a schema cannot compare a key with the one that it becomes",
    "no_session": "a token has no session to end; the run with sessions ends some",
    "number_out_of_range": "what a sum becomes depends on what is stored",
    "transaction_repeats_item": "a schema cannot compare the keys of two operations",
}
# The same for refusals that share a code with others: where, what is said, and why.
BEYOND_IN = [
    (".", "is outside the range 1E-130 to", "a schema can bound a number, but not leave a hole around zero"),
    ("access.audit", "give one of `day`, `actor` and `system`", "parameters cannot exclude each other"),
    ("contracts.", "`spec.", "what a spec must say depends on its kind, which stands in the address, and its status"),
    (".put", "must start as", "whether the record is new is said in another place, by `If-None-Match`"),
]

# What goes on for as long as somebody listens: the operation, its parameter, and one that nothing has.
STREAMS = [
    ("entry.event.board.live", "eventId", "there is no event like this"),
    ("entry.request.live", "requestId", "7ZZZZZZZZZZZZZZZZZZZZZZZZZ"),
]


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Keeps every failure but the refusals that are listed above."""
    if failure.code != "ST202" or response.status_code != 400:
        return True
    problem, name = json.loads(response.content), operation_id(case)
    known = any(where in name and text in problem["detail"] for where, text, _ in BEYOND_IN)
    return problem["code"] not in BEYOND and not known


def operation_id(case):
    return case.operation.definition.raw["operationId"]


@schemathesis.serializer("application/x-ndjson")
def lines(context, value):
    return {"data": value.encode() if isinstance(value, str) else json.dumps(value).encode()}


@schemathesis.hook
def before_call(context, case, kwargs):
    name = operation_id(case)
    case.headers["X-Forwarded-For"] = somewhere()
    if case.path_parameters.get("id") in (TOKEN_ID, ACCOUNT_ID) and name in OWN:
        # The run must not saw off the branch that it sits on: somebody else's will do.
        case.path_parameters["id"] = OWN[name]()
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    for stream, parameter, nothing in STREAMS:
        # What is told as it happens goes on for minutes: of what is not there, nothing happens.
        if name == stream:
            case.path_parameters[parameter] = nothing
    if name.endswith(".put") and isinstance(case.body, dict):
        # A schema cannot say that the key in the body is the one in the address.
        for attribute in case.path_parameters:
            case.body.pop(attribute, None)
    if name == "access.createToken":
        # A schema does not know what time it is.
        case.body["expires"] = tomorrow()
    if SIGNED_IN:
        as_somebody(name, case)


def as_somebody(name, case):
    """Asks with a session. What ends it or changes its password gets one that nobody needs afterwards."""
    ends = name in ("access.signOut", "access.changePassword")
    if name == "access.changePassword":
        case.body["old"] = PASSWORD
    case.headers.update(session() if ends else lasting())


@functools.cache
def lasting():
    return session()


def session():
    """The headers of a new session of a new account."""
    response = requests.post(
        f"{ADDRESS}/api/access/session",
        json={"login": account()["login"], "password": PASSWORD},
        headers={"X-Forwarded-For": somewhere()},
        timeout=60,
    )
    response.raise_for_status()
    cookie = response.headers["set-cookie"].split(";")[0]
    return {"Cookie": cookie, "x-csrf-token": response.json()["csrf"]}


def somewhere():
    """An address that nobody else has, so that no attempt to sign in waits for others."""
    return ".".join(str(random.randint(1, 254)) for _ in range(4))


def tomorrow():
    return (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=1)).isoformat()


def account():
    wanted = {"login": uuid.uuid4().hex, "name": "Spare", "password": PASSWORD, "grants": {"*": "viewer"}}
    headers = {"Authorization": f"Bearer {TOKEN}"}
    response = requests.post(f"{ADDRESS}/api/access/accounts", json=wanted, headers=headers, timeout=60)
    response.raise_for_status()
    return response.json()


def account_id():
    return account()["id"]


def token_id():
    wanted = {"name": "spare", "grants": {}, "expires": tomorrow()}
    response = requests.post(f"{ADDRESS}/api/access/tokens", json=wanted, headers=session(), timeout=60)
    response.raise_for_status()
    return response.json()["id"]


OWN = {
    "access.revokeToken": token_id,
    "access.changeAccount": account_id,
    "access.deleteAccount": account_id,
    "access.setPassword": account_id,
    "access.signOutEverywhere": account_id,
}
