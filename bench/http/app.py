"""The same API on a typical Python stack: FastAPI, pydantic and boto3. No access control, no audit log."""

import os
import threading
import uuid
from datetime import datetime, timezone

import boto3
from boto3.dynamodb.conditions import Key
from fastapi import FastAPI, Response
from pydantic import BaseModel, ConfigDict, Field

app = FastAPI()
local = threading.local()


def table():
    """A boto3 resource belongs to one thread."""
    if not hasattr(local, "table"):
        dynamodb = boto3.Session().resource("dynamodb", endpoint_url=os.environ["ENDPOINT"])
        local.table = dynamodb.Table("Orders")
    return local.table


class NewOrder(BaseModel):
    model_config = ConfigDict(extra="forbid")
    customer: str = Field(min_length=1, max_length=40)
    title: str = Field(min_length=1, max_length=200)
    note: str = Field(max_length=1000)
    status: str = Field(min_length=1, max_length=20)
    total: int = Field(ge=0)


class Order(NewOrder):
    model_config = ConfigDict(extra="ignore")
    orderId: str
    createdAt: str
    updatedAt: str


class Page(BaseModel):
    items: list[Order]
    next: dict | None = None


@app.post("/orders", status_code=201)
def create(order: NewOrder, response: Response) -> Order:
    now = datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    made = Order(orderId=str(uuid.uuid4()), createdAt=now, updatedAt=now, **order.model_dump())
    item = made.model_dump() | {
        "PK": f"CUSTOMER#{made.customer}",
        "SK": f"ORDER#{made.orderId}",
        "GSI1PK": f"STATUS#{made.status}",
        "GSI1SK": made.orderId,
        "Type": "Order",
    }
    table().put_item(Item=item, ConditionExpression="attribute_not_exists(PK)")
    response.headers["location"] = f"/orders/{made.customer}/{made.orderId}"
    return made


@app.get("/customers/{customer}/orders/{order_id}")
def order(customer: str, order_id: str) -> Order:
    found = table().get_item(Key={"PK": f"CUSTOMER#{customer}", "SK": f"ORDER#{order_id}"})
    return Order(**found["Item"])


@app.get("/customers/{customer}/orders")
def orders_of_customer(customer: str, limit: int = 50) -> Page:
    found = table().query(
        KeyConditionExpression=Key("PK").eq(f"CUSTOMER#{customer}") & Key("SK").begins_with("ORDER#"),
        Limit=limit,
    )
    return Page(items=[Order(**item) for item in found["Items"]], next=found.get("LastEvaluatedKey"))
