"""ledger: document 001."""

import urllib.parse

from both import RESOURCE, System, equal, ok, record, refused, without

ledger = System("ledger")
table = RESOURCE.Table("AssetManager")

MONTHS = [f"{year}.{month:02}" for year in (2025, 2026) for month in range(1, 13)]

# Document 001, §1.1 to §1.6: the codes, the months written out.
CODES = {
    "YEAR_MONTH": MONTHS,
    "NAME": ["배우자1", "배우자2"],
    "INCOME_TYPE": ["월급", "상여", "기타수입"],
    "FIXED_EXPENSE_TYPE": ["대출", "주거", "통신", "곗돈", "구독"],
    "LIVING_EXPENSE_CATEGORY": ["식비", "교통비", "의료비", "문화생활", "기타"],
}
ACCOUNT_CODES = {
    "현금확보용적금": ["적금1", "적금2", "적금3"],
    "투자용": ["청약", "연금저축", "주식", "코인"],
    "단기저축용": ["운동", "여행", "경조비"],
}

TIMES = {"createdAt": "2025-01-01T00:00:00Z", "updatedAt": "2025-01-01T00:00:00Z"}

# Document 001, §2.1 to §3.2: the example items, to the letter, by their entity and with their key's fields.
EXAMPLES = [
    ("Income", ["yearMonth", "name", "incomeType"], {
        "PK": "INCOME#2025.01", "SK": "배우자1#월급", "amount": 3500000, "name": "배우자1",
        "incomeType": "월급", "yearMonth": "2025.01", **TIMES}),
    ("FixedExpense", ["yearMonth", "expenseType"], {
        "PK": "FIXED_EXPENSE#2025.01", "SK": "대출", "amount": 800000, "expenseType": "대출",
        "yearMonth": "2025.01", **TIMES}),
    ("LivingExpense", ["yearMonth", "category"], {
        "PK": "LIVING_EXPENSE#2025.01", "SK": "식비", "amount": 500000, "category": "식비",
        "yearMonth": "2025.01", **TIMES}),
    ("Savings", ["yearMonth", "accountName"], {
        "PK": "SAVINGS#2025.01", "SK": "적금1", "amount": 500000, "accountName": "적금1",
        "accountType": "현금확보용적금", "yearMonth": "2025.01", **TIMES}),
    ("Investment", ["yearMonth", "accountName"], {
        "PK": "INVESTMENT#2025.01", "SK": "주식", "amount": 1000000, "accountName": "주식",
        "accountType": "투자용", "yearMonth": "2025.01", **TIMES}),
    ("ShortSavings", ["yearMonth", "accountName", "transactionType"], {
        "PK": "SHORT_SAVINGS#2025.01", "SK": "운동#적립", "amount": 100000, "accountName": "운동",
        "transactionType": "적립", "yearMonth": "2025.01", **TIMES}),
    ("MonthlySummary", ["yearMonth"], {
        "PK": "MONTHLY_SUMMARY#2025.01", "SK": "TOTALS", "yearMonth": "2025.01", "totalIncome": 7000000,
        "totalExpense": 2300000, "totalSavings": 1500000, "totalInvestment": 1000000,
        "totalShortSavings": 200000, "netAsset": 2000000, **TIMES}),
    ("AccumulatedAssets", ["yearMonth"], {
        "PK": "ACCUMULATED_ASSETS#2025.01", "SK": "BALANCES", "yearMonth": "2025.01",
        "cashAccumulated": 15000000, "investmentAccumulated": 8000000,
        "shortSavingsBalances": {"운동": 500000, "여행": 800000, "경조비": 300000}, **TIMES}),
]
BY_ENTITY = {entity: item for entity, _, item in EXAMPLES}


def key(names, item):
    return [item[name] for name in names]


def of_partition(pk):
    """Document 001, queries 2 to 4: `PK = "…"`. A value can only stand in an expression by a name."""
    return table.query(KeyConditionExpression="PK = :pk", ExpressionAttributeValues={":pk": pk})["Items"]


