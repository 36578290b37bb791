"""Writers: visitors that send leads, partners that push orders, clients that disconnect."""

from __future__ import annotations

import json
import socket
import struct
from contextlib import suppress
from urllib.parse import urlencode

from soak.caller import some_client
from soak.world import ORDERS, TOKENS, World

API = "/api/public/v1"
_PAUSE_SECONDS = 0.05
_PUSHERS = ("partner-0", "partner-1", "quitter")
_RESET_AT_CLOSE = struct.pack("ii", 1, 0)


class Sender:
    """Sends leads, each until it is acknowledged, by the API or by the form of a page."""

    def __init__(self, world: World, name: str) -> None:
        self._name = name
        self._number = 0
        self._over = world.over
        self._chance = world.chance(name)
        self._caller = world.caller()
        self._ledger = world.ledger

    def act(self) -> None:
        """Send one lead; sometimes once more, as by a double click."""
        self._number += 1
        email = f"{self._name}-{self._number}@example.test"
        self._ledger.sent_leads.add(email)
        send = self._by_form if self._chance.random() < 0.3 else self._by_api
        headers = {"Idempotency-Key": email} if self._chance.random() < 0.5 else {}
        for _ in range(2 if self._chance.random() < 0.1 else 1):
            # Each attempt may come from another address, as with mobile clients.
            while not send(email, headers):
                if self._over.wait(_PAUSE_SECONDS):
                    return

    def _by_api(self, email: str, headers: dict[str, str]) -> bool:
        body = json.dumps({"email": email, "message": "How much is it?" * 20}).encode()
        named = {"Content-Type": "application/json", **headers}
        expected = (200, 409)  # an earlier request with the same key may be in progress
        answer = self._caller.ask(
            "lead", f"{API}/leads", named, method="POST", body=body, expected=expected
        )
        if answer is None or answer.status != 200:
            return False
        self._ledger.acknowledged_lead(email, json.loads(answer.body)["id"])
        return True

    def _by_form(self, email: str, headers: dict[str, str]) -> bool:
        body = urlencode({"email": email, "name": "Noor", "message": "متى؟"}).encode()
        named = {"Content-Type": "application/x-www-form-urlencoded", **headers}
        answer = self._caller.ask(
            "form", "/sa/ar/contact", named, method="POST", body=body, expected=(303,)
        )
        if answer is None or answer.status != 303:
            return False
        self._ledger.acknowledged_lead(email, None)
        return True


def _orders(name: str, patient: bool) -> list[int]:
    """Return the orders that an actor pushes: all, or in a short run a separate third."""
    every = range(1, ORDERS + 1)
    if patient:
        return [*every]
    return [order for order in every if order % len(_PUSHERS) == _PUSHERS.index(name)]


class Partner:
    """Pulls orders and products, and pushes orders."""

    def __init__(self, world: World, name: str) -> None:
        self._chance = world.chance(name)
        self._caller = world.caller()
        self._ledger = world.ledger
        self._orders = _orders(name, world.patient)
        self._patient = world.patient

    def act(self) -> None:
        """Push an order, or pull some."""
        bearer = {"Authorization": f"Bearer {self._chance.choice(TOKENS)}"}
        order = self._chance.choice(self._orders)
        luck = self._chance.random()
        if luck < 0.5:
            self._push(order, bearer)
        elif luck < 0.6:
            self._caller.ask("products", "/api/products", bearer)
        else:
            path = self._chance.choice(
                (
                    f"/api/orders/{order}",
                    f"/api/erp/orders/{order}/preview",
                    f"/api/orders?since_id={order}&limit=20",
                )
            )
            self._caller.ask("orders", path, bearer)

    def _push(self, order: int, bearer: dict[str, str]) -> None:
        path = f"/api/erp/orders/{order}/push"
        answer = self._caller.ask("push", path, bearer, method="POST", expected=(200, 202))
        if answer and answer.status in (200, 202):
            receipt = json.loads(answer.body)
            self._ledger.acknowledged_push(receipt["deliveryId"], order)
        elif not self._patient:
            self._orders.remove(order)


class Quitter:
    """Disconnects in the middle of its request, or before the response."""

    def __init__(self, world: World, name: str) -> None:
        self._name = name
        self._number = 0
        self._chance = world.chance(name)
        self._orders = _orders(name, world.patient)
        self._port = world.server.port
        self._ledger = world.ledger

    def act(self) -> None:
        """Send a complete or partial request, and reset the connection."""
        request = self._chance.choice((self._read, self._lead, self._push))()
        if self._chance.random() < 0.4:
            request = request[: self._chance.randrange(1, len(request))]
        with socket.create_connection(("127.0.0.1", self._port)) as connection:
            connection.sendall(request)
            if self._chance.random() < 0.5:
                connection.settimeout(self._chance.random() * 0.02 + 0.001)
                with suppress(OSError):
                    connection.recv(200)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_AT_CLOSE)
        self._ledger.dropped("the client left on purpose")

    def _read(self) -> bytes:
        return self._request(f"GET /ae/en/blog?never={self._chance.getrandbits(40)}")

    def _lead(self) -> bytes:
        self._number += 1
        email = f"{self._name}-{self._number}@example.test"
        self._ledger.sent_leads.add(email)
        body = json.dumps({"email": email}).encode()
        head = ("Content-Type: application/json", f"Content-Length: {len(body)}")
        return self._request(f"POST {API}/leads", *head) + body

    def _push(self) -> bytes:
        token = f"Authorization: Bearer {self._chance.choice(TOKENS)}"
        order = self._chance.choice(self._orders)
        return self._request(f"POST /api/erp/orders/{order}/push", token, "Content-Length: 0")

    @staticmethod
    def _request(line: str, *headers: str) -> bytes:
        lines = (f"{line} HTTP/1.1", "Host: x", f"X-Forwarded-For: {some_client()}", *headers)
        return "\r\n".join([*lines, "", ""]).encode()
