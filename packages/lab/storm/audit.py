"""Compares the journal of a storm with the database: audit.py <journal.jsonl> <state.json>."""

import json
import sys
from collections import Counter, defaultdict

ENDED = {"succeeded", "failed", "timed_out", "cancelled"}


def read_journal(path):
    """Returns the requests by key: operation, token, and the set of their ends."""
    requests = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            entry = json.loads(line)
            request = requests.setdefault(
                entry["key"], {"op": entry["op"], "token": entry["token"], "ends": [], "ids": set()}
            )
            if entry["phase"] != "invoke":
                request["ends"].append(entry["phase"])
            if entry.get("id"):
                request["ids"].add(entry["id"])
    return requests


def audit(requests, state):
    """Yields one sentence per fault."""
    runs = {run["id"]: run for run in state["runs"]}
    issues = {issue["id"]: issue for issue in state["issues"]}
    copies = Counter(issue["title"] for issue in state["issues"])
    wakes = Counter()
    for run in state["runs"]:
        for reason in run["wake_reasons"]:
            wakes[reason["reason"]] += 1

    for key, request in requests.items():
        token, ends = request["token"], request["ends"]
        made = wakes[token] if request["op"] == "invoke" else copies[token]
        if len(request["ids"]) > 1:
            yield f"doubled: key {key} was answered with {sorted(request['ids'])}"
        if "ok" in ends:
            known = runs if request["op"] == "invoke" else issues
            for one in request["ids"] - known.keys():
                yield f"lost: {request['op']} {one} was accepted and has no row"
            if made != 1:
                yield f"lost or doubled: {request['op']} {key} was accepted and is stored {made} times"
        elif "fail" in ends and made:
            yield f"refused, and stored {made} times: {request['op']} {key}"
        elif made > 1:
            yield f"doubled: {request['op']} {key} is stored {made} times"

    ends = {row["run"]: row["ends"] for row in state["ends"]}
    starts = {row["run"]: row["starts"] for row in state["starts"]}
    costs = {row["run"]: row for row in state["costs"]}
    spent = 0
    for run in state["runs"]:
        one = run["id"]
        if run["status"] not in ENDED:
            yield f"open: run {one} is {run['status']}"
        elif ends.get(one, 0) != 1:
            yield f"run {one} ended {ends.get(one, 0)} times"
        if starts.get(one, 0) > 1:
            yield f"run {one} started {starts[one]} times"
        cost = costs.get(one, {"events": 0, "cents": 0})
        spent += cost["cents"]
        if cost["cents"] != run["cents"]:
            yield f"run {one} counts {run['cents']} cents, its events {cost['cents']}"
        if cost["events"] > run["epoch"]:
            yield f"run {one} was claimed {run['epoch']} times and reported {cost['events']} costs"
        if run["status"] == "succeeded" and cost["events"] < 1:
            yield f"run {one} succeeded without its cost"
    month = state["months"][0]["cents"] or 0
    if month != spent:
        yield f"the month counts {month} cents, the events {spent}"
    for wake in state["wakes"]:
        yield f"wake {wake['id']} is {wake['status']}"
    for row in state["overlaps"]:
        yield f"agent {row['agent_id']} has several running runs"
    for row in state["violated"]:
        yield f"invariant {row['violated']} is violated by {row['id']}"


def main():
    """Prints counts and faults; exits with 1 if there are faults."""
    requests = read_journal(sys.argv[1])
    with open(sys.argv[2], encoding="utf-8") as file:
        state = defaultdict(list, json.load(file))
    faults = list(audit(requests, state))
    ops = defaultdict(int)
    for request in requests.values():
        ops[request["op"]] += 1
    taken = sum(run["epoch"] > 1 for run in state["runs"])
    kinds = Counter(run["status"] for run in state["runs"])
    print(f"  audited: {dict(ops)}; runs {dict(kinds)}, {taken} taken over")
    for fault in faults[:40]:
        print(f"  {fault}")
    print(f"  faults: {len(faults)}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
