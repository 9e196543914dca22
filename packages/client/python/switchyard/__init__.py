"""A client of the Switchyard API. Requires only Python 3.9 or later."""

import json
import os
import time
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPRedirectHandler, Request, build_opener

from .generated import Operations

LOCAL = "http://127.0.0.1:3100"
TEMPORARY = (429, 502, 503, 504)


class Refused(Exception):
    """The service refused a request. `code` and `details` are for programs, the message is for people."""

    def __init__(self, status, answer):
        super().__init__(f"{status} {answer.get('error', 'the service refused the request')}")
        self.status = status
        self.code = answer.get("code")
        self.details = answer.get("details")


class Page(list):
    """A page of a list. `next_cursor` is the `cursor` of the next page, or None."""

    next_cursor = None


class _NoRedirects(HTTPRedirectHandler):
    # Follows no redirect, because a redirect would send the token to another address.
    def redirect_request(self, *_):
        return None


class Client(Operations):
    """Without arguments, connects as the current run or, outside a run, to a local installation."""

    def __init__(self, base_url=None, token=None, timeout=60):
        if base_url is None:
            base_url = os.environ.get("SERVICE_API_URL", LOCAL)
            token = token or os.environ.get("SERVICE_API_KEY")
        self.base_url = base_url.rstrip("/")
        self.token = token
        self.timeout = timeout
        self._opener = build_opener(_NoRedirects)

    def call(self, method, path, query=None, body=None, headers=None):
        given = {name: _text(value) for name, value in (query or {}).items() if value is not None}
        url = self.base_url + path + (f"?{urlencode(given)}" if given else "")
        data = None if body is None else json.dumps(body).encode()
        sent = {"Accept": "application/json", **(headers or {})}
        if data is not None:
            sent["Content-Type"] = "application/json"
        if self.token:
            sent["Authorization"] = f"Bearer {self.token}"
        request = Request(url, data, sent, method=method)
        try:
            with self._opener.open(request, timeout=self.timeout) as response:
                return _read(response)
        except HTTPError as error:
            with error:
                raise Refused(error.code, _answer(error.read())) from None

    def all(self, operation, *args, **query):
        """Yields the items of every page: `client.all(client.list_issues, company_id)`."""
        while True:
            page = operation(*args, **query)
            yield from page
            if page.next_cursor is None:
                return
            query["cursor"] = page.next_cursor

    def wait_for_issue(self, issue_id):
        """Returns the issue once it is done or cancelled."""
        read = lambda: self.get_issue(issue_id, wait=25, until="ended")
        return _read_until(read, lambda issue: issue["status"] in ("done", "cancelled"), 0)

    def wait_for_run(self, run_id):
        """Returns the run once it has ended with any status."""
        read = lambda: self.get_heartbeat_run(run_id)
        return _read_until(read, lambda run: run["finishedAt"] is not None, 1)


def _read_until(read, is_over, pause_sec):
    connected = False
    while True:
        pause = pause_sec
        try:
            found = read()
            if is_over(found):
                return found
            connected = True
        except Refused as error:
            if error.status not in TEMPORARY:
                raise
            pause = 1
        except (OSError, HTTPException):
            if not connected:
                raise
            pause = 1
        time.sleep(pause)


def _text(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(value) if isinstance(value, (list, tuple)) else str(value)


def _read(response):
    content = response.read()
    if not content:
        return None
    value = json.loads(content)
    if not isinstance(value, list):
        return value
    page = Page(value)
    page.next_cursor = response.headers.get("X-Next-Cursor")
    return page


def _answer(content):
    try:
        answer = json.loads(content)
    except ValueError:
        return {}
    return answer if isinstance(answer, dict) else {}
