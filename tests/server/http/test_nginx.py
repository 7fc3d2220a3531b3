"""What docs/hosting.md says to put around a server, as it is written there."""

from __future__ import annotations

import os
import re
import shutil
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from websockets.sync.client import connect

from kibitz.server.admin.doctor import run_checks
from kibitz.server.pages.table import qr_svg
from kibitz.server.settings import Settings
from support.cluster.servers import Daemon, Postgres, missing, postgres_program
from support.server_process import Guest, Page, Server
from support.stored_matches import keep

GUIDE = (Path(__file__).parents[3] / "docs" / "hosting.md").read_text()
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin") or ""
OPENSSL = shutil.which("openssl") or ""
SYSTEMD = shutil.which("systemd-analyze") or ""
FORM = {"game": "kalamala", "play": "device", "seat": "", "options": ""}

needs_nginx = pytest.mark.skipif(not (NGINX and OPENSSL), reason="not installed: nginx, openssl")


def block_of_guide(kind: str, number: int = 0) -> str:
    """A block of the guide."""
    return str(re.findall(rf"```{kind}\n(.*?)```", GUIDE, re.DOTALL)[number])


class Nginx(Daemon):
    """With the site of the guide, on another port and with a certificate of its own."""

    def __init__(self, server: Server, path: str = "/") -> None:
        super().__init__()
        kept = urlsplit(server.address)
        site = block_of_guide("nginx")
        for old, new in {
            "listen 443 ssl;": f"listen 127.0.0.1:{self.port} ssl;",
            "listen 80;": f"listen unix:{self.folder}/plain.sock;",
            "/etc/ssl/club.example": str(self.folder),
            "http://127.0.0.1:8000": f"{kept.scheme}://{kept.netloc}",
            "location / {": f"location {path} {{",
            "location /metrics {": f"location {path}metrics {{",
        }.items():
            assert old in site
            site = site.replace(old, new)
        self._certify()
        (self.folder / "nginx.conf").write_text(
            f"daemon off; pid {self.folder}/pid; error_log stderr; user root;\n"
            f"events {{}}\nhttp {{ access_log off; {self._folders()}\n{site}\n}}\n"
        )
        self.start()

    def _folders(self) -> str:
        kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        return " ".join(f"{kind}_temp_path {self.folder}/{kind};" for kind in kinds)

    def _certify(self) -> None:
        wanted = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=club.example"]
        files = ["-keyout", "privkey.pem", "-out", "fullchain.pem", "-days", "2"]
        made = [OPENSSL, *wanted, *files]
        subprocess.run(made, cwd=self.folder, check=True, capture_output=True)

    def command(self) -> list[str]:
        return [NGINX, "-c", str(self.folder / "nginx.conf"), "-p", str(self.folder)]

    @property
    def site(self) -> str:
        return f"127.0.0.1:{self.port}"


@contextmanager
def behind(server: Server, path: str = "/") -> Iterator[Nginx]:
    proxy = Nginx(server, path)
    try:
        yield proxy
    finally:
        proxy.close()


@contextmanager
def visitor(proxy: Nginx, path: str = "", comes_from: str = "") -> Iterator[httpx.Client]:
    address = f"https://{proxy.site}"
    way = httpx.HTTPTransport(verify=False, local_address=comes_from or None)
    with httpx.Client(
        base_url=address + path, headers={"Origin": address}, transport=way, timeout=20
    ) as client:
        yield client


@contextmanager
def seat(proxy: Nginx, client: httpx.Client, table: str) -> Iterator[Page]:
    trusting = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    cookies = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
    headers = {"Cookie": cookies, "Origin": f"https://{proxy.site}"}
    address = f"wss://{proxy.site}{table}/live?is_tall=0"
    with connect(address, ssl=trusting, additional_headers=headers, close_timeout=1) as socket:
        yield Page(socket)


@needs_nginx
@pytest.mark.parametrize("prefix", ["", "/kibitz"])
def test_a_match_is_played_through_the_proxy(tmp_path: Path, prefix: str) -> None:
    with (
        Server(tmp_path, KIBITZ_PATH_PREFIX=prefix) as server,
        behind(server, f"{prefix}/") as proxy,
        visitor(proxy, prefix) as client,
    ):
        home = client.get("/")
        assert home.status_code == 200
        cookie = home.headers["set-cookie"].lower()
        assert "secure" in cookie
        assert f"path={prefix or '/'};" in f"{cookie};"
        opened = client.post("/tables", data=FORM)
        assert opened.status_code == 303, opened.text
        table = opened.headers["location"]
        assert table.startswith(f"{prefix}/t/")
        with seat(proxy, client, table) as page:
            assert page.acts("@a1")["type"] == "done"
            assert page.codes == ["@a1"]
        policy = home.headers["content-security-policy"]
        assert f"wss://{proxy.site}" in policy
        assert client.get("/metrics").status_code == 404


