"""entry: document 002."""

from both import RESOURCE, System, call, equal, record, refused, without

entry = System("entry")
table = RESOURCE.Table("AsyncEventTable")

# Ids are ULIDs, so that they sort by the time they were made.
FIRST, SECOND, THIRD = (f"01JD3Q0V8B5X9K2M4N6P7R8S{letter}0" for letter in "ABC")
TIME = "2026-11-16T00:00:0{}.000Z"


def request(request_id, user, **more):
    """Document 002, §5: the key, the attributes, and the idempotency key."""
    return {
        "PK": f"REQ#{request_id}",
        "SK": "META",
        "requestId": request_id,
        "eventId": "e1",
        "userId": user,
        "eventType": "FIRST_COME",
        "status": "RECEIVED",
        "requestedAt": TIME.format(0),
        "idempotencyKey": f"IDEMP#e1#{user}",
        **more,
    }


def queued(request_id, user, time):
    """Document 002, §6: what a request has for the two indexes once it is queued."""
    return {
        "queuedAt": time,
        "GSI1PK": f"USER#{user}",
        "GSI1SK": f"QAT#{time}#REQ#{request_id}",
        "GSI2PK": "EVENT#e1",
        "GSI2SK": f"QAT#{time}#REQ#{request_id}",
    }


def lock(user, request_id):
    """Document 002, §7, with the request that a duplicate is told of."""
    return {
        "PK": f"IDEMP#e1#{user}",
        "SK": "LOCK",
        "eventId": "e1",
        "userId": user,
        "requestId": request_id,
        "createdAt": TIME.format(0),
    }


def get(pk, sk):
    return table.get_item(Key={"PK": pk, "SK": sk})["Item"]


def of_index(number, pk):
    """Document 002, §6: `GSI1PK = USER#userId` and `GSI2PK = EVENT#eventId`, in the order of queuing."""
    return table.query(
        IndexName=f"GSI{number}",
        KeyConditionExpression=f"GSI{number}PK = :pk AND begins_with(GSI{number}SK, :queued)",
        ExpressionAttributeValues={":pk": pk, ":queued": "QAT#"},
    )["Items"]


def log_of(request_id):
    """Document 002, §9: `PK = REQ#requestId`, `SK = LOG#occurredAt`."""
    return table.query(
        KeyConditionExpression="PK = :pk AND begins_with(SK, :log)",
        ExpressionAttributeValues={":pk": f"REQ#{request_id}", ":log": "LOG#"},
    )["Items"]


def take_place(event="e1"):
    """Document 002, §8: one place less, on condition that `capacityRemaining > 0`."""
    return {
        "Key": {"PK": f"EVENT#{event}", "SK": "CAPACITY"},
        "UpdateExpression": "SET capacityRemaining = capacityRemaining - :one, updatedAt = :now",
        "ConditionExpression": "capacityRemaining > :none",
        "ExpressionAttributeValues": {":one": 1, ":none": 0, ":now": TIME.format(9)},
    }


def move(request_id, before, after, **more):
    """Document 002, §5: from one status to the next, with the attributes that come with it.

    `status` is a reserved word of DynamoDB, so the name has to be an alias.
    """
    sets = ["#status = :to", *(f"{name} = :{name}" for name in more)]
    return {
        "Key": {"PK": f"REQ#{request_id}", "SK": "META"},
        "UpdateExpression": f"SET {', '.join(sets)}",
        "ConditionExpression": "#status = :from",
        "ExpressionAttributeNames": {"#status": "status"},
        "ExpressionAttributeValues": {":from": before, ":to": after, **{f":{name}": more[name] for name in more}},
    }


