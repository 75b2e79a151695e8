"""How outcomes were drawn in records from before they said so themselves: for verify.py alone."""

CLUE_CARDS = [suit + rank for suit in "SHDC" for rank in "1234"] + ["JK"]
ANIMALS = "lion crocodile eagle snake crow hyena toad cuckoo chameleon water_deer".split()
CHARACTERS = "gravity push delete offer with union mirror copy reset silence".split()
SUITS = "anchor hook cannon key chest map oracle sword kraken mermaid".split()
VARIANTS = "thieves_island pile_o_treasure sudden_death all_hands_on_deck strange_lands beneath_the_waves".split()
TRAITS = (
    "golden_scales casanova plunderer treasure_hunter navigator master_gunner scavenger mystic swordsman miser "
    "captains_hook safe_harbor fisherman beastmaster misfire parry davy_jones siren"
).split()


def drawn(kind, told, record):
    """Nothing for what was picked from a discard pile: only the rules know what lay there."""
    seats = record["seats"]
    match kind:
        case "roll" | "start_roll":
            return [{"dice": len(told["dice"])}]
        case "first_seat":
            return [{"below": seats}]
        case "deck":
            return [{"shuffle": CLUE_CARDS if record["game"] == "hogu-clue" else loot(record["options"])}]
        case "traits":
            on_offer = TRAITS if record["options"]["mermaid_rules"] else TRAITS[:-1]
            return [{"sample": {"of": on_offer, "many": sum(map(len, told))}}]
        case "game_variant":
            return [{"one_of": VARIANTS}]
        case "animals":
            return [{"shuffle": ANIMALS}]
        case "characters":
            return [{"sample": {"of": CHARACTERS, "many": seats}}]
        case "draft_order":
            return [{"shuffle": list(range(seats))}]
    return []


def loot(options):
    """Of each suit's six cards the lowest is not in the pile. Mermaids are higher, but for one option."""
    higher = {} if options["mermaid_rules"] else {"mermaid": 2}
    return [f"{suit}-{value + higher.get(suit, 0)}" for suit in SUITS for value in range(3, 8)]
