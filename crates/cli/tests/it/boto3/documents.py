"""documents: document 003."""

from both import RESOURCE, System, call, equal, without

documents = System("documents")
# The document names no table; this is the name of the model.
table = RESOURCE.Table("IdpBackendTable")

TIME = "2026-11-16T00:00:0{}.000Z"


def times(second):
    return {"created_at": TIME.format(second), "updated_at": TIME.format(second)}


def project(project_id, second):
    """Document 003, `Project`: its key and its place in the list of all projects."""
    return {
        "PK": f"PROJ#{project_id}", "SK": "META", "GSI1PK": "PROJECTS", "GSI1SK": TIME.format(second),
        "project_id": project_id, "name": "계약서", "status": "active", "created_by": "u1", **times(second),
    }


def document(project_id, document_id, second):
    """Document 003, `Document`."""
    return {
        "PK": f"PROJ#{project_id}", "SK": f"DOC#{document_id}", "GSI1PK": f"PROJ#{project_id}#DOC",
        "GSI1SK": TIME.format(second), "project_id": project_id, "document_id": document_id, "name": "a.pdf",
        "file_type": "application/pdf", "file_size": 1024, "status": "pending", **times(second),
    }


def workflow(document_id, workflow_id, second):
    """Document 003, `Workflow`."""
    return {
        "PK": f"DOC#{document_id}", "SK": f"WF#{workflow_id}", "document_id": document_id,
        "workflow_id": workflow_id, "status": "pending", "file_name": "a.pdf", **times(second),
    }


def segment(workflow_id, index, second):
    """Document 003, `Segment`, with six digits in the key: `SEG#10` would come before `SEG#2`."""
    return {
        "PK": f"WF#{workflow_id}", "SK": f"SEG#{index:06}", "workflow_id": workflow_id, "segment_index": index,
        "content": f"쪽 {index}", **times(second),
    }


def artifact(artifact_id, user_id, project_id, second):
    """Document 003, `Artifact`: in both indexes."""
    return {
        "PK": f"ART#{artifact_id}", "SK": "META", "GSI1PK": f"USR#{user_id}#ART", "GSI1SK": TIME.format(second),
        "GSI2PK": f"USR#{user_id}#PROJ#{project_id}#ART", "GSI2SK": TIME.format(second),
        "artifact_id": artifact_id, "user_id": user_id, "project_id": project_id, "filename": "a.md",
        "content_type": "text/markdown", "file_size": 12, "s3_key": f"artifacts/{artifact_id}", **times(second),
    }


KEYS = ["PK", "SK", "GSI1PK", "GSI1SK", "GSI2PK", "GSI2SK"]


def shown(entity, item):
    return {"$entity": entity, **without(item, *KEYS)}


def by_key(pk, sk):
    """`PK = …, SK = …`, as every entity of the document is read."""
    values = {":pk": pk, ":sk": sk}
    query = table.query(KeyConditionExpression="PK = :pk AND SK = :sk", ExpressionAttributeValues=values)
    equal(query["Items"], [table.get_item(Key={"PK": pk, "SK": sk})["Item"]])
    return query["Items"][0]


def begins_with(pk, prefix):
    """`PK = …, SK begins_with …`, the lists of workflows and of segments."""
    return table.query(
        KeyConditionExpression="PK = :pk AND begins_with(SK, :prefix)",
        ExpressionAttributeValues={":pk": pk, ":prefix": prefix},
    )["Items"]


def in_time_order(index, pk):
    """`GSI1PK = …` and `GSI2PK = …`, in the order of time."""
    return table.query(
        IndexName=index, KeyConditionExpression=f"{index}PK = :pk", ExpressionAttributeValues={":pk": pk}
    )["Items"]


def create(entity, item):
    """Makes the record of an item over HTTP, and gives the item as it then must be, with the times of now."""
    made = documents.create(entity, **without(item, *KEYS, "created_at", "updated_at"))
    second = {name: made["created_at"] for name in ("GSI1SK", "GSI2SK") if name in item}
    return {**item, **second, "created_at": made["created_at"], "updated_at": made["updated_at"]}


def ids(items, name):
    return [item[name] for item in items]