def of_key(pk, sk):
    """Document 001, queries 1 and 5: `PK = "…" AND SK = "…"`."""
    return table.query(
        KeyConditionExpression="PK = :pk AND SK = :sk", ExpressionAttributeValues={":pk": pk, ":sk": sk}
    )["Items"]


def of_month(month):
    """Document 001, query 6, on the index of its section on indexes: one month of it."""
    return table.query(
        IndexName="yearMonth-PK-index",
        KeyConditionExpression="yearMonth = :month",
        ExpressionAttributeValues={":month": month},
    )["Items"]


def without_times(item):
    return without(item, *TIMES)


def holds_document(found, *entities):
    """The example items are among these, but for the times and the number of the last change."""
    shown = [without(without_times(item), "carrySeq") for item in found]
    for entity in entities:
        if without_times(BY_ENTITY[entity]) not in shown:
            raise AssertionError(f"\n   found {shown!r}\nexpected {BY_ENTITY[entity]!r}")


def what_boto3_writes():
    for kind, codes in [*CODES.items(), ("ACCOUNT_TYPE", ACCOUNT_CODES)]:
        table.put_item(Item={"PK": f"CODE#{kind}", "SK": "METADATA", "codes": codes})
    for _, _, item in EXAMPLES:
        table.put_item(Item=item)
    lists = [{"$entity": "CodeList", "codeType": kind, "codes": codes} for kind, codes in CODES.items()]
    # The server offers months ahead of the current one.
    for shown in lists[1:]:
        equal(ledger.get("CodeList", shown["codeType"]), shown)
        equal(ledger.pattern("codeList", codeType=shown["codeType"]), [shown])
    equal([shown["codeType"] for shown in ledger.pattern("codeLists")], list(CODES))
    equal(ledger.get("AccountCodes"), {"$entity": "AccountCodes", "codes": ACCOUNT_CODES})
    equal(ledger.pattern("accountCodes"), [{"$entity": "AccountCodes", "codes": ACCOUNT_CODES}])

    shown = {entity: record(entity, item) for entity, item in BY_ENTITY.items()}
    for entity, names, item in EXAMPLES:
        equal(ledger.get(entity, *key(names, item)), shown[entity])
    for pattern, entities in [
        ("monthIncome", ["Income"]),
        ("monthExpenses", ["FixedExpense", "LivingExpense"]),
        ("monthSavings", ["Savings", "Investment"]),
        ("monthShortSavings", ["ShortSavings"]),
        ("monthlySummary", ["MonthlySummary"]),
        ("accumulatedAssets", ["AccumulatedAssets"]),
        ("dashboard", ["MonthlySummary", "AccumulatedAssets"]),
    ]:
        equal(ledger.pattern(pattern, yearMonth="2025.01"), [shown[entity] for entity in entities])
    year = {"from": "2025.01", "to": "2025.12"}
    entries = [entity for entity in shown if entity not in ("MonthlySummary", "AccumulatedAssets")]
    by_pk = sorted(entries, key=lambda entity: BY_ENTITY[entity]["PK"])
    equal(ledger.pattern("period", **year), [shown[entity] for entity in by_pk])
    equal(ledger.pattern("periodSummaries", **year), [shown["MonthlySummary"]])
    equal(ledger.pattern("periodBalances", **year), [shown["AccumulatedAssets"]])
    for _, _, item in EXAMPLES:
        table.delete_item(Key={"PK": item["PK"], "SK": item["SK"]})


# Entries that make up the totals of the document's example, beside its own.
MORE = [
    ("INCOME", "배우자2", "월급", 3500000),
    ("FIXED_EXPENSE", "주거", None, 1000000),
    ("SAVINGS", "적금2", None, 1000000),
    ("SHORT_SAVINGS", "여행", "적립", 100000),
]
OPENING = {
    "cashAccumulated": 13500000,
    "investmentAccumulated": 7000000,
    "shortSavingsBalances": {"운동": 400000, "여행": 700000, "경조비": 300000},
}


