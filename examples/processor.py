"""A processor of documents: it takes steps from a server, does them, and tells the results.

    pip install requests
    HANSANG_TOKEN=… python examples/processor.py http://127.0.0.1:8080

The token needs the role `editor` for documents. Run as many of these as you like, on any machines: a step is given to one of
them, and to another one if it stops sending heartbeats. This one reads texts and counts their words; put your own work into
the functions below.
"""

import json
import os
import sys
import threading
import time

import requests

# The kinds of steps that this processor does. `--documents-processors 0` leaves them all to processors like this one.
KINDS = ["prepare", "parse", "ocr", "build", "index", "summarise"]
NAME = f"example-{os.getpid()}"
# A lease ends after 60 seconds without a heartbeat.
BEAT = 20


class Lost(Exception):
    """Another processor has the step, or it has ended: what is left of the work is useless."""


class Server:
    def __init__(self, address, token):
        self.api = address.rstrip("/") + "/api/documents"
        self.session = requests.Session()
        self.session.headers["authorization"] = f"Bearer {token}"

    def call(self, method, path, **more):
        response = self.session.request(method, f"{self.api}/{path}", timeout=60, **more)
        if response.status_code == 409 and response.json()["code"] == "lease_lost":
            raise Lost
        response.raise_for_status()
        return response

    def claim(self):
        """A step that nobody else has; None if there is none now."""
        response = self.call("POST", "steps/claim", json={"names": KINDS, "processor": NAME})
        return Step(self, response.json()) if response.status_code == 200 else None


class Step:
    """A step under a lease."""

    def __init__(self, server, claimed):
        self.server, self.claimed = server, claimed
        self.kind = claimed["lease"]["name"]
        self.path = f"steps/{claimed['lease']['workflow_id']}/{self.kind}"
        self.lease = {"processor": NAME, "attempt": claimed["lease"]["attempt"]}

    def tell(self, verb, **more):
        return self.server.call("POST", f"{self.path}/{verb}", json={**self.lease, **more}).json()

    def write_segments(self, segments):
        """Writes any number of segments up to 10,000, as one stream of lines."""
        lines = ((json.dumps(segment) + "\n").encode() for segment in segments)
        kind = {"content-type": "application/x-ndjson"}
        self.server.call("POST", f"{self.path}/segments", params=self.lease, data=lines, headers=kind)

    def write_artifact(self, filename, content_type, content):
        """Stores a file for the user who uploaded the document."""
        lease = self.claimed["lease"]
        query = {**self.lease, "workflow_id": lease["workflow_id"], "step": self.kind, "filename": filename}
        project = self.claimed["project"]["project_id"]
        kind = {"content-type": content_type}
        self.server.call("POST", f"projects/{project}/artifacts", params=query, data=content, headers=kind)

    def file(self):
        document = self.claimed["document"]
        path = f"projects/{document['project_id']}/documents/{document['document_id']}/file"
        return self.server.call("GET", path).content

    def segments(self):
        """All segments that were written so far."""
        path, query = f"workflows/{self.claimed['lease']['workflow_id']}/segments", {"limit": 1000}
        while True:
            page = self.server.call("GET", path, params=query).json()
            yield from page["items"]
            if page["next"] is None:
                return
            query["cursor"] = page["next"]

    def keep(self):
        """Sends heartbeats until the returned event is set."""
        over = threading.Event()

        def beat():
            while not over.wait(BEAT):
                try:
                    self.tell("heartbeat")
                except (Lost, requests.RequestException) as problem:
                    print(f"heartbeat: {problem!r}", file=sys.stderr)

        threading.Thread(target=beat, daemon=True).start()
        return over


def parse(step):
    """One segment for each paragraph."""
    text = step.file().decode("utf-8", errors="replace")
    paragraphs = [paragraph.strip() for paragraph in text.split("\n\n") if paragraph.strip()] or [""]
    total = len(paragraphs)
    step.tell("heartbeat", done=0, total=total, note="writing")
    step.write_segments(
        {"segment_index": index, "segment_type": "TEXT", "content": paragraph, "texts": {"parsed": paragraph}}
        for index, paragraph in enumerate(paragraphs)
    )
    step.tell("heartbeat", done=total, total=total)
    return {"total_segments": total}


def summarise(step):
    """The first line, and an artifact with the number of words."""
    contents = [segment.get("content", "") for segment in step.segments()]
    words = sum(len(content.split()) for content in contents)
    step.write_artifact("words.txt", "text/plain", f"{words} words\n".encode())
    first = next((content for content in contents if content), "")
    return {"summary": first.splitlines()[0]} if first else {}


def do(step):
    over = step.keep()
    try:
        if step.kind == "ocr":
            step.tell("skip", reason="this processor recognises no text")
            return
        done = {"parse": parse, "summarise": summarise}.get(step.kind, lambda _: {})(step)
        step.tell("complete", **done)
    except Lost:
        print(f"{step.path}: the lease was lost", file=sys.stderr)
    except Exception as problem:  # The run has to end with a reason, whatever went wrong.
        step.tell("fail", error=repr(problem)[:2000], retry=isinstance(problem, requests.RequestException))
    finally:
        over.set()


def main():
    server = Server(sys.argv[1], os.environ["HANSANG_TOKEN"])
    until_idle = "--until-idle" in sys.argv
    while True:
        step = server.claim()
        if step:
            print(f"{step.kind} of {step.claimed['document']['name']}", flush=True)
            do(step)
        elif until_idle:
            return
        else:
            time.sleep(2)


if __name__ == "__main__":
    main()
