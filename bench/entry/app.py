"""Entering an event on a typical Python stack: FastAPI, PyJWT and boto3.

Each request is decided before the response. A background thread would respond earlier but decide no sooner, because
the table is the bottleneck, and it would lose undecided requests in a crash. The server does the minimum: it reads no
event, writes no log and uses no queue.
"""

import json
import os
import threading
import uuid
from datetime import datetime, timezone

import boto3
import jwt
from botocore.exceptions import ClientError
from fastapi import FastAPI, Header, HTTPException
from pydantic import BaseModel, Field

TABLE = "AsyncEventTable"

app = FastAPI()
local = threading.local()
with open(os.environ["KEYS"]) as file:
    KEYS = {key["kid"]: jwt.PyJWK(key) for key in json.load(file)["keys"]}


class Seats(BaseModel):
    seats: int = Field(ge=0)


class Accepted(BaseModel):
    requestId: str
    status: str
    duplicate: bool


def table():
    """A boto3 resource belongs to one thread."""
    if not hasattr(local, "table"):
        dynamodb = boto3.Session().resource("dynamodb", endpoint_url=os.environ["ENDPOINT"])
        local.table = dynamodb.Table(TABLE)
    return local.table


def write(*actions) -> bool:
    """Writes all actions in one transaction. Returns False if a condition failed."""
    while True:
        try:
            table().meta.client.transact_write_items(TransactItems=list(actions))
            return True
        except ClientError as error:
            codes = [reason.get("Code") for reason in error.response.get("CancellationReasons", [])]
            if "ConditionalCheckFailed" in codes:
                return False
            if "TransactionConflict" not in codes:
                raise


def who(authorization: str) -> str:
    """Returns the user of a token."""
    token = authorization.removeprefix("Bearer ")
    try:
        key = KEYS[jwt.get_unverified_header(token)["kid"]]
        claims = jwt.decode(
            token, key, algorithms=["RS256"], issuer=os.environ["ISSUER"], audience=os.environ["AUDIENCE"],
            options={"require": ["iss", "aud", "sub", "exp"]},
        )
    except (jwt.InvalidTokenError, KeyError):
        raise HTTPException(401) from None
    return claims["sub"]


@app.put("/events/{event}")
def make(event: str, wanted: Seats) -> Seats:
    item = {"PK": f"EVENT#{event}", "SK": "CAPACITY", "capacityRemaining": wanted.seats}
    table().put_item(Item=item)
    return wanted


@app.post("/events/{event}/entries", status_code=202)
def enter(event: str, authorization: str = Header()) -> Accepted:
    user = who(authorization)
    request = str(uuid.uuid4())
    now = datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    lock = {"PK": f"IDEMP#{event}#{user}", "SK": "LOCK", "requestId": request}
    item = {
        "PK": f"REQ#{request}", "SK": "META", "requestId": request, "eventId": event, "userId": user,
        "status": "QUEUED", "queuedAt": now,
        "GSI1PK": f"USER#{user}", "GSI1SK": f"QAT#{now}#REQ#{request}",
        "GSI2PK": f"EVENT#{event}", "GSI2SK": f"QAT#{now}#REQ#{request}",
    }  # fmt: skip
    absent = "attribute_not_exists(PK)"
    if write(
        {"Put": {"TableName": TABLE, "Item": lock, "ConditionExpression": absent}},
        {"Put": {"TableName": TABLE, "Item": item}},
    ):
        return Accepted(requestId=request, status=decide(event, request), duplicate=False)
    known = table().get_item(Key={"PK": lock["PK"], "SK": "LOCK"}, ConsistentRead=True)["Item"]["requestId"]
    item = table().get_item(Key={"PK": f"REQ#{known}", "SK": "META"})["Item"]
    return Accepted(requestId=known, status=item["status"], duplicate=True)


def decide(event: str, request: str) -> str:
    """Takes a seat if one is left, then writes the result.

    One transaction for both would not lose a seat in a crash between them. It was no faster, and on DynamoDB transactions
    on the one item that counts seats conflict with each other.
    """
    try:
        table().update_item(
            Key={"PK": f"EVENT#{event}", "SK": "CAPACITY"},
            UpdateExpression="SET capacityRemaining = capacityRemaining - :one",
            ConditionExpression="capacityRemaining >= :one",
            ExpressionAttributeValues={":one": 1},
        )
        status = "SUCCEEDED"
    except table().meta.client.exceptions.ConditionalCheckFailedException:
        status = "REJECTED"
    table().update_item(
        Key={"PK": f"REQ#{request}", "SK": "META"},
        UpdateExpression="SET #status = :status",
        ExpressionAttributeNames={"#status": "status"},
        ExpressionAttributeValues={":status": status},
    )
    return status


@app.get("/events/{event}/results")
def results(event: str) -> dict[str, int]:
    """Counts the requests by status."""
    counts = {"SUCCEEDED": 0, "REJECTED": 0, "others": 0}
    pages = table().meta.client.get_paginator("query").paginate(
        TableName=TABLE,
        IndexName="GSI2",
        KeyConditionExpression="GSI2PK = :event",
        ExpressionAttributeValues={":event": f"EVENT#{event}"},
    )
    for page in pages:
        for item in page["Items"]:
            status = item["status"] if item["status"] in counts else "others"
            counts[status] += 1
    return counts
