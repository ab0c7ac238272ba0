#!/usr/bin/env python3
"""Repeats the draw of a lottery from its proof, without any code of Hansang.

    python3 tools/verify_draw.py proof.json [--request ID] [--seed-hash HEX] [--entries-hash HEX]

It follows docs/entry.md, "Verifying a draw". Exit code 0 if the draw is what was promised, 4 if it is not or if the request
did not take part, and 2 if the file is not a proof.
"""

import argparse
import hashlib
import hmac
import json
import string
import sys


def seed_bytes(seed):
    """The 32 bytes of a seed, or None."""
    if len(seed) != 64 or any(digit not in string.hexdigits for digit in seed):
        return None
    return bytes.fromhex(seed)


def entries_hash(entries):
    """The SHA-256 of the ids, each followed by a line feed."""
    return hashlib.sha256(b"".join(entry.encode() + b"\n" for entry in entries)).hexdigest()


def winning(event_id, seed, entries, winners):
    """The ids with the lowest tickets, the lowest one first."""

    def ticket(entry):
        return hmac.new(seed, event_id.encode() + b"\n" + entry.encode(), hashlib.sha256).digest()

    return sorted(entries, key=lambda entry: (ticket(entry), entry.encode()))[:winners]


def problems(proof, args):
    """What is wrong with a proof."""
    entries = proof["entries"]
    in_bytes = [entry.encode() for entry in entries]
    seed = seed_bytes(proof["seed"])
    if seed is None:
        yield "the seed is not 64 hexadecimal digits"
        return
    if hashlib.sha256(seed).hexdigest() != proof["seedHash"]:
        yield "the seed does not match seedHash"
    if any(one >= other for one, other in zip(in_bytes, in_bytes[1:])):
        yield "the entries are not sorted, or one is listed twice"
    if entries_hash(entries) != proof["entriesHash"]:
        yield "the entries do not match entriesHash"
    if winning(proof["eventId"], seed, entries, proof["winners"]) != proof["winning"]:
        yield "repeating the draw gives other winners"
    if args.seed_hash and args.seed_hash.lower() != proof["seedHash"]:
        yield "seedHash is not the given one"
    if args.entries_hash and args.entries_hash.lower() != proof["entriesHash"]:
        yield "entriesHash is not the given one"
    if args.request and args.request not in entries:
        yield f"{args.request} did not take part"


def main():
    parser = argparse.ArgumentParser(description="Repeats the draw of a lottery from its proof.")
    parser.add_argument("file")
    parser.add_argument("--request", metavar="ID")
    parser.add_argument("--seed-hash", metavar="HEX")
    parser.add_argument("--entries-hash", metavar="HEX")
    args = parser.parse_args()
    try:
        with open(args.file, encoding="utf-8") as file:
            proof = json.load(file)
        found = list(problems(proof, args))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        print(f"{args.file} is not the proof of a draw: {error}", file=sys.stderr)
        return 2
    for problem in found:
        print(f"wrong: {problem}")
    if found:
        return 4
    if args.request:
        won = args.request in proof["winning"]
        print(f"{args.request} {'won' if won else 'took part and did not win'}")
    print(f"{proof['eventId']}: {len(proof['entries'])} entries give the same {len(proof['winning'])} winners")
    return 0


if __name__ == "__main__":
    sys.exit(main())
