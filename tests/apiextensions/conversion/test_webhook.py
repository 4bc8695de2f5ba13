"""Conversion by a webhook."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from twisted.internet.defer import Deferred
from twisted.internet.task import Clock as FakeTime
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.errors import StatusError
from kube_twisted.api.gvk import GroupVersion
from kube_twisted.apiextensions.conversion import webhook
from kube_twisted.apiextensions.conversion.converter import Versions
from kube_twisted.apiextensions.conversion.metrics import ConversionMetrics
from kube_twisted.apiextensions.conversion.webhook import WebhookConverter
from kube_twisted.util.clock import Clock
from kube_twisted.util.deferreds import to_deferred
from kube_twisted.util.https import Server
from kube_twisted.webhooks.client import CallFailed
from kube_twisted.webhooks.target import Target

V1, V2 = GroupVersion("example.com", "v1"), GroupVersion("example.com", "v2")
TARGET = Target(Server("h", 443), "https://h/")
NAME = "conversion webhook for example.com/v1, Kind=Foo"
Obj = dict[str, Any]


def foo(version: GroupVersion = V1, name: str = "a", **spec: Any) -> Obj:
    return {"apiVersion": str(version), "kind": "Foo", "metadata": {"name": name, "uid": "1"}, "spec": spec}


def succeed(review: Obj) -> Obj:
    """What a good webhook answers: the spec says from where it came."""
    request = review["request"]
    converted = [{**one, "apiVersion": request["desiredAPIVersion"], "spec": {"was": one["apiVersion"]}}
                 for one in request["objects"]]
    return {"kind": review["kind"], "apiVersion": review["apiVersion"],
            "response": {"uid": request["uid"], "result": {"status": "Success"}, "convertedObjects": converted}}


class Hook:
    """Answers reviews, and remembers them."""

    def __init__(self, answer: Callable[[Obj], Any]) -> None:
        self.answer = answer
        self.reviews: list[Obj] = []

    async def post(self, target: Target, body: bytes) -> bytes:
        review = json.loads(body)
        self.reviews.append(review)
        answer = self.answer(review)
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, bytes) else json.dumps(answer).encode()


class WebhookConverterTests(SynchronousTestCase):
    def start(self, objects: list[Obj], answer: Callable[[Obj], Any] = succeed, to: GroupVersion = V2,
              reviews: tuple[str, ...] = ("v1",)) -> Deferred[list[Obj]]:
        self.hook, self.metrics = Hook(answer), ConversionMetrics()
        converter = WebhookConverter("foos.example.com", Versions("example.com", ["v1", "v2", "v3"]), self.hook,
                                     TARGET, reviews, Clock(FakeTime()), self.metrics)
        return to_deferred(converter.convert(objects, to))

    def convert(self, objects: list[Obj], **more: Any) -> list[Obj]:
        return self.successResultOf(self.start(objects, **more))

    def failed(self, answer: Callable[[Obj], Any], objects: list[Obj] | None = None, **more: Any) -> str:
        error = self.failureResultOf(self.start(objects or [foo()], answer, **more), StatusError).value
        self.assertEqual((error.code, error.reason), (500, ""))
        return str(error.message)

    def answering(self, change: Callable[[Obj], Any]) -> str:
        """The error for an answer whose review was changed."""
        def answer(review: Obj) -> Obj:
            good = succeed(review)
            change(good)
            return good

        return self.failed(answer)

    def converting(self, change: Callable[[Obj], Any]) -> str:
        """The error for an answer whose object was changed."""
        return self.answering(lambda answer: change(answer["response"]["convertedObjects"][0]))

    def test_request(self) -> None:
        """A review has the objects and says what they are to become."""
        self.convert([foo(a=1)])
        review = self.hook.reviews[0]
        uid = review["request"].pop("uid")
        self.assertEqual(len(uid), 36)
        self.assertEqual(review, {
            "kind": "ConversionReview", "apiVersion": "apiextensions.k8s.io/v1",
            "request": {"desiredAPIVersion": "example.com/v2", "objects": [foo(a=1)]},
            "response": {"uid": "", "convertedObjects": None, "result": {"metadata": {}}}})

    def test_many(self) -> None:
        """Many objects are one review; those in the wanted version are not sent, and keep their place."""
        converted = self.convert([foo(V1, "a"), foo(V2, "b", own=1), foo(GroupVersion("example.com", "v3"), "c")])
        self.assertEqual(converted, [foo(V2, "a", was="example.com/v1"), foo(V2, "b", own=1),
                                     foo(V2, "c", was="example.com/v3")])
        self.assertEqual([len(one["request"]["objects"]) for one in self.hook.reviews], [2])

    def test_nothing_to_convert(self) -> None:
        """No webhook is asked for what is there already, or for objects of nothing but a kind."""
        empty = {"apiVersion": "example.com/v1", "kind": "Foo"}
        self.assertEqual(self.convert([foo(V2), empty]), [foo(V2), {**empty, "apiVersion": "example.com/v2"}])
        self.assertEqual(self.convert([]), [])
        self.assertEqual(self.hook.reviews, [])

    def test_portions(self) -> None:
        """Very many objects, or large ones, are sent in portions."""
        self.patch(webhook, "BATCH_OBJECTS", 2)
        self.assertEqual(len(self.convert([foo(name=str(number)) for number in range(5)])), 5)
        self.assertEqual([len(one["request"]["objects"]) for one in self.hook.reviews], [2, 2, 1])
        self.patch(webhook, "BATCH_BYTES", 150)
        self.convert([foo(a="x" * 100), foo(a="x" * 100)])
        self.assertEqual(len(self.hook.reviews), 2)

    def test_review_versions(self) -> None:
        """The first version that both sides know is spoken; v1beta1 needs no uid."""
        def careless(review: Obj) -> Obj:
            answer = succeed(review)
            del answer["response"]["uid"]
            return answer

        self.assertEqual(len(self.convert([foo()], answer=careless, reviews=("v9", "v1beta1", "v1"))), 1)
        self.assertEqual(self.hook.reviews[0]["apiVersion"], "apiextensions.k8s.io/v1beta1")
        self.assertEqual(self.failed(succeed, reviews=("v9",)), "no supported conversion review versions")

    def test_unknown_version(self) -> None:
        """Versions that the definition does not have are refused."""
        self.assertEqual(self.failed(succeed, to=GroupVersion("example.com", "v9")),
                         "request to convert CR to an invalid group/version: example.com/v9")

    def test_metadata(self) -> None:
        """Of the metadata a webhook changes labels and annotations, and nothing else."""
        def change(review: Obj) -> Obj:
            answer = succeed(review)
            answer["response"]["convertedObjects"][0]["metadata"].update(
                labels={"new": "1"}, annotations=None, finalizers=["x.example.com/y"])
            return answer

        original = foo()
        original["metadata"].update(labels={"old": "1"}, annotations={"old": "1"}, generation=4)
        converted, = self.convert([original], answer=change)
        self.assertEqual(converted["metadata"], {"name": "a", "uid": "1", "labels": {"new": "1"}, "generation": 4})
        self.assertEqual(original["metadata"]["labels"], {"old": "1"})

    def test_call_failures(self) -> None:
        """What can't be read as an answer."""
        for answer, said in (
            (CallFailed('Post "https://h/?timeout=30s": EOF'), 'Post "https://h/?timeout=30s": EOF'),
            (b"oops", "couldn't get version/kind; json parse error: json: cannot unmarshal string into Go value of "
                      'type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; '
                      'Kind string "json:\\"kind,omitempty\\"" }'),
            ({"response": []}, "json: cannot unmarshal array into Go struct field ConversionReview.response of type "
                               "v1.ConversionResponse"),
            ({"response": {"convertedObjects": {}}}, "json: cannot unmarshal object into Go struct field "
             "ConversionResponse.response.convertedObjects of type []runtime.RawExtension"),
        ):
            self.assertEqual(self.failed(lambda _, answer=answer: answer), f"{NAME} failed: {said}")
            self.assertEqual([labels for labels, _ in self.metrics.requests()],
                             [("failure", "conversion_webhook_call_failure")])

    def test_malformed(self) -> None:
        """Reviews that answer another question, or tell of a failure."""
        response = "response"
        for change, said in (
            (lambda answer: answer.update(kind=None), "expected webhook response of apiextensions.k8s.io/v1, "
             "Kind=ConversionReview, got apiextensions.k8s.io/v1, Kind="),
            (lambda answer: answer.pop("apiVersion"), "expected webhook response of apiextensions.k8s.io/v1, "
             "Kind=ConversionReview, got /, Kind=ConversionReview"),
            (lambda answer: answer.pop(response), "no response provided"),
            (lambda answer: answer[response].update(result={"status": "Failure"}),
             "response.result.status was 'Failure', not 'Success'"),
            (lambda answer: answer[response].update(result={"status": "Failure", "message": "can't"}), "can't"),
            (lambda answer: answer[response].pop("result"), "response.result.status was '', not 'Success'"),
        ):
            self.assertEqual(self.answering(change), f"{NAME} failed: {said}")
            self.assertEqual([labels for labels, _ in self.metrics.requests()],
                             [("failure", "conversion_webhook_malformed_response_failure")])
        self.assertRegex(self.answering(lambda answer: answer[response].update(uid="x")),
                         f'^{NAME} failed: expected response.uid="[0-9a-f-]+", got "x"$')

    def test_partial(self) -> None:
        """All objects are answered, no more and no less."""
        for count in (0, 2):
            said = self.answering(lambda answer, count=count: answer["response"].update(
                convertedObjects=answer["response"]["convertedObjects"] * count))
            self.assertEqual(said, f"{NAME} returned {count} objects, expected 1")

    def test_other_objects(self) -> None:
        """An object stays what it is."""
        for change, said in (
            (lambda obj: obj.update(apiVersion="example.com/v3"), "returned invalid object at index 0: "
             "invalid groupVersion (expected example.com/v2, received example.com/v3)"),
            (lambda obj: obj.update(kind="Bar"), "returned invalid object at index 0: "
             "invalid kind (expected Foo, received Bar)"),
            (lambda obj: obj["metadata"].update(name="b"), "returned invalid object: must have the same name: a != b"),
            (lambda obj: obj["metadata"].update(namespace="n"), "returned invalid object: "
             "must have the same namespace:  != n"),
            (lambda obj: obj["metadata"].pop("uid"), "returned invalid object: must have the same UID: 1 != "),
            (lambda obj: obj["metadata"].update(labels={"a": 1}), "returned invalid metadata: "
             "metadata.labels[a] must be a string, but is int64 in converted object"),
            (lambda obj: obj["metadata"].update(labels=[]), "returned invalid metadata: "
             "invalid metadata.labels of type []interface {} in converted object"),
            (lambda obj: obj["metadata"].update(annotations={"a b": ""}), "returned invalid metadata: "
             'metadata.annotation: Invalid value: "a b": name part must consist of alphanumeric characters, \'-\', '
             "\'_\' or \'.\', and must start and end with an alphanumeric character (e.g. \'MyName\',  or "
             "\'my.name\',  or \'123-abc\', regex used for validation is "
             "\'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]\')"),
        ):
            self.assertEqual(self.converting(change), f"{NAME} {said}")
            self.assertEqual([labels for labels, _ in self.metrics.requests()],
                             [("failure", "conversion_webhook_invalid_converted_object_failure")])

    def test_no_objects(self) -> None:
        """What is no object at all is said so."""
        for value, said in ((None, "unexpected end of JSON input"),
                            ("x", "json: cannot unmarshal string into Go value of type unstructured.detector"),
                            ({"a": 1}, "Object 'Kind' is missing in '{\"a\":1}'")):
            self.assertEqual(self.answering(lambda answer, value=value: answer["response"].update(
                convertedObjects=[value])), said)

    def test_metrics(self) -> None:
        """A review is counted, also by definition and versions."""
        self.convert([foo()])
        self.assertEqual(self.metrics.requests(), [(("success", ""), 1.0)])
        self.assertEqual([labels for labels, _ in self.metrics.durations()], [("success", "")])
        self.assertEqual([labels for labels, _ in self.metrics.definition_durations()],
                         [("foos.example.com", "v1", "v2", "true")])
