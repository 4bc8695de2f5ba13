"""Lets expressions ask the server's authorizer what a user may do (KEP-3488, "Secondary Authorization").

An expression is evaluated in one go. When an authorizer can't answer at once, the evaluation is given up, and begun
anew when the answer is there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from kube_twisted.api import fields, labels
from kube_twisted.api.errors import StatusError
from kube_twisted.api.user import UserInfo, service_account_groups, service_account_name
from kube_twisted.authorization.interfaces import Attributes, IAuthorizer
from kube_twisted.authorization.interfaces import Decision as Answer
from kube_twisted.cel.library.authorization import Decision, Question
from kube_twisted.util.deferreds import to_deferred

T = TypeVar("T")


class Undecided(Exception):
    """An authorizer needs time.

    :ivar answer: fires when it has decided.
    """

    def __init__(self, question: Question, answer: Deferred[Answer]) -> None:
        super().__init__(question)
        self.question = question
        self.answer = answer


class Checks:
    """Decides the questions of all expressions about one write; each question is asked once.

    :param user: who makes the request.
    """

    def __init__(self, authorizer: IAuthorizer, user: UserInfo) -> None:
        self._authorizer = authorizer
        self._user = user
        self._decisions: dict[Question, Decision] = {}

    def decide(self, question: Question) -> Decision:
        """
        :raises Undecided: when that takes time.
        """
        found = self._decisions.get(question)
        if found is None:
            answer = to_deferred(self._authorizer.authorize(self._attributes(question)))
            if not answer.called:
                raise Undecided(question, answer)
            found = self._decisions[question] = _decision(_result(answer))
        return found

    async def settled(self, evaluate: Callable[[], T]) -> T:
        """What an evaluation gives, begun as often as it must be."""
        while True:
            try:
                return evaluate()
            except Undecided as waiting:
                self._decisions[waiting.question] = _decision(await waiting.answer)

    def _attributes(self, question: Question) -> Attributes:
        user = self._user
        if question.service_account is not None:
            user = UserInfo(service_account_name(*question.service_account),
                            groups=service_account_groups(question.service_account[0]))
        if question.path:
            return Attributes(user=user, verb=question.verb, path=question.path, resource_request=False)
        return Attributes(
            user=user, verb=question.verb, group=question.group, version="*", resource=question.resource,
            subresource=question.subresource, namespace=question.namespace, name=question.name,
            field_selector=_readable(question.field_selector, fields.parse),
            label_selector=_readable(question.label_selector, labels.parse))


def _result(answer: Deferred[Answer]) -> Answer:
    """What a Deferred has fired with."""
    told: list[Answer] = []
    failed: list[Failure] = []
    answer.addCallbacks(told.append, failed.append)
    if failed:
        failed[0].raiseException()
    return told[0]


def _readable(selector: str, parse: Callable[[str], object]) -> str:
    """A selector, or nothing when it is none."""
    try:
        parse(selector)
    except StatusError:
        return ""
    return selector


def _decision(answer: Answer) -> Decision:
    return Decision(answer.allowed, answer.reason)

