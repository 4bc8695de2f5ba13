"""Hand-made types for the tests of field ownership: a small kind with every sort of list, map and struct."""

from __future__ import annotations

from typing import Any

from kube_twisted.schema.apply.fieldmanager import FieldManager
from kube_twisted.schema.apply.open import Deduced, OpenStruct
from kube_twisted.schema.apply.plan import MapNode, Plans
from kube_twisted.schema.types import Field, List, Map, Scalar, Struct, Type, Untyped

NOW = "2026-01-01T00:00:00Z"
LATER = "2026-01-02T00:00:00Z"


def fields(**types: Type) -> dict[str, Field]:
    return {name: Field(name, type_, pointer=True) for name, type_ in types.items()}


def struct(go_name: str, /, **types: Type) -> Struct:
    return Struct(go_name, go_name=go_name, load=lambda: fields(**types))


STRING = Scalar("string")
INT = Scalar("int32")
STRINGS = Map(STRING)

META = struct(
    "ObjectMeta",
    name=STRING,
    namespace=STRING,
    uid=STRING,
    resourceVersion=STRING,
    generateName=STRING,
    creationTimestamp=Scalar("time"),
    labels=STRINGS,
    annotations=STRINGS,
    finalizers=List(STRING, "set"),
    managedFields=List(Untyped()),
)
PORT = struct("Port", name=STRING, port=INT, protocol=STRING, targetPort=Scalar("int-or-string"))
CONTAINER = struct(
    "Container",
    name=STRING,
    image=STRING,
    args=List(STRING),
    env=STRINGS,
    ports=List(PORT, "map", ("port", "protocol"), {"protocol": "TCP"}),
)
SPEC = struct(
    "ThingSpec",
    replicas=INT,
    paused=Scalar("bool"),
    containers=List(CONTAINER, "map", ("name",)),
    selector=Map(STRING, atomic=True),
    tags=List(STRING, "set"),
    size=Scalar("quantity"),
    anything=Untyped(),
    free=Deduced(),
    nested=struct("Nested", a=STRING, b=STRING),
)
STATUS = struct("ThingStatus", ready=INT, phase=STRING)


def _thing() -> dict[str, Field]:
    return {
        **fields(apiVersion=STRING, kind=STRING),
        "metadata": Field("metadata", META),
        "spec": Field("spec", SPEC),
        "status": Field("status", STATUS),
        **fields(data=STRINGS),
    }


THING = Struct("Thing", go_name="Thing", load=_thing)
OPEN = OpenStruct("Open", go_name="Open", load=lambda: fields(known=STRING))


def node(type_: Struct = THING) -> MapNode:
    return Plans().root(type_)


def manager(subresource: str = "", reset: tuple[tuple[str, ...], ...] = (), **options: Any) -> FieldManager:
    return FieldManager(THING, "v1", subresource, reset, **options)


def thing(**content: Any) -> dict[str, Any]:
    metadata = {"name": "t", **content.pop("metadata", {})}
    return {"apiVersion": "v1", "kind": "Thing", "metadata": metadata, **content}


def entry(
    name: str,
    owned: dict[str, Any],
    operation: str = "Update",
    time: str | None = NOW,
    version: str = "v1",
    subresource: str = "",
) -> dict[str, Any]:
    result: dict[str, Any] = {"manager": name, "operation": operation, "apiVersion": version}
    if time:
        result["time"] = time
    result.update(fieldsType="FieldsV1", fieldsV1=owned)
    return {**result, "subresource": subresource} if subresource else result


def entries(obj: dict[str, Any]) -> list[dict[str, Any]]:
    return obj["metadata"].get("managedFields", [])
