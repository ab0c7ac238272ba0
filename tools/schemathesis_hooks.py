"""Hooks for what the OpenAPI description cannot express."""

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
# Whether requests use a session instead of a token.
SIGNED_IN = os.environ.get("HANSANG_SIGNED_IN") == "true"

# Error codes of valid requests that no schema can predict, with the reason.
UNPREDICTABLE = {
    "account_of_other_kind": "the kind that an account holds is data",
    "account_without_kind": "the kinds of groups are data",
    "code_repeated": "a schema cannot compare the accounts of two groups",
    "code_unknown": "the codes of the ledger are data",
    "detail_missing": "whether an entry in a URL has a detail depends on its kind",
    "detail_unwanted": "whether an entry in a URL has a detail depends on its kind",
    "event_invalid": "a schema cannot compare the times of an event",
    "file_invalid": "a schema cannot describe the content of a file",
    "import_refused": "a schema cannot describe the content of a file",
    "invalid_cursor": "a cursor is signed, and only valid for the query that it came from",
    "invalid_spec": "a schema cannot tell which numbers JSON readers preserve",
    "invalid_range": "a schema cannot compare `from` with `to`",
    "range_too_long": "a schema cannot count the months from `from` to `to`",
    "mapping_invalid": "a schema cannot describe the content of a file",
    "nothing_to_copy": "whether there is an earlier month is data",
    "period_invalid": "a schema cannot compare `from` with `to`",
    "rule_invalid": "a schema cannot compare `from` with `until`",
    "same_month": "a schema cannot compare the month in the URL with the one in the body",
    "sum_too_large": "a sum depends on the stored values",
    "transaction_unknown": "the details of an entry in a URL depend on its kind",
    "same_key": "a schema cannot compare the old key with the new one",
    "no_session": "a token has no session to end; the run with sessions ends some",
    "number_out_of_range": "a sum depends on the stored value",
    "transaction_repeats_item": "a schema cannot compare the keys of two operations",
}
# The same for errors that share their code with others: part of the operation, part of the detail, and the reason.
UNPREDICTABLE_IN = [
    ("access.", "must not be one character again and again", "a schema cannot compare the characters of a password"),
    (".", "is outside the range 1E-130 to", "a schema can bound a number, but not exclude values near zero"),
    ("access.audit", "give one of `day`, `actor` and `system`", "parameters cannot exclude each other"),
    ("contracts.", "`spec.", "the rules for a spec depend on its kind, which is in the URL, and its status"),
    ("ledger.", "`ruleId` must be a ULID", "links take the rule of a contract for one of the ledger"),
    ("ledger.codes.replace", "is not a month", "the list in the URL decides what its codes are"),
    ("ledger.import.", "`mapping` ", "a parameter that is JSON has no schema"),
    ("ledger.import.", "`choices` ", "a parameter that is JSON has no schema"),
    ("ledger.line.", "is not a month", "a schema cannot bound a date"),
    ("ledger.restore", "is not a month", "a schema cannot bound a date"),
    ("ledger.restore", "is not as an export has it", "an export has whole numbers without a fraction"),
    (".put", "must start as", "the header `If-None-Match` says whether the record is new"),
]

# Endless streams: the operation, its parameter, and a value that does not exist.
STREAMS = [
    ("entry.event.board.live", "eventId", "there is no event like this"),
    ("entry.request.live", "requestId", "7ZZZZZZZZZZZZZZZZZZZZZZZZZ"),
]


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Ignores the errors that are listed above."""
    if failure.code != "ST202" or response.status_code != 400:
        return True
    problem, name = json.loads(response.content), operation_id(case)
    known = any(where in name and text in problem["detail"] for where, text, _ in UNPREDICTABLE_IN)
    return problem["code"] not in UNPREDICTABLE and not known


def operation_id(case):
    return case.operation.definition.raw["operationId"]


@schemathesis.serializer("application/x-ndjson")
def lines(context, value):
    return {"data": value.encode() if isinstance(value, str) else json.dumps(value).encode()}


@schemathesis.hook
def before_call(context, case, kwargs):
    name = operation_id(case)
    case.headers["X-Forwarded-For"] = random_address()
    if case.path_parameters.get("id") in (TOKEN_ID, ACCOUNT_ID) and name in REPLACEMENTS:
        # Use another account or token: the run needs its own.
        case.path_parameters["id"] = REPLACEMENTS[name]()
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    for stream, parameter, missing in STREAMS:
        # A stream of an existing record would stay open for minutes.
        if name == stream:
            case.path_parameters[parameter] = missing
    if name.endswith(".put") and isinstance(case.body, dict):
        # A schema cannot express that the key in the body equals the one in the URL.
        for attribute in case.path_parameters:
            case.body.pop(attribute, None)
    if name == "access.createToken":
        # A schema does not know the current time.
        case.body["expires"] = in_a_day()
    if SIGNED_IN:
        add_session(name, case)


def add_session(name, case):
    """Adds the headers of a session: a new one for operations that end it or change the password."""
    ends = name in ("access.signOut", "access.changePassword")
    if name == "access.changePassword":
        case.body["old"] = PASSWORD
    case.headers.update(session() if ends else shared_session())


@functools.cache
def shared_session():
    return session()


def session():
    """Returns the headers of a new session of a new account."""
    response = requests.post(
        f"{ADDRESS}/api/access/session",
        json={"login": account()["login"], "password": PASSWORD},
        headers={"X-Forwarded-For": random_address()},
        timeout=60,
    )
    response.raise_for_status()
    cookie = response.headers["set-cookie"].split(";")[0]
    return {"Cookie": cookie, "x-csrf-token": response.json()["csrf"]}


def random_address():
    """Returns a random address, so that sign-ins do not throttle each other."""
    return ".".join(str(random.randint(1, 254)) for _ in range(4))


def in_a_day():
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
    wanted = {"name": "spare", "grants": {}, "expires": in_a_day()}
    response = requests.post(f"{ADDRESS}/api/access/tokens", json=wanted, headers=session(), timeout=60)
    response.raise_for_status()
    return response.json()["id"]


REPLACEMENTS = {
    "access.revokeToken": token_id,
    "access.changeAccount": account_id,
    "access.deleteAccount": account_id,
    "access.setPassword": account_id,
    "access.signOutEverywhere": account_id,
}
