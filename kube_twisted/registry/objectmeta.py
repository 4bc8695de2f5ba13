"""The system's part of ObjectMeta: uid, timestamps, generated names, the namespace of the request."""

from __future__ import annotations

import random
from typing import Any

from kube_twisted.api.errors import bad_request, plain_internal
from kube_twisted.api.generated_names import generate_name

#: How often a generated name may collide before the client is told.
GENERATE_ATTEMPTS = 8
#: Version and variant of a random UUID, and the bits that they leave (RFC 9562, 5.4).
_VERSION_4 = 4 << 76 | 2 << 62
_RANDOM_BITS = ~(15 << 76 | 3 << 62)


def new_uid() -> str:
    """A random (version 4) UUID."""
    text = (random.getrandbits(128) & _RANDOM_BITS | _VERSION_4).to_bytes(16, "big").hex()
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def ensure_namespace(meta: dict[str, Any], namespace: str) -> None:
    """Fill in the request's namespace; a cluster-scoped object has none, whatever it says.

    :raises StatusError: 400 when the object names another one.
    """
    given = meta.get("namespace", "")
    if given == namespace:
        return
    if not namespace:
        del meta["namespace"]
    elif given:
        raise bad_request("the namespace of the provided object does not match the namespace sent on the request")
    else:
        meta["namespace"] = namespace


def wipe_system_fields(meta: dict[str, Any]) -> None:
    """Take out what only the system sets, before a new object is looked at."""
    for key in ("resourceVersion", "uid", "creationTimestamp", "selfLink", "deletionTimestamp",
                "deletionGracePeriodSeconds"):
        meta.pop(key, None)


def fill_for_create(meta: dict[str, Any], now: str, generation: bool) -> None:
    """uid, creationTimestamp, generation, generated name; what only the system sets is taken out.

    A resourceVersion stays if it is one: the store refuses it, and a dry run shows it.
    """
    version = meta.get("resourceVersion", "")
    wipe_system_fields(meta)
    if _is_version(version):
        meta["resourceVersion"] = version
    meta["uid"] = new_uid()
    meta["creationTimestamp"] = now
    if generation:
        meta["generation"] = 1
    if meta.get("generateName") and not meta.get("name"):
        meta["name"] = generate_name(meta["generateName"])


def given_version(meta: dict[str, Any], dry_run: bool) -> int:
    """The resourceVersion of a new object, 0 for none.

    :raises StatusError: 500 when there is one and this is no dry run, as the original answers.
    """
    version = int(meta.get("resourceVersion", 0))
    if version and not dry_run:
        raise plain_internal("resourceVersion should not be set on objects to be created")
    return version


def _is_version(text: str) -> bool:
    """Whether Go takes the text for a number of 64 bits that is not 0."""
    return text.isascii() and text.isdigit() and 0 < int(text) < 1 << 64


def drop_repeated_owners(meta: dict[str, Any]) -> list[str]:
    """Take out owner references that stand twice; the uids of those, with repeats."""
    references = meta.get("ownerReferences")
    if not references or len(references) < 2:
        return []
    kept: list[dict[str, Any]] = []
    repeated = []
    for one in references:
        if one in kept:
            repeated.append(one.get("uid", ""))
        else:
            kept.append(one)
    if repeated:
        meta["ownerReferences"] = kept
    return repeated


def keep_from_old(meta: dict[str, Any], old: dict[str, Any]) -> None:
    """What an update can't change silently comes from the old object; other differences are validation's business."""
    if not meta.get("uid"):
        meta["uid"] = old.get("uid", "")
    for key in ("creationTimestamp", "deletionTimestamp"):
        if old.get(key):
            meta[key] = old[key]
    if "deletionGracePeriodSeconds" in old and "deletionGracePeriodSeconds" not in meta:
        meta["deletionGracePeriodSeconds"] = old["deletionGracePeriodSeconds"]
    meta.pop("selfLink", None)
    if "generation" in old:
        meta["generation"] = old["generation"]
    else:
        meta.pop("generation", None)
