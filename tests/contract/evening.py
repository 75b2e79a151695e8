"""An evening with a client that was generated from the OpenAPI document, and with nothing else known of the server: a match of
every game that is named, and a tournament. `python evening.py URL EMAIL PASSWORD GAME…` prints what tests/it/contract.rs compares.
"""

import json
import random
import sys
import uuid

from house_rules_client import AuthenticatedClient, Client, models
from house_rules_client.api.auth import create_guest, log_in
from house_rules_client.api.matches import create_match, find_match, find_record, find_view, list_events, play_move, start_match, take_seat
from house_rules_client.api.tournaments import (
    create_tournament,
    enter_tournament,
    find_tournament,
    finish_tournament,
    list_tournament_bracket,
    list_tournament_standings,
    open_tournament_check_in,
    check_in_myself,
    open_tournament_registration,
    pair_tournament,
    publish_round,
    start_next_stage,
    start_round,
    start_tournament,
    write_bout_result,
)
from house_rules_client.types import Unset

URL, EMAIL, PASSWORD, *GAMES = sys.argv[1:]
ANYBODY = Client(base_url=URL, raise_on_unexpected_status=True)


# A body that may be left out is passed as None: the generator sends its own word for "left out" otherwise.
def key():
    return str(uuid.uuid4())


def well(answer):
    if isinstance(answer, models.Problem):
        raise SystemExit(f"{answer.status} {answer.code}: {answer.detail}")
    assert answer is not None
    return answer


def bearing(signed_in):
    return AuthenticatedClient(base_url=URL, token=signed_in.access_token, raise_on_unexpected_status=True, timeout=40)


def guest(name):
    return bearing(well(create_guest.sync(client=ANYBODY, body=models.GuestRequest(display_name=name), idempotency_key=key())))


def typed(game, what):
    """The class that the document has for this word of the game: PerudoView."""
    name = "".join(part.capitalize() for part in game.split("-")) + what
    return getattr(models, name)


def of_game(game, what, value):
    """Read as what it is in this game, and written again: nothing is lost."""
    plain = value.to_dict()
    read = typed(game, what).from_dict(plain)
    assert read.to_dict() == plain, (game, what, plain, read.to_dict())
    return read


def play(game):
    players = [guest(name) for name in ("하늘", "Lucía", "Tom")]
    host = players[0]
    made = well(create_match.sync(client=host, body=models.NewMatchRequest(game=game, seats=len(players)), idempotency_key=key()))
    for player in players:
        well(take_seat.sync(made.id, client=player, body=models.SeatRequest(nonce="행운"), idempotency_key=key()))
    well(start_match.sync(made.id, client=host, idempotency_key=key()))
    moves = 0
    while True:
        for player in players:
            seen = well(find_view.sync(made.id, client=player))
            if seen.status != "running":
                break
            of_game(game, "View", seen.view)
            if seen.legal_moves:
                chosen = random.choice(seen.legal_moves)
                well(
                    play_move.sync(
                        made.id, client=player, body=models.MoveRequest(move=chosen, version=seen.version), idempotency_key=key()
                    )
                )
                moves += 1
        else:
            continue
        break
    over = well(find_match.sync(made.id, client=host))
    frames, after = [], -1
    while True:
        page = well(list_events.sync(made.id, client=host, after=after, limit=100))
        frames += page.items
        if page.next_ is None or isinstance(page.next_, Unset):
            break
        after = int(page.next_)
    record = well(find_record.sync(made.id, client=host))
    assert record.seed and record.commitment == made.commitment and record.log and len(record.nonces) == 3
    of_game(game, "Record", record)
    return {
        "game": game,
        "status": over.status,
        "version": over.version,
        "moves": moves,
        "frames": [frame.version for frame in frames],
        "record": record.to_dict(),
    }


def tournament():
    staff = bearing(well(log_in.sync(client=ANYBODY, body=models.LoginRequest(email=EMAIL, password=PASSWORD))))
    win = models.StagePointsWin(kind="win", win=100, draw=50, loss=0, bye=100)
    scoring = models.StageScoring(points=win)
    swiss = models.StagePlan(format_=models.StageFormatSwiss(kind="swiss", rounds=2), scoring=scoring, tie_breaks=["buchholz"], advance=2)
    final = models.StageFormatSingleElimination(kind="single_elimination", third_place=False)
    knockout = models.StagePlan(format_=final, scoring=scoring)
    request = models.TournamentRequest(name="금요일 대회", game="perudo", mode="scored", stages=[swiss, knockout])
    made = well(create_tournament.sync(client=staff, body=request, idempotency_key=key()))
    players = [guest(name) for name in ("하늘", "Lucía", "Tom", "민지", "Sofía")]
    steps, reasons, places = [], set(), set()
    whole = well(find_tournament.sync(made.id, client=staff))
    while whole.next_.step != "nothing":
        step, stage = whole.next_, whole.tournament.stage
        steps.append(step.step)
        match step:
            case models.TournamentNextOpenRegistration():
                well(open_tournament_registration.sync(made.id, client=staff, body=None, idempotency_key=key()))
                for player in players:
                    well(enter_tournament.sync(made.id, client=player, body=None, idempotency_key=key()))
            case models.TournamentNextOpenCheckIn():
                well(open_tournament_check_in.sync(made.id, client=staff, body=None, idempotency_key=key()))
                for player in players:
                    well(check_in_myself.sync(made.id, client=player, idempotency_key=key()))
            case models.TournamentNextStart():
                well(start_tournament.sync(made.id, client=staff, body=None, idempotency_key=key()))
            case models.TournamentNextPair():
                well(pair_tournament.sync(made.id, client=staff, body=None, idempotency_key=key()))
            case models.TournamentNextPublish():
                well(publish_round.sync(made.id, stage, step.round_, client=staff, body=None, idempotency_key=key()))
            case models.TournamentNextStartRound():
                well(start_round.sync(made.id, stage, step.round_, client=staff, body=None, idempotency_key=key()))
            case models.TournamentNextResults():
                enter_results(staff, made.id, whole)
            case models.TournamentNextNextStage():
                well(start_next_stage.sync(made.id, client=staff, body=None, idempotency_key=key()))
            case models.TournamentNextFinish():
                places |= {place.kind for bout in well(list_tournament_bracket.sync(made.id, 2, client=staff)).items for place in bout.places}
                well(finish_tournament.sync(made.id, client=staff, body=None, idempotency_key=key()))
        whole = well(find_tournament.sync(made.id, client=staff))
        reasons |= {reason.code for round_ in whole.rounds for bout in round_.bouts for reason in bout.reasons}
    standings = well(list_tournament_standings.sync(made.id, 2, client=staff)).items
    return {
        "status": whole.tournament.status,
        "steps": steps,
        "reasons": sorted(reasons),
        "places": sorted(places),
        "first": [standing.entrant for standing in standings if standing.rank == 1],
    }


def enter_results(staff, id_, whole):
    open_ = [bout for round_ in whole.rounds if round_.status == "running" and round_.stage == whole.tournament.stage for bout in round_.bouts]
    for bout in open_:
        if bout.result is None and len(bout.entrants) > 1:
            finishes = [models.TournamentFinish(entrant=entrant, place=place) for place, entrant in enumerate(bout.entrants, 1)]
            body = models.BoutResultRequest(finishes=finishes)
            well(write_bout_result.sync(id_, whole.tournament.stage, bout.key, client=staff, body=body, idempotency_key=key()))


print(json.dumps({"matches": [play(game) for game in GAMES], "tournament": tournament()}))
