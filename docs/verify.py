#!/usr/bin/env python3
"""Draws the chance of a finished match again from its record, by docs/fairness.md and with Python's standard library alone.

    python3 docs/verify.py RECORD.json [--commitment HEX]

HEX is the commitment that you saw before the match started. Without it a record only agrees with itself.

Exit status 0: the commitment is the one that you saw and the hash of the seed, and every outcome in the log is what the seed gives.
"""

import hashlib
import hmac
import json
import pathlib
import sys

sys.dont_write_bytecode = True
import old_records

DOMAIN = b"house-rules/chance/1"
PIECES = pathlib.Path(__file__).with_name("pieces.json")


def numbers(seed, nonces, index):
    """The stream of outcome `index`: a function that gives the next number below n."""
    said = b""
    for nonce in nonces:
        text = (nonce or "").encode()
        said += len(text).to_bytes(4, "big") + text
    prefix = DOMAIN + hashlib.sha256(said).digest() + index.to_bytes(8, "big")

    def words():
        block = 0
        while True:
            bytes_ = hmac.new(seed, prefix + block.to_bytes(4, "big"), hashlib.sha256).digest()
            for at in range(0, 32, 4):
                yield int.from_bytes(bytes_[at : at + 4], "big")
            block += 1

    stream = words()

    def below(n):
        unbiased = 2**32 // n * n
        for word in stream:
            if word < unbiased:
                return word % n

    return below


def shuffle(items, below):
    """Fisher and Yates, from the last place down."""
    items = list(items)
    for last in range(len(items) - 1, 0, -1):
        other = below(last + 1)
        items[last], items[other] = items[other], items[last]
    return items


def sample(items, many, below):
    """So many different items, in the order drawn."""
    items = list(items)
    for place in range(min(many, len(items))):
        other = place + below(len(items) - place)
        items[place], items[other] = items[other], items[place]
    return items[:many]


def draw(how, below):
    """What one way of drawing gives, as a list."""
    ((way, of),) = how.items()
    match way:
        case "below":
            return [below(of)]
        case "dice":
            return sorted(below(6) + 1 for _ in range(of))
        case "shuffle":
            return shuffle(of, below)
        case "one_of":
            return [of[below(len(of))]]
        case "sample":
            return sample(of["of"], of["many"], below)
    raise SystemExit(f"this script does not know what {way} is")


def in_order(how, pieces):
    """Are the items in the order that was known before the seed: numbers rising, others as in pieces.json?"""
    ((_, of),) = how.items()
    items = of["of"] if isinstance(of, dict) else of
    if not isinstance(items, list):
        return True
    places = [item if isinstance(item, int) else pieces.index(item) if item in pieces else -1 for item in items]
    return all(one < other for one, other in zip([-1] + places, places))


def leaves(told):
    """Everything in an outcome but whose it is, in order."""
    if isinstance(told, dict):
        return [leaf for key, value in told.items() if key != "seat" for leaf in leaves(value)]
    if isinstance(told, list):
        return [leaf for value in told for leaf in leaves(value)]
    return [told]


def variant_hash(game, revision, options):
    """What tells one set of rules from another, by docs/variants.md."""
    named = {"game": game, "revision": revision, "options": options}
    text = json.dumps(named, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(("house-rules/variant/1" + text).encode()).hexdigest()


def verify(record, seen=None):
    if seen is not None and record["commitment"] != seen.lower():
        raise SystemExit(f"the record is of another commitment than the one that was seen: {record['commitment']}")
    seed = bytes.fromhex(record["seed"])
    if hashlib.sha256(seed).hexdigest() != record["commitment"]:
        raise SystemExit("the commitment is not the SHA-256 of the seed")
    rules = variant_hash(record["game"], record["revision"], record["options"])
    if record.get("variant_hash", rules) != rules:
        raise SystemExit("the variant's hash is not that of the game and its options")
    with open(PIECES, encoding="utf-8") as file:
        pieces = json.load(file).get(record["game"], [])
    outcomes = [entry for entry in record["log"] if "chance" in entry]
    for index, entry in enumerate(outcomes):
        ((kind, told),) = entry["chance"].items()
        ways = entry.get("drawn") or old_records.drawn(kind, told, record)
        for how in ways:
            if not in_order(how, pieces):
                raise SystemExit(f"outcome {index}: {kind} is not drawn from its pieces in their order")
        below = numbers(seed, record["nonces"], index)
        drawn = [leaf for how in ways for leaf in draw(how, below)]
        if ways and drawn != leaves(told):
            raise SystemExit(f"outcome {index}: the log says {kind} {told}, the seed gives {drawn}")
    print(f"{record['match_id']}: the commitment holds, and so do {len(outcomes)} outcomes")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 4) or sys.argv[2:3] not in ([], ["--commitment"]):
        raise SystemExit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        verify(json.load(file), *sys.argv[3:])
