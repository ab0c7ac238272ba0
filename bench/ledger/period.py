"""The entries of a period with boto3: one request a month, in sequence. Prints the best time in seconds."""

import sys
import time

import boto3
from boto3.dynamodb.conditions import Key

url, first, last = sys.argv[1:]
credentials = {"aws_access_key_id": "bench", "aws_secret_access_key": "bench", "region_name": "us-east-1"}
table = boto3.resource("dynamodb", endpoint_url=url, **credentials).Table("AssetManager")


def months():
    year, month = map(int, first.split("."))
    while f"{year}.{month:02}" <= last:
        yield f"{year}.{month:02}"
        year, month = (year + 1, 1) if month == 12 else (year, month + 1)


def period():
    items = []
    for month in months():
        items += table.query(
            IndexName="yearMonth-PK-index", KeyConditionExpression=Key("yearMonth").eq(month)
        )["Items"]
    return items


best = None
for _ in range(3):
    start = time.perf_counter()
    found = len(period())
    passed = time.perf_counter() - start
    assert found >= 240 * 40, f"{found} items"
    best = min(passed, best or passed)
print(best)
