"""contracts: document 004."""

import hashlib
import json

from boto3.dynamodb.conditions import Key

from both import RESOURCE, System, call, equal, ok, record, refused, without

contracts = System("contracts")
# Document 004, 1-1: without another environment this is the one of development.
table = RESOURCE.Table("ivm-lite-schema-registry-dev")

SPEC = {"identity": {"entityKeyFormat": "{tenant}#{id}"}, "fanout": {"enabled": False}, "limits": [1, 2]}


def item(version, status="ACTIVE", kind="CHANGESET", contract="changeset.v1"):
    """Document 004, 1-3: every attribute of its table."""
    text = json.dumps(SPEC, sort_keys=True, separators=(",", ":"))
    return {
        "PK": f"{kind}#{contract}",
        "SK": version,
        "kind": kind,
        "id": contract,
        "version": version,
        "status": status,
        "spec": SPEC,
        "createdAt": "2026-01-25T00:00:00Z",
        "createdBy": "seed",
        "checksum": hashlib.sha256(text.encode()).hexdigest(),
    }


def register(version, status="ACTIVE", kind="CHANGESET"):
    """Contracts are written by their own verbs; an administrator says whose they are."""
    body = {"version": version, "status": status, "spec": SPEC, "createdBy": "seed"}
    return ok("POST", f"/api/contracts/kinds/{kind}/changeset.v1", body)


def move(version, verb):
    return ok("POST", f"/api/contracts/kinds/CHANGESET/changeset.v1/{version}/{verb}")


def loaded(version):
    """What a runtime is given, which checks it before."""
    return ok("GET", f"/api/contracts/kinds/CHANGESET/changeset.v1/{version}")


def get(version):
    """Document 004, 2-1 and 3-1: `PK = {kind}#{id}, SK = {version}`, by GetItem and by Query."""
    pk, sk = "CHANGESET#changeset.v1", version
    found = table.get_item(Key={"PK": pk, "SK": sk})["Item"]
    values = {":pk": pk, ":sk": sk}
    queried = table.query(KeyConditionExpression="PK = :pk AND SK = :sk", ExpressionAttributeValues=values)
    equal(queried["Items"], [found])
    return found


def versions():
    """Document 004, 2-2: `PK = {kind}#{id}`, with no condition on SK."""
    values = {":pk": "CHANGESET#changeset.v1"}
    found = table.query(KeyConditionExpression="PK = :pk", ExpressionAttributeValues=values)["Items"]
    return [item["version"] for item in found]


def active():
    """Document 004, 2-3: `kind = CHANGESET, status = ACTIVE` on the index of 1-4.

    `status` is a reserved word of DynamoDB, so the names have to be aliases.
    """
    found = table.query(
        IndexName="kind-status-index",
        KeyConditionExpression="#kind = :kind AND #status = :status",
        ExpressionAttributeNames={"#kind": "kind", "#status": "status"},
        ExpressionAttributeValues={":kind": "CHANGESET", ":status": "ACTIVE"},
    )["Items"]
    # The way of boto3 to say the same.
    condition = Key("kind").eq("CHANGESET") & Key("status").eq("ACTIVE")
    again = table.query(IndexName="kind-status-index", KeyConditionExpression=condition)["Items"]
    equal(again, found)
    return sorted(item["version"] for item in found)


def what_the_server_writes():
    for version, status in [("1.0.0", "ACTIVE"), ("1.10.0", "ACTIVE"), ("1.9.0", "DRAFT")]:
        register(version, status)
    register("1.0.0", "DRAFT", kind="JOIN_SPEC")
    for version, status in [("1.0.0", "ACTIVE"), ("1.9.0", "DRAFT")]:
        written = item(version, status)
        written["checksum"] = "sha256:" + written["checksum"]
        equal(without(get(version), "createdAt"), without(written, "createdAt"))
    equal(versions(), ["1.0.0", "1.10.0", "1.9.0"])  # as text; the latest is found after reading
    equal(active(), ["1.0.0", "1.10.0"])
    refused(
        "ValidationException",
        table.query,
        IndexName="kind-status-index",
        KeyConditionExpression="kind = :kind AND status = :status",
        ExpressionAttributeValues={":kind": "CHANGESET", ":status": "ACTIVE"},
    )
    move("1.9.0", "promote")
    equal(active(), ["1.0.0", "1.10.0", "1.9.0"])
    changed = {"statusChangedAt", "statusChangedBy"}
    equal(set(get("1.9.0")) - set(item("1.9.0")), changed)


def what_boto3_writes():
    # Document 004, 4-1: the seed puts what is not there, and skips what is.
    seed = {"Item": item("2.0.0"), "ConditionExpression": "attribute_not_exists(PK)"}
    table.put_item(**seed)
    refused("ConditionalCheckFailedException", table.put_item, **seed)
    shown = record("Contract", item("2.0.0"))
    equal(contracts.get("Contract", "CHANGESET", "changeset.v1", "2.0.0"), shown)
    equal((loaded("2.0.0")["spec"], loaded("2.0.0")["createdBy"]), (SPEC, "seed"))
    one = {"kind": "CHANGESET", "id": "changeset.v1"}
    equal(contracts.pattern("contract", **one, version="2.0.0"), [shown])
    found = contracts.pattern("versions", **one)
    equal([contract["version"] for contract in found], ["1.0.0", "1.10.0", "1.9.0", "2.0.0"])
    equal(found[-1], shown)

    # A status that boto3 changes is that of the API, in the index too.
    table.update_item(
        Key={"PK": "CHANGESET#changeset.v1", "SK": "2.0.0"},
        UpdateExpression="SET #status = :to",
        ConditionExpression="#status = :from",
        ExpressionAttributeNames={"#status": "status"},
        ExpressionAttributeValues={":from": "ACTIVE", ":to": "DEPRECATED"},
    )
    deprecated = {**shown, "status": "DEPRECATED"}
    equal(contracts.pattern("contractsOfKind", kind="CHANGESET", status="DEPRECATED"), [deprecated])
    of_kind = contracts.pattern("allOfKind", kind="CHANGESET")
    equal([(contract["version"], contract["status"]) for contract in of_kind][-1], ("2.0.0", "DEPRECATED"))
    move("2.0.0", "restore")
    equal(get("2.0.0")["status"], "ACTIVE")


def what_boto3_breaks():
    # Document 004, 3-2: a checksum that does not fit is an error of its own, and so is a spec that is none.
    broken = {**item("3.0.0"), "spec": {**SPEC, "limits": [1, 2, 3]}}
    table.put_item(Item=broken)
    path = "/api/contracts/kinds/CHANGESET/changeset.v1/3.0.0"
    status, problem = call("GET", path)
    equal((status, problem["code"]), (409, "contract_integrity"))
    table.put_item(Item={**broken, "spec": {"identity": {"entityKeyFormat": 1}}})
    status, problem = call("GET", path)
    equal((status, problem["code"]), (422, "contract_corrupted"))
    table.delete_item(Key={"PK": broken["PK"], "SK": broken["SK"]})
    status, problem = call("GET", path)
    equal((status, problem["code"]), (404, "contract_not_found"))


what_the_server_writes()
what_boto3_writes()
what_boto3_breaks()
