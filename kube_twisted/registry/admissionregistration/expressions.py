"""Checks the expressions of policies and webhooks when they are written.

The expression language is loaded with the first of them: a server without policies starts without it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kube_twisted.api.field import FieldError

if TYPE_CHECKING:
    from kube_twisted.cel.admission import Composition, Names
    from kube_twisted.cel.types import Type

#: What an expression must give.
YES_OR_NO, TEXT, TEXT_OR_NULL = ("bool",), ("string",), ("string", "null")
APPLIED, PATCHES = ("object",), ("patches",)


class Expressions:
    """The expressions of one policy or webhook.

    :param params: whether they may name the policy's parameters.
    :param has_variables: whether they may name variables.
    """

    def __init__(self, params: bool = False, has_variables: bool = False) -> None:
        self._params = params
        self._has_variables = has_variables
        self._within: Composition | None = None

    def check(self, path: str, expression: str, wanted: tuple[str, ...], *, authorizer: bool = True,
              shown: Any = None) -> list[FieldError]:
        """What is wrong with an expression.

        :param wanted: what it must give.
        :param authorizer: whether it may ask what users may do.
        :param shown: the value that errors show; the expression itself unless given.
        """
        from kube_twisted.cel import admission

        names = self._names(authorizer, wanted in (APPLIED, PATCHES))
        return admission.validate(path, expression, names, _types(wanted), within=self._composed(), shown=shown)[0]

    def check_variable(self, path: str, name: str, expression: str) -> list[FieldError]:
        """The same for a variable, which the expressions to come may name."""
        from kube_twisted.cel import admission

        within = self._composed()
        errors, result = admission.validate(path, expression, self._names(), within=within)
        within.declare(name, result)
        return errors

    def _composed(self) -> Composition:
        from kube_twisted.cel.admission import Composition

        if self._within is None:
            self._within = Composition(self._has_variables)
        return self._within

    def _names(self, authorizer: bool = True, patches: bool = False) -> Names:
        from kube_twisted.cel.admission import Names

        return Names(params=self._params, authorizer=authorizer, patches=patches)


def _types(wanted: tuple[str, ...]) -> tuple[Type, ...]:
    from kube_twisted.cel.mutation import JSON_PATCHES, OBJECT
    from kube_twisted.cel.types import BOOL, NULL, STRING

    known = {"bool": BOOL, "string": STRING, "null": NULL, "object": OBJECT, "patches": JSON_PATCHES}
    return tuple(known[one] for one in wanted)
