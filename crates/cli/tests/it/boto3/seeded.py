"""contracts: what `hansang contracts seed` wrote, read as document 004 says."""

import hashlib
import json
from decimal import Decimal

from boto3.dynamodb.conditions import Key

from both import RESOURCE, equal

# Document 004, 1-1.
table = RESOURCE.Table("ivm-lite-schema-registry-seeded")


def plain(value):
    """boto3 gives every number as a Decimal, which JSON does not know."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    raise TypeError(value)


def checksum(spec):
    """RFC 8785 for specs without anything that Python writes in another way."""
    text = json.dumps(spec, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=plain)
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


# Document 004, 2-1: one version.
found = table.get_item(Key={"PK": "ENTITY_SCHEMA#entity.product.v1", "SK": "1.0.0"})["Item"]
equal(sorted(found), sorted(["PK", "SK", "kind", "id", "version", "status", "spec", "createdAt", "createdBy", "checksum"]))
equal((found["status"], found["createdBy"]), ("ACTIVE", "seed"))
equal(found["checksum"], checksum(found["spec"]))

# Document 004, 2-2: all versions.
versions = table.query(KeyConditionExpression=Key("PK").eq("RULESET#ruleset.product.v1"))["Items"]
equal([(item["version"], item["status"]) for item in versions], [("1.0.0", "DEPRECATED"), ("1.1.0", "ACTIVE")])

# Document 004, 2-3: what is ACTIVE of a kind.
condition = Key("kind").eq("VIEW_DEFINITION") & Key("status").eq("ACTIVE")
views = table.query(IndexName="kind-status-index", KeyConditionExpression=condition)["Items"]
equal(sorted(item["id"] for item in views), ["view.product.detail.v1", "view.product.search.v1"])

# Every contract is what its checksum says.
contracts = [item for item in table.scan()["Items"] if "spec" in item]
equal(len(contracts), 12)
for item in contracts:
    equal(item["checksum"], checksum(item["spec"]))