def what_the_server_writes():
    for request_id, user in [(SECOND, "u2"), (FIRST, "u1")]:
        fields = {"requestId": request_id, "eventId": "e1", "userId": user, "eventType": "FIRST_COME"}
        made = entry.create("Request", **fields)
        found = get(f"REQ#{request_id}", "META")
        equal(found, request(request_id, user, requestedAt=made["requestedAt"]))
        equal(of_index(1, f"USER#{user}"), [])
    for request_id, time in [(FIRST, TIME.format(1)), (SECOND, TIME.format(2))]:
        entry.change("Request", request_id, status="QUEUED", queuedAt=time)
    first = get(f"REQ#{FIRST}", "META")
    wanted = request(FIRST, "u1", status="QUEUED", **queued(FIRST, "u1", TIME.format(1)))
    equal(without(first, "requestedAt"), without(wanted, "requestedAt"))
    equal(of_index(1, "USER#u1"), [first])
    equal([item["requestId"] for item in of_index(2, "EVENT#e1")], [FIRST, SECOND])

    made = entry.create("IdempotencyLock", eventId="e1", userId="u1", requestId=FIRST)
    # §7: of two requests the first holds the lock, and the second is told of it.
    duplicate = {"Item": lock("u1", SECOND), "ConditionExpression": "attribute_not_exists(PK)"}
    refused("ConditionalCheckFailedException", table.put_item, **duplicate)
    equal(get("IDEMP#e1#u1", "LOCK"), {**lock("u1", FIRST), "createdAt": made["createdAt"]})

    entry.create("EventCapacity", eventId="e1", capacityTotal=2, capacityRemaining=2)
    for left in [1, 0]:
        table.update_item(**take_place())
        equal(entry.get("EventCapacity", "e1")["capacityRemaining"], left)
    refused("ConditionalCheckFailedException", table.update_item, **take_place())
    capacity = {"eventId": "e1", "capacityTotal": 2, "capacityRemaining": 0, "updatedAt": TIME.format(9)}
    equal(get("EVENT#e1", "CAPACITY"), {"PK": "EVENT#e1", "SK": "CAPACITY", **capacity})

    for seq, (before, after) in enumerate([("RECEIVED", "QUEUED"), ("QUEUED", "PROCESSING")]):
        change = {"requestId": FIRST, "occurredAt": TIME.format(1), "seq": seq, "from": before, "to": after}
        entry.create("RequestStatusLog", **change)
    # Two changes in one instant would have one key in the document; a number keeps them apart.
    keys = [item["SK"] for item in log_of(FIRST)]
    equal(keys, [f"LOG#{TIME.format(1)}#0000", f"LOG#{TIME.format(1)}#0001"])
    equal([item["to"] for item in log_of(FIRST)], ["QUEUED", "PROCESSING"])


