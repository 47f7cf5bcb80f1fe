"""A small HTTP server on this machine that can break transfers in known ways."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread


@dataclass
class Site:
    """What the server gives, and what it was asked.

    ``cuts`` are the numbers of bytes after which the next answers break off, ``codes``
    the refusals of the next answers; ``resume`` tells whether ranges are understood.
    """

    content: bytes = b""
    cuts: list[int] = field(default_factory=list)
    codes: list[int] = field(default_factory=list)
    resume: bool = True
    declare: bool = True
    ranges: list[str | None] = field(default_factory=list)
    url: str = ""


@contextmanager
def serving(site: Site) -> Iterator[Site]:
    """Serve ``site`` at ``site.url`` while the block runs."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked = self.headers.get("Range")
            site.ranges.append(asked)
            if site.codes:
                self.send_error(site.codes.pop(0))
                return
            body = site.content
            start = int(re.findall(r"\d+", asked)[0]) if asked and site.resume else 0
            if start >= len(body):
                self.send_error(416)
                return
            self.send_response(206 if start else 200)
            if start:
                end = f"{len(body) - 1}/{len(body)}"
                self.send_header("Content-Range", f"bytes {start}-{end}")
            if site.declare:
                self.send_header("Content-Length", str(len(body) - start))
            self.end_headers()
            cut = site.cuts.pop(0) if site.cuts else len(body)
            self.wfile.write(body[start : start + cut])

        def log_message(self, *_: object) -> None:
            """Be quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    site.url = f"http://127.0.0.1:{server.server_port}/file.bin"
    try:
        yield site
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
