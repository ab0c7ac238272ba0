"""content: document 000."""

from both import RESOURCE, System, equal, ok, record, refused, without

content = System("content")
# Document 000, §1. Its code in §3.2 says `AppTable`, for which §0 gives this name.
table = RESOURCE.Table("FMWebAppTable")

# Document 000, §2.1 to §2.6: the example items, to the letter.
USER = {
    "PK": "USER#u001",
    "SK": "METADATA",
    "Type": "User",
    "id": "u001",
    "displayName": "김대연",
    "role": "admin",
    "CreatedAt": "2025-11-14T03:00:00Z",
}
CATEGORY = {
    "PK": "CATEGORY#c001",
    "SK": "METADATA",
    "Type": "Category",
    "id": "c001",
    "title": "회사 소식",
    "desc": "보도자료 및 공지",
    "CreatedAt": "2025-11-10T01:00:00Z",
    "UpdatedAt": "2025-11-10T01:00:00Z",
}
POST = {
    "PK": "CATEGORY#c001",
    "SK": "POST#p001",
    "Type": "Post",
    "id": "p001",
    "categoryId": "c001",
    "authorId": "u001",
    "title": "2025년 3월 사업보고서",
    "contents": "Markdown contents...",
    "CreatedAt": "2025-11-12T05:00:00Z",
    "UpdatedAt": "2025-11-12T05:30:00Z",
}
BANNER = {
    "PK": "BANNER#bn001",
    "SK": "METADATA",
    "Type": "Banner",
    "id": "bn001",
    "title": "2025 신규 프로젝트",
    "desc": "지금 문의하기",
    "imgUri": "https://cdn.fm-web/banner/bn001.png",
    "btn1Text": "자세히 보기",
    "btn2Text": "문의하기",
    "CreatedAt": "2025-11-13T09:00:00Z",
    "UpdatedAt": "2025-11-13T09:00:00Z",
}
CORP_INFO = {
    "PK": "CORP#INFO",
    "SK": "METADATA",
    "Type": "CorpInfo",
    "id": "corp-info",
    "name": "패밀리매니지먼트",
    "address": "서울특별시 ...",
    "email": "contact@family.com",
    "fax": "+82-2-000-0000",
    "corpNum": "123-45-67890",
    "CreatedAt": "2025-11-14T00:00:00Z",
    "UpdatedAt": "2025-11-14T00:00:00Z",
}
CONTACT_INQUIRY = {
    "PK": "CONTACT#inq001",
    "SK": "METADATA",
    "Type": "ContactInquiry",
    "id": "inq001",
    "name": "홍길동",
    "email": "user@example.com",
    "company": "패밀리매니지먼트",
    "title": "팀장",
    "referral": "search",
    "subject": "협업 문의",
    "message": "협업 관련해서 문의드립니다.",
    "status": "new",
    "notifiedEmail": "contact@family.com",
    "CreatedAt": "2025-11-15T09:00:00Z",
    "UpdatedAt": "2025-11-15T09:00:00Z",
}
EXAMPLES = [USER, CATEGORY, POST, BANNER, CORP_INFO, CONTACT_INQUIRY]
TIMES = ("CreatedAt", "UpdatedAt")


def key(item):
    """The key of an example in the address of its record."""
    if item["Type"] == "CorpInfo":
        return []
    return [item["categoryId"], item["id"]] if item["Type"] == "Post" else [item["id"]]


def holds(found, expected):
    """The example is in what was found, which may have more attributes."""
    equal({name: found.get(name) for name in expected}, expected)


def api(method, path, body=None, revision=None):
    """An operation of the system: of these entities it alone writes the items."""
    headers = {} if revision is None else {"if-match": f'"{revision}"'}
    return ok(method, f"/api/content/{path}", body, headers)


def one(**parameters):
    items = table.query(**parameters)["Items"]
    equal(len(items), 1)
    return items[0]


def newest_first(kind):
    """Document 000, §3.2, `KeyConditionExpression: 'Type = :type'`, from newest to oldest.

    `Type` is a reserved word of DynamoDB, so the name has to be an alias.
    """
    return table.query(
        IndexName="Type_CreatedAt",
        KeyConditionExpression="#Type = :type",
        ExpressionAttributeNames={"#Type": "Type"},
        ExpressionAttributeValues={":type": kind},
        ScanIndexForward=False,
    )["Items"]


