"""Expressions of webhooks' conditions and of admission policies."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.cel.activation import Activation, OutOfBudget, compile_variables
from kube_twisted.cel.admission import Composition, Names, validate
from kube_twisted.cel.library.authorization import Decision, Question, authorizer
from kube_twisted.cel.mutation import JSON_PATCHES, OBJECT, misplaced, native
from kube_twisted.cel.program import Program
from kube_twisted.cel.types import BOOL, INT, NULL, STRING, Type


def errors(expression: str, names: Names | None = None, *wanted: Type, within: Composition | None = None) -> list[str]:
    return [str(one) for one in validate("p", expression, names or Names(), wanted, within=within)[0]]


def program(expression: str, names: Names | None = None, within: Composition | None = None) -> Program:
    return (within or Composition(False)).compile(expression, names or Names(params=True))


class ValidationTests(SynchronousTestCase):
    """Whether an expression may be written."""

    def test_names(self) -> None:
        """There are the objects, the request and its namespace; the others where they make sense."""
        for expression in ("object.x == oldObject.y", "request.userInfo.groups.exists(g, g == 'a')",
                           "namespaceObject.metadata.name == request.namespace",
                           "authorizer.group('').resource('pods').check('get').allowed()",
                           "authorizer.requestResource.check('create').allowed()"):
            self.assertEqual(errors(expression, Names(), BOOL), [])
        self.assertEqual(errors("params.x", Names(params=True)), [])
        for name, names in (("params", Names()), ("authorizer", Names(authorizer=False)), ("variables", Names())):
            self.assertEqual(errors(f"{name}.x", names), [
                f"p: Invalid value: \"{name}.x\": compilation failed: ERROR: <input>:1:1: undeclared reference to "
                f"'{name}' (in container '')\n | {name}.x\n | ^"])

    def test_types(self) -> None:
        """The result has a type that is wanted."""
        self.assertEqual(errors("1", Names(), BOOL), ['p: Invalid value: "1": must evaluate to bool but got int'])
        self.assertEqual(errors("1", Names(), STRING, NULL),
                         ['p: Invalid value: "1": must evaluate to one of [string null_type] but got int'])
        self.assertEqual(errors("[1]", Names(), BOOL),
                         ['p: Invalid value: "[1]": must evaluate to bool but got list(int)'])
        self.assertEqual(validate("p", "1", Names())[1], INT)

    def test_fields_of_the_request(self) -> None:
        """Its fields have types."""
        self.assertIn("undefined field 'nosuch'", errors("request.nosuch")[0])
        self.assertIn("found no matching overload for '_==_' applied to '(string, int)'",
                      errors("request.name == 1")[0])

    def test_constants(self) -> None:
        """A constant that can't be made is found at once."""
        self.assertEqual(errors("int('x') == 1"), ["p: Internal error: program instantiation failed: type conversion "
                                                   "error from 'string' to 'int'"])

    def test_variables(self) -> None:
        """An expression names the variables before it, by their types."""
        composition = Composition(True)
        self.assertIn("undefined field 'a'", errors("variables.a", within=composition)[0])
        composition.declare("a", INT)
        composition.declare("b", None)
        self.assertEqual(errors("variables.a == 1 && variables.b.c", within=composition), [])
        self.assertIn("no matching overload", errors("variables.a == ''", within=composition)[0])