def what_boto3_writes():
    # §7, then §5: the lock decides, and only who has it makes a request.
    table.put_item(Item=lock("u3", THIRD), ConditionExpression="attribute_not_exists(PK)")
    table.put_item(Item=request(THIRD, "u3"), ConditionExpression="attribute_not_exists(PK)")
    equal(entry.get("IdempotencyLock", "e1", "u3"), record("IdempotencyLock", lock("u3", THIRD)))
    equal(entry.pattern("lock", eventId="e1", userId="u3")[0]["requestId"], THIRD)
    twice = {"eventId": "e1", "userId": "u3", "requestId": SECOND}
    status, answer = call("POST", entry.entity("IdempotencyLock"), twice)
    equal((status, answer["code"]), (409, "already_exists"))
    equal(entry.get("Request", THIRD), record("Request", request(THIRD, "u3")))
    equal(entry.pattern("requestsOfUser", userId="u3"), [])

    # §5 and §6: queued, with its place in both indexes.
    index = queued(THIRD, "u3", TIME.format(0))
    table.update_item(**move(THIRD, "RECEIVED", "QUEUED", **index))
    shown = record("Request", request(THIRD, "u3", status="QUEUED", queuedAt=TIME.format(0)))
    equal(entry.get("Request", THIRD), shown)
    equal(entry.pattern("request", requestId=THIRD), [shown])
    equal(entry.pattern("requestsOfUser", userId="u3"), [shown])
    equal([item["requestId"] for item in entry.pattern("requestsOfEvent", eventId="e1")], [THIRD, FIRST, SECOND])

    # §8: the capacity of another event, of which each takes a place.
    capacity = {"eventId": "e2", "capacityTotal": 2, "capacityRemaining": 2, "updatedAt": TIME.format(0)}
    table.put_item(Item={"PK": "EVENT#e2", "SK": "CAPACITY", **capacity})
    equal(entry.get("EventCapacity", "e2"), {"$entity": "EventCapacity", **capacity})
    equal(entry.pattern("capacity", eventId="e2"), [{"$entity": "EventCapacity", **capacity}])
    entry.change("EventCapacity", "e2", capacityRemaining={"$add": -1})
    table.update_item(**take_place("e2"))
    refused("ConditionalCheckFailedException", table.update_item, **take_place("e2"))
    status, answer = call("PATCH", entry.entity("EventCapacity", "e2"), {"capacityRemaining": {"$add": -1}})
    equal((status, answer["code"]), (409, "rule_broken"))
    equal(get("EVENT#e2", "CAPACITY")["capacityRemaining"], 0)

    # §9, with the number that keeps two changes apart.
    change = {"requestId": THIRD, "occurredAt": TIME.format(0), "seq": 0, "from": "RECEIVED", "to": "QUEUED"}
    table.put_item(Item={"PK": f"REQ#{THIRD}", "SK": f"LOG#{TIME.format(0)}#0000", **change})
    told = {"$entity": "RequestStatusLog", **change}
    equal(entry.pattern("requestLog", requestId=THIRD), [told])
    equal(entry.pattern("requestWithLog", requestId=THIRD), [shown, told])

    # And the server goes on from there.
    entry.change("Request", THIRD, status="PROCESSING", startedAt=TIME.format(3))
    found = get(f"REQ#{THIRD}", "META")
    equal(found, request(THIRD, "u3", status="PROCESSING", startedAt=TIME.format(3), **index))

    # §8: SUCCEEDED or REJECTED, and §5: why a request failed.
    table.update_item(**move(THIRD, "PROCESSING", "SUCCEEDED", finishedAt=TIME.format(4)))
    refused("ConditionalCheckFailedException", table.update_item, **move(THIRD, "PROCESSING", "REJECTED"))
    done = {"startedAt": TIME.format(3), "finishedAt": TIME.format(4), "status": "SUCCEEDED"}
    equal(entry.get("Request", THIRD), {**shown, **done})
    failure = {"failureClass": "RETRYABLE", "errorCode": "FAILED_WORKER", "errorMessage": "시간 초과"}
    table.update_item(**move(FIRST, "QUEUED", "PROCESSING", startedAt=TIME.format(3)))
    table.update_item(**move(FIRST, "PROCESSING", "FAILED_FINAL", finishedAt=TIME.format(4), **failure))
    found = entry.get("Request", FIRST)
    equal({name: found[name] for name in ["status", *failure]}, {"status": "FAILED_FINAL", **failure})
    # What is decided stays decided, whoever did it.
    status, answer = call("PATCH", entry.entity("Request", THIRD), {"status": "REJECTED"})
    equal((status, answer["code"]), (409, "wrong_state"))

    # Without the number the key is that of the document alone, which Hansang does not take for an entry:
    # it is listed as a raw item with its problem, and `hansang table verify` names it.
    table.put_item(Item={"PK": f"REQ#{THIRD}", "SK": f"LOG#{TIME.format(4)}", **without(change, "seq")})
    first, raw = entry.pattern("requestLog", requestId=THIRD)
    equal(first, told)
    equal((raw["$item"]["SK"]["S"], raw["$problems"][0]["field"]), (f"LOG#{TIME.format(4)}", "PK"))


what_the_server_writes()
what_boto3_writes()
