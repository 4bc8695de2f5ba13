"""Makes the endpoints of a resource from its storage: which verbs it has, and what answers them."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

from kube_twisted.endpoints.create import create
from kube_twisted.endpoints.delete import delete, delete_collection
from kube_twisted.endpoints.get import get
from kube_twisted.endpoints.list import list_
from kube_twisted.endpoints.patch import patch
from kube_twisted.endpoints.request import Handler, Request, Response
from kube_twisted.endpoints.scope import RequestScope
from kube_twisted.endpoints.update import update
from kube_twisted.endpoints.watch import WatchSettings, watch

_VERBS: dict[str, Callable[[RequestScope, Request], Coroutine[Any, Any, Response]]] = {
    "get": get, "list": list_, "create": create, "update": update, "patch": patch,
    "delete": delete, "deletecollection": delete_collection,
}


def handlers_for(scope: RequestScope, watches: WatchSettings) -> dict[str, Handler]:
    """What answers each of the scope's verbs."""
    handlers: dict[str, Handler] = {verb: partial(_VERBS[verb], scope) for verb in scope.verbs if verb in _VERBS}
    if "watch" in scope.verbs:
        handlers["watch"] = partial(watch, scope, settings=watches)
    return handlers