@needs_nginx
def test_a_code_to_point_a_camera_at_has_the_address_of_the_proxy(tmp_path: Path) -> None:
    with Server(tmp_path) as server, behind(server) as proxy, visitor(proxy) as client:
        client.get("/")
        opened = client.post("/tables", data=FORM | {"play": "friend"}).headers["location"]
        table = opened.rsplit("/", 1)[1]
        link = client.get(f"/api/v1/tables/{table}/links").json()["B"]
        shown = client.get(f"/t/{table}/qr/B").content
        made = qr_svg(f"https://{proxy.site}{link}")
        assert shown == (made if isinstance(made, bytes) else str(made).encode())


@needs_nginx
def test_events_come_when_they_happen(tmp_path: Path) -> None:
    """Nothing is held back on the way until there is more of it."""
    with Server(tmp_path) as server, behind(server) as proxy, visitor(proxy) as client:
        client.get("/")
        table = client.post("/tables", data=FORM).headers["location"].rsplit("/", 1)[1]
        with client.stream("GET", f"/api/v1/tables/{table}/events") as events:
            assert events.headers["content-type"].startswith("text/event-stream")
            lines = events.iter_lines()
            assert next(line for line in lines if line.startswith("data:"))
            acts = {"key": "k", "actions": ["@a1"]}
            with visitor(proxy) as other:
                other.cookies.update(client.cookies)
                assert other.post(f"/api/v1/tables/{table}/actions", json=acts).status_code == 200
            assert any("@a1" in line for line in lines if line.startswith("data:"))


@needs_nginx
def test_those_behind_it_are_counted_one_by_one(tmp_path: Path) -> None:
    """Whatever they write into a header; and the proxy is believed, which the doctor sees."""
    with (
        Server(
            tmp_path, limits="on", KIBITZ_WORKERS="1", KIBITZ_TRUSTED_PROXIES="127.0.0.1"
        ) as server,
        behind(server) as proxy,
        visitor(proxy, comes_from="127.0.0.5") as client,
        visitor(proxy, comes_from="127.0.0.6") as other,
    ):
        spoofed = [
            client.post("/tables", data=FORM, headers={"X-Forwarded-For": f"192.0.2.{n}"})
            for n in range(20)
        ]
        assert {each.status_code for each in spoofed} == {303, 429}
        assert other.post("/tables", data=FORM).status_code == 303
        port = int(server.address.rsplit(":", 1)[1])
        found = [each.sentence.id for each in run_checks(Settings(data=tmp_path, port=port))]
        assert "server.doctor-proxies" in found


@pytest.mark.skipif(not SYSTEMD, reason="not installed: systemd")
def test_services_and_timers_are_as_systemd_wants_them(tmp_path: Path) -> None:
    names = re.findall(r"`/etc/systemd/system/([\w.-]+)`", GUIDE)
    assert names == ["kibitz.service", "kibitz-backup.service", "kibitz-backup.timer"]
    for number, name in enumerate(names):
        text = block_of_guide("ini", number).replace("/opt/kibitz/.venv/bin/kibitz", "/bin/true")
        (tmp_path / name).write_text(text)
    for name in names:
        asked = [SYSTEMD, "verify", "--man=no", "--recursive-errors=no", str(tmp_path / name)]
        done = subprocess.run(asked, capture_output=True, text=True, cwd=tmp_path)
        complaints = [line for line in done.stderr.splitlines() if name in line]
        assert complaints == []


def test_a_backup_by_its_service_is_a_command_that_works(tmp_path: Path) -> None:
    """What the shell is given there, but with our folders."""
    data = keep(tmp_path / "data", tables=1)
    found = re.search(r"ExecStart=/bin/sh -c '(.*)'", block_of_guide("ini", 1))
    assert found
    call = "from kibitz.cli.main import main; main()"
    command = (
        found[1]
        .replace("$$", "$")
        .replace("%%", "%")
        .replace("/var/backups/kibitz", str(tmp_path))
        .replace("/opt/kibitz/.venv/bin/kibitz", f"{shutil.which('env')} python -c '{call}'")
    )
    here = os.environ | {
        "KIBITZ_DATA": str(data),
        "PYTHONPATH": str(Path(__file__).parents[3] / "src"),
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
    }
    for _ in range(2):
        subprocess.run(["/bin/sh", "-c", command], check=True, env=here, capture_output=True)
    assert len(list(tmp_path.glob("20??-??-??.zip"))) == 1


@pytest.mark.skipif(bool(missing()), reason=f"not installed: {missing()}")
def test_a_database_made_as_written_will_do(tmp_path: Path) -> None:
    postgres = Postgres()
    try:
        for line in block_of_guide("sh").splitlines():
            words = line.removeprefix("sudo -u postgres ").replace("kibitz", "club").split()
            program = postgres_program(words[0])
            assert program
            where = ["--host=127.0.0.1", f"--port={postgres.port}", "--username=kibitz"]
            given = [word for word in words[1:] if word != "--pwprompt"]
            subprocess.run([program, *where, *given], check=True, env=os.environ)
        database = f"postgresql://club@127.0.0.1:{postgres.port}/club"
        with Server(tmp_path, KIBITZ_DATABASE_URL=database, KIBITZ_WORKERS="1") as server:
            guest = Guest(server)
            assert guest.sits_at(guest.opens()).acts("@a1")["type"] == "done"
    finally:
        postgres.close()
