"""Why an address or a port can't be had, in the original's words."""

from __future__ import annotations


class Refused(Exception):
    """The text says why."""


FULL = "range is full"
IP_TAKEN = "provided IP is already allocated"
NO_SUCH_NETWORK = "the provided network does not match the current range"
NOT_READY = "allocator not ready"
PORT_TAKEN = "provided port is already allocated"
NO_PORTS_YET = "cannot allocate resources of type servicenodeportallocations at this time"
