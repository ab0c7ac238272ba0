"""The two ways to the items of a table: Hansang's API, and boto3."""

import json
import os
import urllib.error
import urllib.parse
import urllib.request

import boto3

RESOURCE = boto3.resource(
    "dynamodb",
    endpoint_url=os.environ["ENDPOINT"],
    region_name="eu-central-1",
    aws_access_key_id="test",
    aws_secret_access_key="test",
)


def equal(found, expected):
    """Unlike an assert statement, this is never left out."""
    if found != expected:
        raise AssertionError(f"\n   found {found!r}\nexpected {expected!r}")


def call(method, path, body=None, headers=None):
    """The status and the body of an answer of the API."""
    request = urllib.request.Request(
        os.environ["SERVER"] + path,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={
            "authorization": f"Bearer {os.environ['TOKEN']}", "content-type": "application/json", **(headers or {}),
        },
    )
    try:
        with urllib.request.urlopen(request) as answer:
            status, text = answer.status, answer.read()
    except urllib.error.HTTPError as refused:
        status, text = refused.code, refused.read()
    return status, json.loads(text) if text else None


def send(method, path, content, kind):
    """Sends bytes, and returns the body of the answer."""
    request = urllib.request.Request(
        os.environ["SERVER"] + path,
        method=method,
        data=content,
        headers={"authorization": f"Bearer {os.environ['TOKEN']}", "content-type": kind},
    )
    with urllib.request.urlopen(request) as answer:
        return json.loads(answer.read())


def ok(method, path, body=None, headers=None):
    status, answer = call(method, path, body, headers)
    if status >= 300:
        raise AssertionError(f"{method} {path}: {status} {answer}")
    return answer


class System:
    """A system as its API shows it."""

    def __init__(self, name):
        self.path = f"/api/{name}"

    def entity(self, entity, *key):
        return "/".join([self.path, "entities", entity, *(urllib.parse.quote(str(part), safe="") for part in key)])

    def create(self, entity, **fields):
        return ok("POST", self.entity(entity), fields)

    def put(self, entity, *key, **fields):
        return ok("PUT", self.entity(entity, *(key or ["-"])), fields)

    def get(self, entity, *key):
        return ok("GET", self.entity(entity, *(key or ["-"])))

    def change(self, entity, *key, **changes):
        return ok("PATCH", self.entity(entity, *key), changes)

    def delete(self, entity, *key):
        ok("DELETE", self.entity(entity, *(key or ["-"])))
        equal(call("GET", self.entity(entity, *(key or ["-"])))[0], 404)

    def pattern(self, pattern, **arguments):
        query = urllib.parse.urlencode(arguments)
        return ok("GET", f"{self.path}/patterns/{pattern}?{query}")["items"]


def refused(code, request, **parameters):
    """What DynamoDB does not do is refused with this code."""
    try:
        request(**parameters)
    except RESOURCE.meta.client.exceptions.ClientError as error:
        equal(error.response["Error"]["Code"], code)
    else:
        raise AssertionError(f"{parameters} is not refused with {code}")


def without(record, *names):
    return {name: value for name, value in record.items() if name not in names}


def record(entity, item):
    """An item that boto3 wrote, as the API gives it: its entity in the place of its keys."""
    return {"$entity": entity, **without(item, "PK", "SK")}
