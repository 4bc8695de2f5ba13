"""Why a remote procedure call failed, in the words of Go's gRPC, which those who run etcd know."""

from __future__ import annotations

from enum import IntEnum

COMPACTED = "etcdserver: mvcc: required revision has been compacted"
FUTURE = "etcdserver: mvcc: required revision is a future revision"
NO_LEADER = "etcdserver: no leader"
DEADLINE = "context deadline exceeded"


class Code(IntEnum):
    """The status codes of gRPC."""

    OK = 0
    CANCELED = 1
    UNKNOWN = 2
    INVALID_ARGUMENT = 3
    DEADLINE_EXCEEDED = 4
    NOT_FOUND = 5
    ALREADY_EXISTS = 6
    PERMISSION_DENIED = 7
    RESOURCE_EXHAUSTED = 8
    FAILED_PRECONDITION = 9
    ABORTED = 10
    OUT_OF_RANGE = 11
    UNIMPLEMENTED = 12
    INTERNAL = 13
    UNAVAILABLE = 14
    DATA_LOSS = 15
    UNAUTHENTICATED = 16


class RPCError(Exception):
    """A call did not succeed. The text is etcd's own, or with the code before what gRPC says."""

    def __init__(self, code: Code, message: str) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message

    def __str__(self) -> str:
        if self.message.startswith("etcdserver: ") or self.message == DEADLINE:
            return self.message
        return f"rpc error: code = {_go_name(self.code)} desc = {self.message}"


def _go_name(code: Code) -> str:
    return "OK" if code is Code.OK else "".join(word.capitalize() for word in code.name.split("_"))


def code_of(number: str) -> Code:
    """The code that a server sent."""
    try:
        return Code(int(number))
    except ValueError:
        return Code.UNKNOWN


def not_connected(why: str) -> RPCError:
    """There is no connection."""
    return RPCError(Code.UNAVAILABLE, f'connection error: desc = "transport: {why}"')


def connection_lost(why: str) -> RPCError:
    """There was a connection when the call began."""
    return RPCError(Code.UNAVAILABLE, f"error reading from server: {why}")


def too_late() -> RPCError:
    """There was no answer in time."""
    return RPCError(Code.DEADLINE_EXCEEDED, DEADLINE)
