"""The difference of two specs as error messages show it: unified, of JSON with Go's field names."""

from __future__ import annotations

import difflib
import json
from typing import Any


def go_diff(old: Any, new: Any) -> str:
    """The hunks alone, without file names, each line ended; values are those of :func:`go_names`."""
    before, after = (json.dumps(one, indent=1, ensure_ascii=False).splitlines() for one in (old, new))
    hunks = list(difflib.unified_diff(before, after, lineterm=""))[2:]
    return "".join(f"{line}\n" for line in hunks)


def go_names(value: Any) -> Any:
    """Spell field names as Go does: the first letter upper case, ``ID`` and the like in capitals."""
    if isinstance(value, dict):
        return {_capital(name): go_names(one) for name, one in value.items()}
    if isinstance(value, list):
        return [go_names(one) for one in value]
    return value


def _capital(name: str) -> str:
    known = {"fsType": "FSType", "nfs": "NFS", "rbd": "RBD", "iscsi": "ISCSI", "csi": "CSI", "fc": "FC",
             "apiGroup": "APIGroup", "pdName": "PDName", "pdID": "PdID", "iqn": "IQN", "cephfs": "CephFS",
             "scaleIO": "ScaleIO", "storageos": "StorageOS", "gcePersistentDisk": "GCEPersistentDisk",
             "awsElasticBlockStore": "AWSElasticBlockStore"}
    return known.get(name) or name[:1].upper() + name[1:]