def what_the_server_writes():
    p1, p2 = create("Project", project("p1", 0)), create("Project", project("p2", 0))
    equal(by_key("PROJ#p1", "META"), p1)
    equal(in_time_order("GSI1", "PROJECTS"), sorted([p1, p2], key=lambda item: item["GSI1SK"]))

    d1, d2 = (create("Document", document("p1", name, 0)) for name in ("d1", "d2"))
    equal(by_key("PROJ#p1", "DOC#d1"), d1)
    equal(in_time_order("GSI1", "PROJ#p1#DOC"), sorted([d1, d2], key=lambda item: item["GSI1SK"]))

    w1, w2 = (create("Workflow", workflow("d1", name, 0)) for name in ("w1", "w2"))
    equal(by_key("DOC#d1", "WF#w1"), w1)
    equal(begins_with("DOC#d1", "WF#"), [w1, w2])

    segments = [create("Segment", segment("w1", index, 0)) for index in (2, 10)]
    equal(by_key("WF#w1", "SEG#000002"), segments[0])
    equal(begins_with("WF#w1", "SEG#"), segments)

    a1, a2 = create("Artifact", artifact("a1", "u1", "p1", 0)), create("Artifact", artifact("a2", "u1", "p2", 0))
    equal(by_key("ART#a1", "META"), a1)
    equal(in_time_order("GSI1", "USR#u1#ART"), sorted([a1, a2], key=lambda item: item["GSI1SK"]))
    equal(in_time_order("GSI2", "USR#u1#PROJ#p1#ART"), [a1])
    equal(in_time_order("GSI2", "USR#u1#PROJ#p2#ART"), [a2])
    for name in ("p1", "p2"):
        documents.delete("Project", name)


def what_boto3_writes():
    # In another order than that of time.
    for second in (2, 1):
        name = f"x{second}"
        table.put_item(Item=project(name, second))
        table.put_item(Item=document("x1", name, second))
        table.put_item(Item=workflow("x1", name, second))
        table.put_item(Item=artifact(name, "u9", name, second))
        table.put_item(Item=segment("x1", 10 * second, second))
    equal(documents.get("Project", "x1"), shown("Project", project("x1", 1)))
    equal(documents.get("Document", "x1", "x2"), shown("Document", document("x1", "x2", 2)))
    equal(documents.get("Workflow", "x1", "x1"), shown("Workflow", workflow("x1", "x1", 1)))
    equal(documents.get("Segment", "x1", 10), shown("Segment", segment("x1", 10, 1)))
    equal(documents.get("Artifact", "x2"), shown("Artifact", artifact("x2", "u9", "x2", 2)))
    # Newest first, and the other way round.
    for order, names in [("descending", ["x2", "x1"]), ("ascending", ["x1", "x2"])]:
        asked = {} if order == "descending" else {"order": order}
        equal(ids(documents.pattern("projects", **asked), "project_id"), names)
        equal(ids(documents.pattern("documentsOfProject", project_id="x1", **asked), "document_id"), names)
        equal(ids(documents.pattern("workflowsOfDocument", document_id="x1", **asked), "workflow_id"), names)
        equal(ids(documents.pattern("artifactsOfUser", user_id="u9", **asked), "artifact_id"), names)
    equal(ids(documents.pattern("segmentsOfWorkflow", workflow_id="x1"), "segment_index"), [10, 20])
    in_project = documents.pattern("artifactsOfUserInProject", user_id="u9", project_id="x1")
    equal(in_project, [shown("Artifact", artifact("x1", "u9", "x1", 1))])
    for pattern, given, entity, item in [
        ("project", {"project_id": "x1"}, "Project", project("x1", 1)),
        ("document", {"project_id": "x1", "document_id": "x1"}, "Document", document("x1", "x1", 1)),
        ("workflow", {"document_id": "x1", "workflow_id": "x1"}, "Workflow", workflow("x1", "x1", 1)),
        ("segment", {"workflow_id": "x1", "segment_index": 20}, "Segment", segment("x1", 20, 2)),
        ("artifact", {"artifact_id": "x1"}, "Artifact", artifact("x1", "u9", "x1", 1)),
    ]:
        equal(documents.pattern(pattern, **given), [shown(entity, item)])

    # The server goes on from there, and the indexes with it.
    documents.change("Document", "x1", "x1", status="in_progress")
    changed = table.get_item(Key={"PK": "PROJ#x1", "SK": "DOC#x1"})["Item"]
    expected = {**document("x1", "x1", 1), "status": "in_progress"}
    equal(without(changed, "updated_at"), without(expected, "updated_at"))
    documents.delete("Artifact", "x1")
    equal(ids(in_time_order("GSI1", "USR#u9#ART"), "artifact_id"), ["x2"])

    # Without the six digits the key is that of the document alone, which Hansang does not take for a segment:
    # it is listed after the records as a raw item with its problem, and `hansang table verify` names it.
    table.put_item(Item={**segment("x1", 3, 3), "SK": "SEG#3"})
    *segments, raw = documents.pattern("segmentsOfWorkflow", workflow_id="x1")
    equal(ids(segments, "segment_index"), [10, 20])
    equal((raw["$item"]["SK"]["S"], raw["$problems"][0]["field"]), ("SEG#3", "PK"))
    equal(call("GET", documents.entity("Segment", "x1", 3))[0], 404)


what_the_server_writes()
what_boto3_writes()