def enter(month, kind, name, detail, amount):
    entry = {"kind": kind, "name": name, "amount": amount, **({"detail": detail} if detail else {})}
    ok("POST", f"/api/ledger/months/{month}/entries", entry)


def what_the_server_writes():
    for kind, codes in CODES.items():
        ok("PUT", f"/api/ledger/codes/{kind}", {"codes": codes})
    ok("PUT", "/api/ledger/accounts", {"accounts": ACCOUNT_CODES})
    ok("PUT", "/api/ledger/opening", OPENING)
    for entity, names, item in EXAMPLES[:6]:
        month, name, *detail = key(names, item)
        enter(month, item["PK"].split("#")[0], name, detail[0] if detail else None, item["amount"])
    for entry in MORE:
        enter("2025.01", *entry)
    enter("2025.12", "INCOME", "배우자2", "상여", 1)

    for kind, codes in [*list(CODES.items())[1:], ("ACCOUNT_TYPE", ACCOUNT_CODES)]:  # query 1
        equal(of_key(f"CODE#{kind}", "METADATA"), [{"PK": f"CODE#{kind}", "SK": "METADATA", "codes": codes}])
    holds_document(of_partition("INCOME#2025.01"), "Income")  # query 2
    # Queries 3 and 4 are two queries each: a partition key takes no `OR`.
    holds_document(of_partition("FIXED_EXPENSE#2025.01"), "FixedExpense")
    holds_document(of_partition("LIVING_EXPENSE#2025.01"), "LivingExpense")
    holds_document(of_partition("SAVINGS#2025.01"), "Savings")
    holds_document(of_partition("INVESTMENT#2025.01"), "Investment")
    refused(
        "ValidationException",
        table.query,
        KeyConditionExpression="PK = :fixed OR PK = :living",
        ExpressionAttributeValues={":fixed": "FIXED_EXPENSE#2025.01", ":living": "LIVING_EXPENSE#2025.01"},
    )
    holds_document(of_partition("SHORT_SAVINGS#2025.01"), "ShortSavings")
    holds_document(of_key("MONTHLY_SUMMARY#2025.01", "TOTALS"), "MonthlySummary")  # query 5
    holds_document(of_key("ACCUMULATED_ASSETS#2025.01", "BALANCES"), "AccumulatedAssets")
    # Query 6 is one query a month: a partition key takes no `BETWEEN`. The sort key of the index is PK.
    refused(
        "ValidationException",
        table.query,
        IndexName="yearMonth-PK-index",
        KeyConditionExpression="yearMonth BETWEEN :from AND :to",
        ExpressionAttributeValues={":from": "2025.01", ":to": "2025.12"},
    )
    period = {item["PK"] for month in MONTHS[:12] for item in of_month(month)}
    year = [f"{kind}#2025.12" for kind in ("INCOME", "MONTHLY_SUMMARY", "ACCUMULATED_ASSETS")]
    missing = {item["PK"] for item in BY_ENTITY.values()}.union(year) - period
    equal(missing, set())

    # Each adds to what the other wrote. A recalculation keeps what has lines.
    entry = "/".join(urllib.parse.quote(part) for part in ("INCOME", "배우자1", "월급"))
    table.update_item(
        Key={"PK": "INCOME#2025.01", "SK": "배우자1#월급"},
        UpdateExpression="ADD amount :more",
        ExpressionAttributeValues={":more": 10},
    )
    added = ok("POST", f"/api/ledger/months/2025.01/entries/{entry}/add", {"amount": 1})
    equal((added["amount"], of_partition("INCOME#2025.01")[0]["amount"]), (3500011, 3500011))
    differences = ok("POST", "/api/ledger/recalculate", {"from": "2025.01"})["problems"]
    equal(len(differences) > 0, True)
    equal(ok("POST", "/api/ledger/recalculate", {"check": True})["problems"], [])
    equal(of_partition("INCOME#2025.01")[0]["amount"], 3500001)


what_boto3_writes()
what_the_server_writes()
