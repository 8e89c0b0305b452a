"""How uvicorn keeps the connections of streams: a peer that is silent for half a minute is gone."""

import socket
from asyncio import BaseTransport
from typing import Final

from uvicorn.protocols.http.h11_impl import H11Protocol

SILENT_SECONDS: Final = 30


class StreamConnection(H11Protocol):
    """HTTP/1.1. The kernel's own patience with a phone that has lost its net is a quarter of an hour."""

    def connection_made(self, transport: BaseTransport) -> None:
        """Set when the kernel is to give up: on what was sent and not confirmed, and on a line without a word."""
        super().connection_made(transport)  # type: ignore[arg-type]  # uvicorn names the narrower type
        opened = transport.get_extra_info("socket")
        if opened is None or opened.family not in (socket.AF_INET, socket.AF_INET6):
            return
        opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1_000 * SILENT_SECONDS)
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, SILENT_SECONDS)
        opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, SILENT_SECONDS // 3)
