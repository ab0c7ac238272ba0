"""content: document 000."""

from both import RESOURCE, System, equal, record, refused, without

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
    # The same records as in the examples, made over HTTP.
    for item in EXAMPLES:
        given = without(item, "PK", "SK", "Type", *TIMES)
        if item["Type"] == "CorpInfo":
            content.put("CorpInfo", **without(given, "id"))
        else:
            content.create(item["Type"], **given)
    content.create("Banner", id="bn002", title="둘째", imgUri="https://cdn.fm-web/banner/bn002.png")
    second = content.create("Post", id="p002", categoryId="c001", authorId="u001", title="둘째", contents="…")

    # Document 000, §4.2, row by row.
    keys = {"KeyConditionExpression": "PK = :pk AND SK = :sk"}
    for item in [USER, CATEGORY, CORP_INFO]:
        values = {":pk": item["PK"], ":sk": item["SK"]}
        for consistent in [False, True]:  # §8: `ConsistentRead: true`
            found = one(**keys, ExpressionAttributeValues=values, ConsistentRead=consistent)
            equal(without(found, *TIMES), without(item, *TIMES))
            equal([len(found[time]) for time in TIMES], [len("YYYY-MM-DDTHH:mm:ssZ")] * 2)  # §5
    posts = table.query(
        KeyConditionExpression="PK = :pk AND begins_with(SK, :prefix)",
        ExpressionAttributeValues={":pk": "CATEGORY#c001", ":prefix": "POST#"},
    )["Items"]
    equal([post["SK"] for post in posts], ["POST#p001", "POST#p002"])
    equal(without(posts[0], *TIMES), without(POST, *TIMES))
    post = one(
        KeyConditionExpression="PK = :categoryPk AND SK = :postSk",
        ExpressionAttributeValues={":categoryPk": "CATEGORY#c001", ":postSk": "POST#p001"},
    )
    equal(post, posts[0])
    equal(sorted(banner["id"] for banner in newest_first("Banner")), ["bn001", "bn002"])
    for item in EXAMPLES:
        of_type = [without(found, *TIMES) for found in newest_first(item["Type"])]
        equal(of_type.count(without(item, *TIMES)), 1)
    equal(posts[1]["CreatedAt"], second["CreatedAt"])
    # The expression of §3.2 as it stands there is refused, by Amazon too.
    refused(
        "ValidationException",
        table.query,
        IndexName="Type_CreatedAt",
        KeyConditionExpression="Type = :type",
        ExpressionAttributeValues={":type": "Banner"},
    )
    for item in EXAMPLES:
        content.delete(item["Type"], *key(item))


def what_boto3_writes():
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
    equal([banner["id"] for banner in content.pattern("banners")], ["bn002", "bn001"])
    equal([post["id"] for post in content.pattern("posts")], ["p002", "p001"])
    equal(content.pattern("users"), [shown["User"]])
    equal(content.pattern("categories"), [shown["Category"]])
    equal(content.pattern("contactInquiries"), [shown["ContactInquiry"]])

    # The server changes what boto3 wrote, and boto3 reads it.
    content.change("Banner", "bn001", title="바뀐 제목")
    changed = table.get_item(Key={"PK": "BANNER#bn001", "SK": "METADATA"})["Item"]
    equal(without(changed, "UpdatedAt"), {**without(BANNER, "UpdatedAt"), "title": "바뀐 제목"})
    content.change("ContactInquiry", "inq001", status="in_progress")
    changed = table.get_item(Key={"PK": "CONTACT#inq001", "SK": "METADATA"})["Item"]
    equal(changed["status"], "in_progress")
    content.change("Post", "c001", "p001", title="고친 보고서")
    changed = table.get_item(Key={"PK": "CATEGORY#c001", "SK": "POST#p001"})["Item"]
    equal(without(changed, "UpdatedAt"), {**without(POST, "UpdatedAt"), "title": "고친 보고서"})

    # The document has no way to a post by its id alone, so its items lack the pointer that Hansang has for it:
    # the post is not found so, and `hansang table verify` names it. Nothing else about it is different.
    equal(content.pattern("postById", id="p001"), [])
    equal([post["id"] for post in content.pattern("postById", id="p002")], ["p002"])
    content.delete("Post", "c001", "p001")
    table.put_item(Item=POST)


what_the_server_writes()
what_boto3_writes()
