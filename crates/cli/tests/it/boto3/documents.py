"""documents: document 003."""

from both import RESOURCE, System, call, equal, ok, send, without

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


API = "/api/documents"


def has(item, expected):
    """An item has at least these attributes: the system keeps more beside those of the document."""
    equal({name: item.get(name) for name in expected}, expected)


def ids(items, name):
    return [item[name] for item in items]


def what_the_server_writes():
    p1, p2 = (ok("POST", f"{API}/projects", {"name": "계약서"}) for _ in range(2))
    for made in (p1, p2):
        keys = {"GSI1PK": "PROJECTS", "GSI1SK": made["created_at"], "name": "계약서", "status": "active"}
        has(by_key(f"PROJ#{made['project_id']}", "META"), keys)
    one, two = p1["project_id"], p2["project_id"]
    equal(ids(in_time_order("GSI1", "PROJECTS"), "project_id"), [one, two])

    sent = [send("PUT", f"{API}/projects/{one}/files/{name}", b"a text", "text/plain") for name in ("a.txt", "b.txt")]
    d1, d2 = (answer["document"] for answer in sent)
    keys = {"GSI1PK": f"PROJ#{one}#DOC", "GSI1SK": d1["created_at"], "name": "a.txt", "file_type": "text/plain"}
    has(by_key(f"PROJ#{one}", f"DOC#{d1['document_id']}"), keys)
    equal(ids(in_time_order("GSI1", f"PROJ#{one}#DOC"), "document_id"), [d1["document_id"], d2["document_id"]])

    # A second run of the first document, so that there are two workflows.
    d1_path = f"{API}/projects/{one}/documents/{d1['document_id']}"
    ok("POST", f"{d1_path}/cancel")
    w1 = sent[0]["workflow"]
    w2 = ok("POST", f"{d1_path}/reprocess", {})
    w1_id, w2_id = w1["workflow_id"], w2["workflow_id"]
    has(by_key(f"DOC#{d1['document_id']}", f"WF#{w1_id}"), {"status": "failed", "file_name": "a.txt"})
    equal(ids(begins_with(f"DOC#{d1['document_id']}", "WF#"), "workflow_id"), [w1_id, w2_id])

    def claim(kind):
        while True:
            claimed = ok("POST", f"{API}/steps/claim", {"names": [kind], "processor": "story"})
            lease = claimed["lease"]
            path = f"{API}/steps/{lease['workflow_id']}/{kind}"
            if lease["workflow_id"] == w2_id:
                return path, lease["attempt"]
            ok("POST", f"{path}/complete", {"processor": "story", "attempt": lease["attempt"]})

    path, attempt = claim("prepare")
    ok("POST", f"{path}/complete", {"processor": "story", "attempt": attempt})
    path, attempt = claim("parse")
    lines = "".join(f'{{"segment_index": {index}, "content": "쪽 {index}"}}\n' for index in (10, 2)).encode()
    send("POST", f"{path}/segments?processor=story&attempt={attempt}", lines, "application/x-ndjson")
    has(by_key(f"WF#{w2_id}", "SEG#000002"), {"segment_index": 2, "content": "쪽 2"})
    equal(ids(begins_with(f"WF#{w2_id}", "SEG#"), "segment_index"), [2, 10])

    artifacts = [
        send("POST", f"{API}/projects/{project}/artifacts?filename=a.md", b"# a", "text/markdown")
        for project in (one, two)
    ]
    a1, a2 = (made["artifact_id"] for made in artifacts)
    user = artifacts[0]["user_id"]
    has(by_key(f"ART#{a1}", "META"), {"filename": "a.md", "content_type": "text/markdown", "file_size": 3})
    equal(ids(in_time_order("GSI1", f"USR#{user}#ART"), "artifact_id"), [a1, a2])
    equal(ids(in_time_order("GSI2", f"USR#{user}#PROJ#{one}#ART"), "artifact_id"), [a1])
    equal(ids(in_time_order("GSI2", f"USR#{user}#PROJ#{two}#ART"), "artifact_id"), [a2])
    for project in (one, two):
        ok("DELETE", f"{API}/projects/{project}")
    # Nothing of them is left.
    left = [item for item in table.scan()["Items"] if one in str(item) or two in str(item)]
    equal(left, [])


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

    # The server goes on from there, by its own operations, and the indexes with it.
    changed = ok("POST", f"{API}/projects/x1/archive", {"archived": True}, {"If-Match": '"0"'})
    equal((changed["status"], changed["revision"]), ("archived", 1))
    expected = {**project("x1", 1), "status": "archived", "revision": 1}
    equal(without(table.get_item(Key={"PK": "PROJ#x1", "SK": "META"})["Item"], "updated_at"), without(expected, "updated_at"))
    equal(call("DELETE", documents.entity("Artifact", "x1"))[0], 405)
    ok("DELETE", f"{API}/projects/x2")
    equal(ids(in_time_order("GSI1", "PROJECTS"), "project_id"), ["x1"])

    # Without the six digits the key is that of the document alone, which Hansang does not take for a segment:
    # it is listed after the records as a raw item with its problem, and `hansang table verify` names it.
    table.put_item(Item={**segment("x1", 3, 3), "SK": "SEG#3"})
    *segments, raw = documents.pattern("segmentsOfWorkflow", workflow_id="x1")
    equal(ids(segments, "segment_index"), [10, 20])
    equal((raw["$item"]["SK"]["S"], raw["$problems"][0]["field"]), ("SEG#3", "PK"))
    equal(call("GET", documents.entity("Segment", "x1", 3))[0], 404)


what_the_server_writes()
what_boto3_writes()
