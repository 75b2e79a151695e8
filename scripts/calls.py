"""What one look at a seat's view and one move cost: round trips to PostgreSQL, and microseconds of the server.

    calls.py URL PID

of a server whose Postgres counts statements; `scripts/bench` starts one. One client asks, one request after the other. Time is what
the server's own metrics say of the route, from the request's arrival to its answer, waiting for the database included; processor
time is the server's process alone, PostgreSQL's not included.
"""

import http.client
import json
import os
import random
import subprocess
import sys
import urllib.parse

MANY = 1000
COUNTS = (
    "SELECT s.queryid, sum(s.calls), sum(s.plans), sum(s.total_exec_time + s.total_plan_time), min(regexp_replace(left(s.query, 70), '\\s+', ' ', 'g'))"
    " FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid WHERE d.datname = current_database() GROUP BY 1"
)

url = urllib.parse.urlsplit(sys.argv[1])
link = http.client.HTTPConnection(url.hostname, url.port)


def ask(method, path, token=None, body=None):
    headers = {"content-type": "application/json"}
    if token:
        headers["authorization"] = f"Bearer {token}"
    link.request(method, path, body=json.dumps(body) if body is not None else None, headers=headers)
    answer = link.getresponse()
    text = answer.read().decode()
    if answer.status >= 300:
        sys.exit(f"{method} {path}: {answer.status} {text}")
    return text


class Moment:
    """All that was counted so far."""

    def __init__(self, route):
        rows = subprocess.run(["psql", "-AtF", "\t", "-c", COUNTS], check=True, capture_output=True, text=True).stdout
        self.statements = {}
        for key, calls, plans, spent, text in (row.split("\t", 4) for row in rows.splitlines()):
            self.statements[key] = (int(calls), int(plans), float(spent), text)
        self.seconds = self.requests = 0.0
        for line in ask("GET", "/metrics").splitlines():
            if f'route="{route}"' in line and line.startswith("http_request_seconds_sum{"):
                self.seconds += float(line.rsplit(" ", 1)[1])
            if f'route="{route}"' in line and line.startswith("http_request_seconds_count{"):
                self.requests += float(line.rsplit(" ", 1)[1])
        with open(f"/proc/{sys.argv[2]}/stat") as stat:
            user, system = stat.read().rsplit(")", 1)[1].split()[11:13]
        self.processor = (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


class Table:
    """Two guests who play one match after the other."""

    def __init__(self):
        names = ({"display_name": name} for name in ("Lucía", "하늘"))
        self.tokens = [json.loads(ask("POST", "/api/v1/auth/guest", body=it))["access_token"] for it in names]
        self.looks = 0
        self.start()

    def start(self):
        new = {"game": "perudo", "seats": 2}
        self.path = "/api/v1/matches/" + json.loads(ask("POST", "/api/v1/matches", self.tokens[0], new))["id"]
        for token in self.tokens:
            ask("POST", f"{self.path}/seats", token, {})
        ask("POST", f"{self.path}/start", self.tokens[0], {})

    def see(self, token):
        self.looks += 1
        return json.loads(ask("GET", f"{self.path}/view", token))

    def look(self):
        self.see(self.tokens[0])

    def play(self):
        while True:
            views = [(token, self.see(token)) for token in self.tokens]
            if views[0][1]["status"] == "running":
                break
            self.start()
        token, view = next(it for it in views if it[1]["legal_moves"])
        ask("POST", f"{self.path}/moves", token, {"move": random.choice(view["legal_moves"])})


def measure(name, route, act, count_looks, of_look=None):
    """Says what `act` costs; without what the looks cost that it takes, where that is known. Gives its own statements and its
    processor time."""
    for _ in range(MANY // 10):
        act()
    before, looks = Moment(route), count_looks()
    for _ in range(MANY):
        act()
    after, looks = Moment(route), count_looks() - looks
    others, cost_of_look = of_look or ((), 0)
    processor = (after.processor - before.processor - looks * cost_of_look) / MANY
    time = (after.seconds - before.seconds) / (after.requests - before.requests)
    print(f"{name}: {time * 1e6:.0f} µs, of them {processor * 1e6:.0f} µs of processor time")
    own = []
    for key, (calls, plans, spent, text) in after.statements.items():
        calls_before, plans_before, spent_before, _ = before.statements.get(key, (0, 0, 0.0, text))
        # What is done in the background is rare beside what every call does.
        if calls - calls_before >= MANY / 2 and key not in others:
            own.append(key)
            each = (spent - spent_before) * 1000 / (calls - calls_before)
            planned = (plans - plans_before) * 1000 / MANY
            print(f"  {(calls - calls_before) / MANY:.2f} times, {each:.0f} µs in PostgreSQL, planned {planned:.0f} times in 1000: {text}…")
    return own, processor


table = Table()
of_look = measure("GET view", "/api/v1/matches/{id}/view", table.look, lambda: 0)
measure("POST move", "/api/v1/matches/{id}/moves", table.play, lambda: table.looks, of_look)