class ActivationTests(SynchronousTestCase):
    """Evaluating a policy's expressions."""

    def activation(self, variables: dict[str, str], **values: object) -> tuple[Composition, Activation]:
        composition = Composition(True)
        compiled = compile_variables(variables.items(), composition, Names(params=True))
        return composition, Activation(values, compiled)

    def test_values(self) -> None:
        """Names stand for what they are given."""
        activation = Activation({"object": {"a": 1}, "oldObject": None, "params": {"b": 1}})
        self.assertIs(activation.evaluate(program("object.a == params.b && oldObject == null")).value, True)

    def test_errors(self) -> None:
        """An error names its expression."""
        activation = Activation({"object": {}})
        self.assertEqual(activation.evaluate(program("object.a.b")).error,
                         "expression 'object.a.b' resulted in error: no such key: a")

    def test_variables(self) -> None:
        """Variables are evaluated once, when they are named, and may name others."""
        composition, activation = self.activation({"a": "object.x + 1", "b": "variables.a * 2", "c": "object.nosuch"},
                                                  object={"x": 1})
        self.assertEqual(activation.evaluate(program("variables.b", within=composition)).value, 4)
        spent = activation.budget
        self.assertEqual(activation.evaluate(program("variables.b", within=composition)).value, 4)
        self.assertEqual(spent - activation.budget, 2)
        self.assertIs(activation.evaluate(program("has(variables.a)", within=composition)).value, True)

    def test_broken_variables(self) -> None:
        """One that fails, or that didn't compile, is an error where it is named, and only there."""
        composition, activation = self.activation({"a": "object.x", "b": "nosuch", "c": "int('x')"}, object={})
        for name, said in {
                "a": "evaluate: no such key: x",
                "b": "compile: compilation failed: ERROR: <input>:1:1: undeclared reference to 'nosuch' (in container "
                     "'')\n | nosuch\n | ^",
                "c": "compile: program instantiation failed: type conversion error from 'string' to 'int'"}.items():
            found = activation.evaluate(program(f"variables.{name} == 1", within=composition))
            self.assertEqual(found.error, f"expression 'variables.{name} == 1' resulted in error: composited variable "
                                          f'"{name}" fails to {said}')
        found = activation.evaluate(program("true || variables.a", within=composition))
        self.assertIs(found.value, True)

    def test_budget(self) -> None:
        """Expressions and the variables they name share a budget."""
        composition, activation = self.activation({"a": "[1, 2, 3].all(x, x > 0)"})
        activation.budget = 17
        with self.assertRaises(OutOfBudget):
            activation.evaluate(program("variables.a", within=composition))
        self.assertEqual(Activation({}, budget=1).evaluate(program("1 == 1")).value, True)
        with self.assertRaises(OutOfBudget):
            Activation({}, budget=1).evaluate(program("[1].size() == 1 && [2].size() == 1"))

    def test_authorizer(self) -> None:
        """The authorizer is asked a question that the expression puts together."""
        asked: list[Question] = []

        def decide(question: Question) -> Decision:
            asked.append(question)
            return Decision(False, "because")
        activation = Activation({"authorizer": authorizer(decide)})
        expression = ("authorizer.serviceAccount('n', 'sa').group('apps').resource('deployments').subresource('scale')"
                      ".namespace('ns').name('x').check('update').reason()")
        self.assertEqual(activation.evaluate(program(expression)).value, "because")
        activation.evaluate(program("authorizer.path('/healthz').check('get').allowed()"))
        self.assertEqual(asked, [
            Question("update", "", "apps", "deployments", "scale", "ns", "x", service_account=("n", "sa")),
            Question("get", "/healthz")])


class MutationTests(SynchronousTestCase):
    """Objects and patches that mutating policies make."""

    names = Names(params=True, patches=True)

    def value(self, expression: str, **values: object) -> object:
        found = Activation(values).evaluate(program(expression, self.names))
        self.assertIsNone(found.error)
        return found.value

    def test_types(self) -> None:
        """Only mutating policies make them."""
        self.assertEqual(errors("Object{}", self.names, OBJECT), [])
        self.assertEqual(errors("[JSONPatch{op: 'remove', path: '/a'}]", self.names, JSON_PATCHES), [])
        self.assertIn("undeclared reference to 'Object'", errors("Object{}", Names())[0])

    def test_objects(self) -> None:
        """An object becomes JSON."""
        made = self.value("Object{spec: Object.spec{replicas: object.n + 1, l: [Object.spec.l{a: 'x'}]}}",
                          object={"n": 1})
        self.assertEqual(native(made), {"spec": {"replicas": 2, "l": [{"a": "x"}]}})
        self.assertEqual(misplaced(made), [])

    def test_misplaced(self) -> None:
        """The type's name has to be that of the field it is used for."""
        self.assertEqual(misplaced(self.value("Object{spec: Object.metadata{}}")), [
            'unexpected type name "Object.metadata", expected "Object.spec", which matches field name path from root '
            "Object type"])

    def test_patches(self) -> None:
        """A patch's path may hold escaped names."""
        made = self.value("[JSONPatch{op: 'add', path: '/a/' + jsonpatch.escapeKey('x/y'), value: {'k': 1}}]")
        self.assertEqual(native(made), [{"op": "add", "path": "/a/x~1y", "value": {"k": 1}}])
