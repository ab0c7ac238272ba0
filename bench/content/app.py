"""Posts on a typical Python stack: FastAPI, boto3 and Jinja, on items with the keys of document 000.

As a program (`app.py COUNT TITLE CONTENTS`) it creates the table and fills it.
"""

import os
import sys
import threading

import boto3
import markdown
from boto3.dynamodb.conditions import Key
from fastapi import FastAPI
from fastapi.responses import HTMLResponse
from jinja2 import Environment

PAGE = 12
TABLE = "FMWebAppTable"
app = FastAPI()
local = threading.local()
templates = Environment(autoescape=True)
LAYOUT = """<!doctype html><html lang="ko"><head><meta charset="utf-8"><title>{{ title }}</title>
<meta name="viewport" content="width=device-width"></head><body><header><nav><a href="/">Home</a> <a href="/posts">Posts</a>
</nav></header><main>%s</main><footer>Example</footer></body></html>"""
POST = templates.from_string(
    LAYOUT % "<h1>{{ title }}</h1><p>{{ post.CreatedAt }} {{ post.authorId }}</p>{{ contents | safe }}"
)
LIST = templates.from_string(
    LAYOUT
    % "<h1>{{ title }}</h1>{% for post in posts %}<article><h2><a href='/posts/{{ post.id }}'>{{ post.title }}</a></h2>"
    "<p>{{ post.CreatedAt }}</p></article>{% endfor %}"
)


def dynamodb():
    return boto3.Session().resource("dynamodb", endpoint_url=os.environ["ENDPOINT"])


def table():
    """A boto3 resource belongs to one thread."""
    if not hasattr(local, "table"):
        local.table = dynamodb().Table(TABLE)
    return local.table


def find(post_id):
    return table().get_item(Key={"PK": "CATEGORY#c001", "SK": f"POST#{post_id}"})["Item"]


def newest():
    return table().query(
        IndexName="Type_CreatedAt", KeyConditionExpression=Key("Type").eq("Post"), ScanIndexForward=False, Limit=PAGE
    )["Items"]


@app.get("/api/posts/{post_id}")
def api_post(post_id: str) -> dict:
    return find(post_id)


@app.get("/api/posts")
def api_posts() -> dict:
    return {"items": [{key: post[key] for key in ("id", "title", "CreatedAt")} for post in newest()]}


@app.get("/posts/{post_id}", response_class=HTMLResponse)
def post_page(post_id: str):
    post = find(post_id)
    return POST.render(title=post["title"], post=post, contents=markdown.markdown(post["contents"]))


@app.get("/posts", response_class=HTMLResponse)
def list_page():
    return LIST.render(title="Posts", posts=newest())


def fill(count, title, contents):
    key = lambda name, kind: {"AttributeName": name, "KeyType": kind}
    made = dynamodb().create_table(
        TableName=TABLE,
        BillingMode="PAY_PER_REQUEST",
        KeySchema=[key("PK", "HASH"), key("SK", "RANGE")],
        AttributeDefinitions=[
            {"AttributeName": name, "AttributeType": "S"} for name in ("PK", "SK", "Type", "CreatedAt")
        ],
        GlobalSecondaryIndexes=[
            {
                "IndexName": "Type_CreatedAt",
                "KeySchema": [key("Type", "HASH"), key("CreatedAt", "RANGE")],
                "Projection": {"ProjectionType": "ALL"},
            }
        ],
    )
    made.wait_until_exists()
    for number in range(count):
        at = f"2026-01-01T00:{number // 60:02}:{number % 60:02}Z"
        made.put_item(
            Item={
                "PK": "CATEGORY#c001", "SK": f"POST#p{number:03}", "Type": "Post", "id": f"p{number:03}",
                "categoryId": "c001", "authorId": "u001", "title": f"{title} {number}", "contents": contents,
                "CreatedAt": at, "UpdatedAt": at,
            }
        )


if __name__ == "__main__":
    fill(int(sys.argv[1]), sys.argv[2], sys.argv[3])
