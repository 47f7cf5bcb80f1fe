"""A provider of identities on this machine: OpenID Connect with no question asked."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT = "vstg"


class Provider(ThreadingHTTPServer):
    """Says that whoever comes is ``email``."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.key = RSAKey.generate_key(2048, {"kid": "1", "use": "sig"})
        self.email = "ann@example.org"
        self.nonce = ""

    def token(self) -> dict[str, object]:
        """A signed statement of who it is."""
        now = int(time.time())
        claims = {
            "iss": self.url, "aud": CLIENT, "sub": self.email, "email": self.email,
            "nonce": self.nonce, "iat": now, "exp": now + 3600,
        }  # fmt: skip
        signed = jwt.encode({"alg": "RS256", "kid": "1"}, claims, self.key)
        return {"access_token": "x", "token_type": "Bearer", "id_token": signed}


class Handler(BaseHTTPRequestHandler):
    """The four pages that a client needs."""

    server: Provider

    def do_GET(self) -> None:
        place = urlsplit(self.path)
        if place.path == "/authorize":
            asked = {key: value[0] for key, value in parse_qs(place.query).items()}
            self.server.nonce = asked["nonce"]
            answer = urlencode({"code": "c", "state": asked["state"]})
            self.send_response(302)
            self.send_header("Location", f"{asked['redirect_uri']}?{answer}")
            self.end_headers()
        elif place.path == "/keys":
            self.say({"keys": [self.server.key.as_dict(private=False)]})
        else:
            url = self.server.url
            self.say({
                "issuer": url, "authorization_endpoint": f"{url}/authorize",
                "token_endpoint": f"{url}/token", "jwks_uri": f"{url}/keys",
                "id_token_signing_alg_values_supported": ["RS256"],
            })  # fmt: skip

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.say(self.server.token())

    def say(self, answer: dict[str, object]) -> None:
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Keep quiet."""


@contextmanager
def provider() -> Iterator[Provider]:
    """A provider for the time of a block."""
    with Provider() as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()
