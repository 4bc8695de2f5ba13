"""What the garbage collector sends to the server, and how it takes refusals."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.errors import StatusError
from kube_twisted.controlplane.controllers.discovery import Resource
from kube_twisted.controlplane.controllers.garbage.objects import NamespacedOwner, Objects, UnknownKind
from kube_twisted.controlplane.controllers.garbage.references import Identity, Reference
from kube_twisted.util.deferreds import to_deferred

THING = Identity("Thing", "example.com/v1", "ns", "t", "u")
PATH = "/apis/example.com/v1/namespaces/ns/things/t"
MERGE = "application/merge-patch+json"


def things(namespaced: bool = True) -> Resource:
    return Resource("example.com", "v1", "things", "Thing", namespaced, frozenset(), True)


def refusal(code: int) -> StatusError:
    return StatusError(code, "", str(code))


class FakeClient:
    """Answers as told, and notes what it is asked."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, Any, str]] = []
        self.answers: list[dict[str, Any] | StatusError] = []

    async def call(self, method: str, path: str, body: Any = None, content_type: str = "", accept: str = "") -> Any:
        assert path == PATH
        assert "PartialObjectMetadata" in accept
        self.calls.append((method, body, content_type))
        answer = self.answers.pop(0)
        if isinstance(answer, StatusError):
            raise answer
        return answer


class ObjectsTests(SynchronousTestCase):
    """Objects behind a fake client."""

    def setUp(self) -> None:
        self.client = FakeClient()
        self.objects = Objects(self.client)  # type: ignore[arg-type]
        self.objects.resources = {("example.com/v1", "Thing"): things()}

    def result(self, work: Any) -> Any:
        return self.successResultOf(to_deferred(work))

    def methods(self) -> list[str]:
        return [method for method, _, _ in self.client.calls]

    def answer(self, *answers: dict[str, Any] | StatusError) -> None:
        self.client.answers += answers

    @staticmethod
    def thing(**meta: Any) -> dict[str, Any]:
        return {"metadata": {"uid": "u", "resourceVersion": "5", **meta}}

    def test_find(self) -> None:
        """Only an object of that uid is found."""
        self.answer(self.thing(), self.thing(uid="other"), refusal(404))
        self.assertEqual(self.result(self.objects.find(THING)), self.thing())
        self.assertIsNone(self.result(self.objects.find(THING)))
        self.assertIsNone(self.result(self.objects.find(THING)))

    def test_unknown(self) -> None:
        """A kind without a resource can't be looked up, nor an object without the namespace that it needs."""
        self.failureResultOf(to_deferred(self.objects.find(Identity("No", "v1", "", "a", "b"))), UnknownKind)
        self.failureResultOf(to_deferred(self.objects.find(THING.in_cluster())), NamespacedOwner)

    def test_delete(self) -> None:
        """The uid and the version that was looked at are preconditions."""
        self.answer({})
        self.assertTrue(self.result(self.objects.delete(THING, self.thing()["metadata"], "Background")))
        self.assertEqual(self.client.calls[0][:2], ("DELETE", {
            "apiVersion": "v1", "kind": "DeleteOptions", "propagationPolicy": "Background",
            "preconditions": {"uid": "u", "resourceVersion": "5"}}))

    def test_delete_gone(self) -> None:
        """An object that is gone already is told, whenever that comes out."""
        for answers in ((refusal(404),), (refusal(409), refusal(404)), (refusal(409), self.thing(), refusal(404))):
            self.answer(*answers)
            self.assertFalse(self.result(self.objects.delete(THING, self.thing()["metadata"], "Background")))

    def test_delete_changed(self) -> None:
        """When only other things have changed, it is deleted whatever its version."""
        self.answer(refusal(409), self.thing(resourceVersion="6"), {})
        self.assertTrue(self.result(self.objects.delete(THING, self.thing()["metadata"], "Orphan")))
        self.assertEqual(self.client.calls[2][1]["preconditions"], {"uid": "u"})

    def test_delete_other_owners(self) -> None:
        """When its owners have changed, it is not deleted."""
        self.answer(refusal(409), self.thing(ownerReferences=[{"uid": "new"}]))
        failure = self.failureResultOf(to_deferred(self.objects.delete(THING, self.thing()["metadata"], "Orphan")))
        self.assertEqual(failure.value.code, 409)

    def test_remove_owners(self) -> None:
        """Owners are removed by uid, from the object of that uid."""
        self.answer({})
        self.result(self.objects.remove_owners(THING, ["a"]))
        body = {"metadata": {"uid": "u", "ownerReferences": [{"$patch": "delete", "uid": "a"}]}}
        self.assertEqual(self.client.calls, [("PATCH", body, "application/strategic-merge-patch+json")])

    def test_remove_owners_custom(self) -> None:
        """A custom resource knows no such patch: the references are read and written, if nobody came between."""
        self.answer(refusal(415), self.thing(ownerReferences=[{"uid": "a"}, {"uid": "b"}]), {})
        self.result(self.objects.remove_owners(THING, ["a"]))
        self.assertEqual(self.client.calls[2], (
            "PATCH", {"metadata": {"resourceVersion": "5", "ownerReferences": [{"uid": "b"}]}}, MERGE))

    def test_unblock(self) -> None:
        """Only references that block are changed."""
        self.answer({})
        owners = [Reference("v1", "Pod", "p", "a", True), Reference("v1", "Pod", "q", "b")]
        self.result(self.objects.unblock_owners(THING, owners))
        self.assertEqual(self.client.calls[0][1]["metadata"]["ownerReferences"], [
            {"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "a", "blockOwnerDeletion": False}])

    def test_remove_finalizer(self) -> None:
        """One finalizer is taken out; on a conflict again, on the newest state."""
        self.answer(self.thing(finalizers=["a", "b"]), refusal(409), self.thing(finalizers=["b", "c"]), {})
        self.result(self.objects.remove_finalizer(THING, "b"))
        self.assertEqual([body["metadata"]["finalizers"] for _, body, _ in self.client.calls if body], [["a"], ["c"]])

    def test_remove_finalizer_gone(self) -> None:
        """Nothing is sent when the object or the finalizer is gone."""
        self.answer(refusal(404), self.thing(finalizers=["a"]))
        self.result(self.objects.remove_finalizer(THING, "b"))
        self.result(self.objects.remove_finalizer(THING, "b"))
        self.assertEqual(self.methods(), ["GET", "GET"])

    def test_remove_finalizer_in_vain(self) -> None:
        """An object that keeps changing is given up for now."""
        for _ in range(5):
            self.answer(self.thing(finalizers=["b"]), refusal(409))
        failure = self.failureResultOf(to_deferred(self.objects.remove_finalizer(THING, "b")))
        self.assertEqual((failure.value.code, len(self.client.calls)), (409, 10))
