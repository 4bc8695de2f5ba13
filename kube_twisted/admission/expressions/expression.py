"""One expression of a policy or webhook: compiled once, and run for each write."""

from __future__ import annotations

from attrs import frozen

from kube_twisted.cel.activation import Activation, Evaluation
from kube_twisted.cel.admission import Composition, Names
from kube_twisted.cel.errors import CompilationFailed
from kube_twisted.cel.program import BadProgram, Program
from kube_twisted.cel.types import Type


@frozen
class Expression:
    """A compiled expression.

    :ivar program: None when it does not compile.
    :ivar problem: why it does not.
    """

    text: str
    program: Program | None
    problem: str = ""

    @classmethod
    def compile(cls, text: str, within: Composition, names: Names, wanted: tuple[Type, ...] = ()) -> Expression:
        """Compile what was accepted when it was written; that it does not compile any more is kept for later.

        :param within: the policy whose variables it may use.
        :param wanted: the types that it may have; any, when there are none.
        """
        try:
            return cls(text, within.compile(text, names, wanted))
        except CompilationFailed as error:
            return cls(text, None, f"compilation failed: {error}")
        except TypeError as error:
            return cls(text, None, str(error))
        except BadProgram as error:
            return cls(text, None, f"program instantiation failed: {error}")

    def run(self, activation: Activation) -> Evaluation:
        """What it gives.

        :raises OutOfBudget: what was run so far costs too much. :raises Undecided: an authorizer needs time.
        """
        if self.program is None:
            return Evaluation(error=f"compilation error: {self.problem}")
        return activation.evaluate(self.program)
