#!/usr/bin/env python3
"""Draws the chance of a finished match again from its record, by docs/fairness.md and with Python's standard library alone.

    python3 docs/verify.py RECORD.json

Exit status 0: the commitment is the hash of the seed, and every outcome in the log is what the seed gives.
"""

import hashlib
import hmac
import json
import sys

DOMAIN = b"house-rules/chance/1"


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


def roll(told, _record, below):
    """As many dice as the log says that the seat rolled; dice under a cup have no order and are listed rising."""
    return {"seat": told["seat"], "dice": sorted(below(6) + 1 for _ in told["dice"])}


def first_seat(_told, record, below):
    return below(record["seats"])


# How an outcome of each kind is drawn. What the rules decide and not chance (who rolls, and how many dice) is taken from the
# log; `rules verify` replays the rules as well.
KINDS = {"roll": roll, "start_roll": roll, "first_seat": first_seat}


def verify(record):
    seed = bytes.fromhex(record["seed"])
    if hashlib.sha256(seed).hexdigest() != record["commitment"]:
        raise SystemExit("the commitment is not the SHA-256 of the seed")
    outcomes = [entry["chance"] for entry in record["log"] if "chance" in entry]
    for index, outcome in enumerate(outcomes):
        ((kind, told),) = outcome.items()
        if kind not in KINDS:
            raise SystemExit(f"outcome {index}: this script does not know how {kind} is drawn")
        drawn = KINDS[kind](told, record, numbers(seed, record["nonces"], index))
        if drawn != told:
            raise SystemExit(f"outcome {index}: the log says {kind} {told}, the seed gives {drawn}")
    print(f"{record['match_id']}: the commitment holds, and so do all {len(outcomes)} outcomes")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        verify(json.load(file))
