"""What docs/api.md lists of the code: limits, and the codes of errors.

`python -m support.docs.api_reference`, in tests/, writes both anew.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from kibitz.core.message import message
from kibitz.i18n import FALLBACK, say_in
from kibitz.server.http.errors import error_code
from kibitz.server.http.rate_limits import ADDRESS_SHARES, RATES
from kibitz.server.http.requests import GUEST_BUCKETS

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "api.md"
CODE = ROOT / "src" / "kibitz"
FOR_OPERATORS = {"settings", "run", "connect", "guests", "workers"}
"""These, and all of `admin`, speak to whoever runs the server, and not to who asks it."""
ELSEWHERE = {"server.other-secret", "table.allowed"}
"""And so does the first of these; the other is said where nothing is refused."""
STATUSES = {"Refused": 422}
OF_THE_LIMIT = {
    "pages": "every request that has no limit of its own",
    "open": "opening a table, seeking an opponent",
    "join": "accepting an invitation",
    "act": "actions, also over the socket; each action, and every 128 bytes, counts; moderating",
    "ask": "`explain`",
    "connect": "opening sockets and streams",
    "rename": "changing your name, creating a token",
    "export": "records",
    "analysis": "the analysis board",
    "think": "evaluations and analyses",
    "login": "attempts to log in that fail, registering",
    "login-name": "attempts at one account name from devices that never logged in there",
    "look": "KB of views sent again because you `look` or `unveil`",
    "chat": "chat messages",
    "mail": "confirming an address, a link to a new password; also where a host has no limits",
}


def limits() -> str:
    lines = [
        "| limit | at once | then, per second | counted per | applies to |",
        "|---|---|---|---|---|",
    ]
    for name, rate in RATES.items():
        by = "address"
        if name in GUEST_BUCKETS:
            by = f"person, and {ADDRESS_SHARES[name]:g} times as much per address"
        by = {"login-name": "account name", "mail": "address of the mail"}.get(name, by)
        about = OF_THE_LIMIT[name]
        lines.append(f"| `{name}` | {rate.burst:g} | {rate.per_second:.2g} | {by} | {about} |")
    return "\n".join(lines)


def errors() -> str:
    found: dict[str, set[int]] = {}
    for status, id in sorted(_error_messages()):
        if id in ELSEWHERE:
            continue
        found.setdefault(id, set()).add(status)
    lines = ["| code | status | message |", "|---|---|---|"]
    for id in sorted(found, key=lambda id: (not id.startswith("server."), id)):
        statuses = ", ".join(map(str, sorted(found[id])))
        lines.append(f"| `{error_code(message(id))}` | {statuses} | {_sentence(id)} |")
    return "\n".join(lines)


def _sentence(id: str) -> str:
    """With names for what it speaks of, as it stands in the catalogue."""
    text = (CODE / "i18n" / f"{FALLBACK}.po").read_text()
    found = re.search(
        rf'^msgid "{re.escape(id)}"\n(?:msgid_plural.*\n)?msgstr(?:\[0\])? "(.*)"', text, re.M
    )
    return found[1].replace('\\"', '"') if found else say_in(FALLBACK)(message(id))


def _error_messages() -> Iterator[tuple[int, str]]:
    """Every message that ends in an error, with its status."""
    for path in sorted((*CODE.glob("server/**/*.py"), *CODE.glob("table/*.py"))):
        if (path.stem in FOR_OPERATORS and path.parent.name != "tables") or "admin" in path.parts:
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call):
                yield from _in_call(node)
            elif isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple):
                yield from _in_pair(node.value.elts)
            elif isinstance(node, ast.FunctionDef) and node.name == "why_not":
                yield from _in_reasons(node)


def _in_call(call: ast.Call) -> Iterator[tuple[int, str]]:
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    if name == "HttpError":
        yield from _in_pair(call.args)
    elif name in STATUSES and call.args and (id := _id_of(call.args[0])):
        yield STATUSES[name], id


def _in_pair(parts: list[ast.expr]) -> Iterator[tuple[int, str]]:
    """A status and what is said with it."""
    match parts:
        case [ast.Constant(value=int(status)), said, *_] if id := _id_of(said):
            yield status, id


def _in_reasons(function: ast.FunctionDef) -> Iterator[tuple[int, str]]:
    """What it gives back is refused."""
    for node in ast.walk(function):
        if isinstance(node, ast.Return) and node.value and (id := _id_of(node.value)):
            yield STATUSES["Refused"], id


def _id_of(said: ast.expr) -> str:
    """Of a message whose id stands there."""
    match said:
        case ast.Call(func=ast.Name(id="message"), args=[ast.Constant(value=str(id)), *_]):
            return id
    return ""


SECTIONS = {"limits": limits, "errors": errors}


def with_lists(page: str) -> str:
    """The page with what it lists as it is today."""
    for name, made in SECTIONS.items():
        begins, ends = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
        before, _, rest = page.partition(begins)
        page = f"{before}{begins}{made()}\n{ends}{rest.partition(ends)[2]}"
    return page


if __name__ == "__main__":
    PAGE.write_text(with_lists(PAGE.read_text()))
