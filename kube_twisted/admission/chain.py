"""The admission chain: mutating plugins, then, once the object is valid, validating plugins, each in a fixed order."""

from __future__ import annotations

from collections.abc import Sequence

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.interfaces import IAdmissionPlugin, IMutation, IValidation

_OPERATIONS = ("CREATE", "UPDATE", "DELETE", "CONNECT")


class AdmissionChain:
    """Plugins in order.

    :param plugins: each provides IMutation, IValidation or both.
    """

    def __init__(self, plugins: Sequence[IAdmissionPlugin] = ()) -> None:
        self.plugins = tuple(plugins)
        self._mutating = {operation: [one for one in plugins if IMutation.providedBy(one) and one.handles(operation)]
                          for operation in _OPERATIONS}
        self._validating = {operation: [one for one in plugins
                                        if IValidation.providedBy(one) and one.handles(operation)]
                            for operation in _OPERATIONS}

    async def admit(self, attributes: Attributes) -> None:
        """Let the mutating plugins change the object."""
        for plugin in self._mutating[attributes.operation]:
            await plugin.admit(attributes)

    async def validate(self, attributes: Attributes) -> None:
        """Let the validating plugins look at the result."""
        for plugin in self._validating[attributes.operation]:
            await plugin.validate(attributes)
