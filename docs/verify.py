#!/usr/bin/env python3
"""Draws the chance of a finished match again from its record, by docs/fairness.md and with Python's standard library alone.

    python3 docs/verify.py RECORD.json [--commitment HEX]

HEX is the commitment that you saw before the match started. Without it a record only agrees with itself.

Exit status 0: the commitment is the one that you saw and the hash of the seed, and every outcome in the log is what the seed gives.
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


# What is shuffled or picked from, in the order of the games' documents.
CLUE_CARDS = [suit + rank for suit in "SHDC" for rank in "1234"] + ["JK"]
ANIMALS = "lion crocodile eagle snake crow hyena toad cuckoo chameleon water_deer".split()
CHARACTERS = "gravity push delete offer with union mirror copy reset silence".split()
SUITS = "anchor hook cannon key chest map oracle sword kraken mermaid".split()
VARIANTS = "thieves_island pile_o_treasure sudden_death all_hands_on_deck strange_lands beneath_the_waves".split()
TRAITS = (
    "golden_scales casanova plunderer treasure_hunter navigator master_gunner scavenger mystic swordsman miser "
    "captains_hook safe_harbor fisherman beastmaster misfire parry davy_jones siren"
).split()


def roll(told, _record, below):
    """As many dice as the log says that the seat rolled; dice under a cup have no order and are listed rising."""
    return {"seat": told["seat"], "dice": sorted(below(6) + 1 for _ in told["dice"])}


def first_seat(_told, record, below):
    return below(record["seats"])


def deck(_told, record, below):
    if record["game"] == "hogu-clue":
        return shuffle(CLUE_CARDS, below)
    # Dead Man's Draw: of each suit's six cards the lowest is not in the pile. Mermaids are higher, but for one option.
    higher = {} if record["options"]["mermaid_rules"] else {"mermaid": 2}
    values = {suit: range(3 + higher.get(suit, 0), 8 + higher.get(suit, 0)) for suit in SUITS}
    return shuffle([f"{suit}-{value}" for suit in SUITS for value in values[suit]], below)


def traits(told, record, below):
    on_offer = TRAITS if record["options"]["mermaid_rules"] else TRAITS[:-1]
    each = len(told[0])
    dealt = sample(on_offer, each * record["seats"], below)
    return [dealt[at : at + each] for at in range(0, len(dealt), each)]


# How an outcome of each kind is drawn. What the rules decide and not chance (who rolls, and how many dice) is taken from the
# log; `rules verify` replays the rules as well.
KINDS = {
    "roll": roll,
    "start_roll": roll,
    "first_seat": first_seat,
    "deck": deck,
    "traits": traits,
    "game_variant": lambda _told, _record, below: VARIANTS[below(len(VARIANTS))],
    "animals": lambda _told, _record, below: shuffle(ANIMALS, below),
    "characters": lambda _told, record, below: sample(CHARACTERS, record["seats"], below),
    "draft_order": lambda _told, record, below: shuffle(range(record["seats"]), below),
}
# Picked from a discard pile, and only the rules know what lies there.
LEFT_TO_THE_RULES = {"map_reveal", "bonus"}


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
    outcomes = [entry["chance"] for entry in record["log"] if "chance" in entry]
    left = 0
    for index, outcome in enumerate(outcomes):
        ((kind, told),) = outcome.items()
        if kind in LEFT_TO_THE_RULES:
            left += 1
            continue
        if kind not in KINDS:
            raise SystemExit(f"outcome {index}: this script does not know how {kind} is drawn")
        drawn = KINDS[kind](told, record, numbers(seed, record["nonces"], index))
        if drawn != told:
            raise SystemExit(f"outcome {index}: the log says {kind} {told}, the seed gives {drawn}")
    print(f"{record['match_id']}: the commitment holds, and so do {len(outcomes) - left} of {len(outcomes)} outcomes")
    if left:
        print(f"{left} were picked from a discard pile: `rules verify` checks them")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 4) or sys.argv[2:3] not in ([], ["--commitment"]):
        raise SystemExit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        verify(json.load(file), *sys.argv[3:])
