"""Every stored kind that is served by default, as little as is valid and as rich as it gets, through every verb."""

from __future__ import annotations

from collections.abc import Callable

from tests.inprocess import ClusterTestCase
from tests.kinds.objects import FOLDER, LEAST, RICH, Kind, stored_kinds
from tests.kinds.tour import Tour


class ObjectFilesTests(ClusterTestCase):
    def test_complete(self) -> None:
        """There are objects of every kind, and of nothing else."""
        self.assertEqual({kind.file for kind in stored_kinds()}, set(FOLDER.glob("*/*.yaml")))


class KindTests(ClusterTestCase):
    """One test for each kind and object."""

    def setUp(self) -> None:
        super().setUp()
        self.ask("POST", "/api/v1/namespaces/default/serviceaccounts", {"metadata": {"name": "default"}})


def _test(kind: Kind, document: str) -> Callable[[KindTests], None]:
    def test(self: KindTests) -> None:
        Tour(self, kind, kind.objects()[document]).go()

    test.__name__ = f"test_{kind.version.group.partition('.')[0] or 'core'}_{kind.resource}_{document}"
    test.__doc__ = f"{kind.facts.kind} of {kind.version}: the {document} object goes all the way."
    return test


for _kind in stored_kinds():
    for _document in (LEAST, RICH):
        _made = _test(_kind, _document)
        setattr(KindTests, _made.__name__, _made)