def what_the_server_writes():
    """The examples, made by the operations of the system. Returns the ids that it generated."""
    api("POST", "users", without(USER, "PK", "SK", "Type", *TIMES))
    api("POST", "categories", without(CATEGORY, "PK", "SK", "Type", *TIMES))
    post = without(POST, "PK", "SK", "Type", *TIMES)
    api("POST", "posts", post)
    second = api("POST", "posts", {**post, "id": "p002", "title": "둘째"})
    banner = api("POST", "banners", without(BANNER, "PK", "SK", "Type", "id", *TIMES))["id"]
    api("PUT", "company", without(CORP_INFO, "PK", "SK", "Type", "id", *TIMES), revision=0)
    inquiry = without(CONTACT_INQUIRY, "PK", "SK", "Type", "id", "status", "notifiedEmail", *TIMES)
    consent = api("GET", "consent")["version"]
    inquiry = api("POST", "inquiries", {**inquiry, "consentVersion": consent})["id"]

    # Document 000, §4.2, row by row.
    keys = {"KeyConditionExpression": "PK = :pk AND SK = :sk"}
    for item in [USER, CATEGORY, CORP_INFO]:
        values = {":pk": item["PK"], ":sk": item["SK"]}
        for consistent in [False, True]:  # §8: `ConsistentRead: true`
            found = one(**keys, ExpressionAttributeValues=values, ConsistentRead=consistent)
            holds(found, without(item, *TIMES))
            equal([len(found[time]) for time in TIMES], [len("YYYY-MM-DDTHH:mm:ssZ")] * 2)  # §5
    posts = table.query(
        KeyConditionExpression="PK = :pk AND begins_with(SK, :prefix)",
        ExpressionAttributeValues={":pk": "CATEGORY#c001", ":prefix": "POST#"},
    )["Items"]
    equal([post["SK"] for post in posts], ["POST#p001", "POST#p002"])
    holds(posts[0], without(POST, *TIMES))
    post = one(
        KeyConditionExpression="PK = :categoryPk AND SK = :postSk",
        ExpressionAttributeValues={":categoryPk": "CATEGORY#c001", ":postSk": "POST#p001"},
    )
    equal(post, posts[0])
    for kind, generated in [("Banner", banner), ("ContactInquiry", inquiry)]:
        (item,) = newest_first(kind)
        example = next(item for item in EXAMPLES if item["Type"] == kind)
        # The company is told by mail, in the background.
        holds(item, without(example, "PK", "id", "notifiedEmail", *TIMES))
        equal((item["id"], item["PK"]), (generated, example["PK"].split("#")[0] + "#" + generated))
    for item in [USER, CATEGORY, CORP_INFO]:
        (found,) = newest_first(item["Type"])
        holds(found, without(item, *TIMES))
    equal(sorted(found["id"] for found in newest_first("Post")), ["p001", "p002"])
    equal(posts[1]["CreatedAt"], second["createdAt"])
    # The expression of §3.2 as it stands there is refused, by Amazon too.
    refused(
        "ValidationException",
        table.query,
        IndexName="Type_CreatedAt",
        KeyConditionExpression="Type = :type",
        ExpressionAttributeValues={":type": "Banner"},
    )
    # Makes room for the items of the document: what stays moves to another category.
    api("DELETE", "posts/p001", revision=1)
    api("POST", "categories", {"id": "c002", "title": "둘째 분류"})
    api("POST", "posts/p002/move", {"categoryId": "c002"})
    api("DELETE", "categories/c001")
    return banner, inquiry


def what_boto3_writes(banner, inquiry):
    for item in EXAMPLES:
        table.put_item(Item=item)
    # The user of the document has no UpdatedAt: it was last changed when it was made.
    whole = [{"UpdatedAt": item["CreatedAt"], **item} for item in EXAMPLES]
    shown = {item["Type"]: record(item["Type"], item) for item in whole}
    for item in EXAMPLES:
        equal(content.get(item["Type"], *key(item)), shown[item["Type"]])
    equal(content.pattern("user", id="u001"), [shown["User"]])
    equal(content.pattern("category", id="c001"), [shown["Category"]])
    equal(content.pattern("postsInCategory", categoryId="c001")[0], shown["Post"])
    equal(content.pattern("post", categoryId="c001", id="p001"), [shown["Post"]])
    equal(content.pattern("banner", id="bn001"), [shown["Banner"]])
    equal(content.pattern("corpInfo"), [shown["CorpInfo"]])
    equal(content.pattern("contactInquiry", id="inq001"), [shown["ContactInquiry"]])
    # Newest first: what the server wrote just now is newer.
    equal([listed["id"] for listed in content.pattern("banners")], [banner, "bn001"])
    equal([listed["id"] for listed in content.pattern("posts")], ["p002", "p001"])
    equal(content.pattern("users"), [shown["User"]])
    equal([listed["id"] for listed in content.pattern("categories")], ["c002", "c001"])
    equal([listed["id"] for listed in content.pattern("contactInquiries")], [inquiry, "inq001"])

    # The server changes what boto3 wrote, and boto3 reads it.
    api("PUT", "banners/bn001", {"title": "바뀐 제목", "imgUri": BANNER["imgUri"]}, revision=0)
    changed = table.get_item(Key={"PK": "BANNER#bn001", "SK": "METADATA"})["Item"]
    holds(changed, {"title": "바뀐 제목", "imgUri": BANNER["imgUri"], "CreatedAt": BANNER["CreatedAt"]})
    api("POST", "inquiries/inq001/status", {"status": "in_progress"}, revision=0)
    changed = table.get_item(Key={"PK": "CONTACT#inq001", "SK": "METADATA"})["Item"]
    holds(changed, without({**CONTACT_INQUIRY, "status": "in_progress"}, "UpdatedAt"))

    # The document has no way to a post by its id alone, so its items lack the pointer that Hansang has for it:
    # the post is not found so, and `hansang table verify` names it. Nothing else about it is different.
    equal(content.pattern("postById", id="p001"), [])
    equal([post["id"] for post in content.pattern("postById", id="p002")], ["p002"])


what_boto3_writes(*what_the_server_writes())
