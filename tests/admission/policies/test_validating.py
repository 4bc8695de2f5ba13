"""Validating policies: what they refuse, and in which words."""

from __future__ import annotations

from tests.admission.policies.kit import GROUP, PolicyTestCase, because, rule
from tests.inprocess import CONFIG_MAPS

TOO_LONG = "'" + "x" * 5121 + "'"


class DenialTests(PolicyTestCase):
    def test_failed_expression(self) -> None:
        """A validation that is false refuses; without a message the expression is shown. 422, with a cause."""
        self.validating("p", " object.metadata.name != 'x' ")
        error = self.refused("POST", CONFIG_MAPS, {"metadata": {"name": "x"}})
        why = because("p", "failed expression: object.metadata.name != 'x'")
        self.assertEqual((error.code, error.reason, error.message), (
            422, "Invalid", f'configmaps "x" is forbidden: {why}'))
        self.assertEqual(error.details, {"name": "x", "kind": "configmaps", "causes": [{"message": why}]})
        self.create("y")

    def test_messages(self) -> None:
        """A message expression goes first, unless it fails, is empty, too long or has several lines; then a message."""
        for index, (dynamic, shown) in enumerate((
                ("'no ' + object.metadata.name", "no x"), ("'  spaces '", "spaces"), ("''", "static"),
                ("'a\\nb'", "static"), (TOO_LONG, "static"), ("object.nothing", "static"))):
            self.validating(f"p{index}", {"expression": "false", "message": " static ", "messageExpression":
                                          dynamic if dynamic != "object.nothing" else "string(object.nothing)"})
            self.assertEqual(self.denied(), because(f"p{index}", shown))
            self.ask("DELETE", f"{GROUP}/validatingadmissionpolicybindings/p{index}")

    def test_reasons(self) -> None:
        """The reason of a validation decides the code."""
        for reason, code in (("Forbidden", 403), ("Invalid", 422), ("RequestEntityTooLarge", 413)):
            self.validating(reason.lower(), {"expression": "false", "reason": reason})
            error = self.refused("POST", CONFIG_MAPS, {"metadata": {"name": "x"}})
            self.assertEqual((error.code, error.reason), (code, reason))
            self.ask("DELETE", f"{GROUP}/validatingadmissionpolicybindings/{reason.lower()}")

    def test_first_counts(self) -> None:
        """The first validation of the first policy, by name, that fails is the one that is told of."""
        self.validating("b", "false")
        self.validating("a", "true", {"expression": "false", "message": "second"}, {"expression": "false"})
        self.assertEqual(self.denied(), because("a", "second"))

    def test_generated_name(self) -> None:
        """A name that is generated is known to validating policies, and not yet to mutating ones."""
        self.mutating("m", "has(request.name) ? Object{nothing: 1} : Object{}")
        self.validating("p", "request.name != object.metadata.name")
        error = self.refused("POST", CONFIG_MAPS, {"metadata": {"generateName": "g-"}})
        self.assertRegex(error.message, 'configmaps "g-[a-z0-9]{5}" is forbidden: ' + because(
            "p", "failed expression: request.name != object.metadata.name"))

    def test_runtime_error(self) -> None:
        """A validation without a value refuses, unless the policy may fail."""
        self.validating("p", "object.nothing == 1")
        why = "expression 'object.nothing == 1' resulted in error: no such key: nothing"
        self.assertEqual(self.denied(), because("p", why))
        self.merge(f"{GROUP}/validatingadmissionpolicies/p", {"spec": {"failurePolicy": "Ignore"}})
        self.create()

    def test_failure_is_not_ignored(self) -> None:
        """A policy that may fail still refuses what it finds wrong."""
        self.validating("p", "object.nothing == 1", {"expression": "false", "message": "no"}, failurePolicy="Ignore")
        self.assertEqual(self.denied(), because("p", "no"))

    def test_no_binding(self) -> None:
        """A policy without a binding is not asked, nor is a binding without a policy."""
        self.validating("p", "false", bind=False)
        self.bind("Validating", "other", "nothing")
        self.create()

    def test_changes(self) -> None:
        """Policies and bindings are obeyed as soon as they are written."""
        self.validating("p", "false")
        self.denied()
        self.merge(f"{GROUP}/validatingadmissionpolicies/p", {"spec": {"validations": [{"expression": "true"}]}})
        self.create("a")
        self.merge(f"{GROUP}/validatingadmissionpolicies/p", {"spec": {"validations": [{"expression": "false"}]}})
        self.denied()
        self.ask("DELETE", f"{GROUP}/validatingadmissionpolicies/p")
        self.create("b")


class ActionTests(PolicyTestCase):
    def test_warn(self) -> None:
        """A warning says what would have been refused."""
        self.validating("p", {"expression": "false", "message": "bad"}, bind={"validationActions": ["Warn", "Audit"]})
        answer = self.send("POST", CONFIG_MAPS, b'{"metadata": {"name": "x"}}')
        self.assertEqual((answer.code, answer.warnings), (
            201, ["Validation failed for ValidatingAdmissionPolicy 'p' with binding 'p': bad"]))

    def test_errors_warn_too(self) -> None:
        """So does a validation without a value."""
        self.validating("p", "object.nothing == 1", bind={"validationActions": ["Warn"]})
        answer = self.send("POST", CONFIG_MAPS, b'{"metadata": {"name": "x"}}')
        self.assertEqual(answer.warnings, [
            "Validation failed for ValidatingAdmissionPolicy 'p' with binding 'p': expression 'object.nothing == 1' "
            "resulted in error: no such key: nothing"])

    def test_configuration_errors_refuse(self) -> None:
        """What is wrong with a binding refuses, whatever its actions are."""
        self.validating("p", "true", paramKind={"apiVersion": "v1", "kind": "ConfigMap"}, bind={
            "validationActions": ["Warn"],
            "paramRef": {"name": "absent", "namespace": "default", "parameterNotFoundAction": "Deny"}})
        self.assertEqual(self.denied(), because(
            "p", "failed to configure binding: no params found for policy binding with `Deny` "
                 "parameterNotFoundAction"))


class VariableTests(PolicyTestCase):
    def test_composed(self) -> None:
        """Variables may use those before them, and are there for validations, messages and annotations."""
        self.validating(
            "p", {"expression": "variables.long", "messageExpression": "'only ' + string(variables.size)"},
            variables=[{"name": "size", "expression": "size(object.data)"},
                       {"name": "long", "expression": "variables.size > 1"}],
            auditAnnotations=[{"key": "size", "valueExpression": "string(variables.size)"}])
        self.assertEqual(self.denied(data={"a": "b"}), because("p", "only 1"))
        self.create(data={"a": "b", "c": "d"})

    def test_lazy(self) -> None:
        """A variable that nobody needs is not evaluated; one without a value says so where it is used."""
        self.validating("p", "variables.used", {"expression": "has(object.data.a) || variables.broken"},
                        variables=[{"name": "used", "expression": "true"},
                                   {"name": "broken", "expression": "object.data.b == 'x'"},
                                   {"name": "more", "expression": "variables.broken"}])
        self.create(data={"a": "b"})
        why = ("expression 'has(object.data.a) || variables.broken' resulted in error: composited variable \"broken\" "
               "fails to evaluate: no such key: b")
        self.assertEqual(self.denied("y", data={"c": ""}), because("p", why))


class ConditionTests(PolicyTestCase):
    def test_conditions(self) -> None:
        """A policy is asked when all conditions hold; one that is false decides."""
        self.validating("p", "false", matchConditions=[
            {"name": "a", "expression": "object.nothing == 1"},
            {"name": "b", "expression": "object.metadata.name == 'x'"}])
        self.create("y")
        self.assertEqual(self.denied(), because(
            "p", "expression 'object.nothing == 1' resulted in error: no such key: nothing"))

    def test_several_failures(self) -> None:
        """All that is wrong with conditions is told; a policy that may fail is not asked."""
        self.validating("p", "false", matchConditions=[
            {"name": "a", "expression": "object.a == 1"}, {"name": "b", "expression": "object.b == 1"}])
        self.assertEqual(self.denied(), because(
            "p", "[expression 'object.a == 1' resulted in error: no such key: a, "
                 "expression 'object.b == 1' resulted in error: no such key: b]"))
        self.merge(f"{GROUP}/validatingadmissionpolicies/p", {"spec": {"failurePolicy": "Ignore"}})
        self.create()

    def test_no_namespace(self) -> None:
        """Conditions know no namespace, as in the original; validations do."""
        self.validating("p", "namespaceObject.metadata.name == 'default'",
                        matchConditions=[{"name": "a", "expression": "namespaceObject == null"}])
        self.create()


class InputTests(PolicyTestCase):
    def test_operations(self) -> None:
        """Creations have no old object, deletions no new one."""
        self.validating("p", "request.operation != 'CREATE' || oldObject == null",
                        "request.operation != 'UPDATE' || oldObject.data.a == 'b' && object.data.a == 'c'",
                        "request.operation != 'DELETE' || object == null && oldObject.data.a == 'c'")
        self.create(data={"a": "b"})
        self.merge(f"{CONFIG_MAPS}/x", {"data": {"a": "c"}})
        self.ask("DELETE", f"{CONFIG_MAPS}/x")

    def test_request(self) -> None:
        """The request says who wants what; fields that are empty are not there."""
        self.validating(
            "p", "request.kind.kind == 'ConfigMap' && request.resource.resource == 'configmaps'",
            "request.userInfo.username == 'system:apiserver' && 'system:masters' in request.userInfo.groups",
            "request.name == 'x' && request.namespace == 'default' && !request.dryRun",
            "!has(request.subResource) && !has(request.userInfo.uid)", "request.options.kind == 'CreateOptions'")
        self.create()

    def test_dry_run(self) -> None:
        """A dry run is one."""
        self.validating("p", {"expression": "request.dryRun", "messageExpression": "'real'"})
        self.ask("POST", f"{CONFIG_MAPS}?dryRun=All", {"metadata": {"name": "x"}})
        self.assertEqual(self.denied(), because("p", "real"))

    def test_namespace(self) -> None:
        """The namespace's labels can be asked about; cluster-scoped objects have none, nor do namespaces."""
        self.merge("/api/v1/namespaces/default", {"metadata": {"labels": {"team": "a"}}})
        self.validating("p", "namespaceObject.metadata.labels.team == 'a' && has(namespaceObject.status)")
        self.create()
        self.validating("q", "namespaceObject == null", rules=[rule("namespaces", "nodes")])
        self.ask("POST", "/api/v1/namespaces", {"metadata": {"name": "n"}})
        self.ask("POST", "/api/v1/nodes", {"metadata": {"name": "n"}})

    def test_zero_values(self) -> None:
        """Objects are seen as they would be shown: with defaults, and with empty objects that are always shown."""
        template = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
        self.validating("p", "object.spec.template.spec.containers[0].resources == {} && object.status == {}",
                        "object.spec.replicas == 1 && !has(object.spec.template.spec.nodeName)",
                        rules=[rule("deployments", group="apps")])
        self.ask("POST", "/apis/apps/v1/namespaces/default/deployments", {
            "metadata": {"name": "p"}, "spec": {"selector": {"matchLabels": {"a": "b"}}, "template": template}})


class BudgetTests(PolicyTestCase):
    LOOP = "object.data.a.split('').all(x, object.data.a.split('').all(y, x == y))"

    def test_one_expression(self) -> None:
        """An expression that costs too much has no value."""
        self.validating("p", self.LOOP)
        self.create(data={"a": "aaa"})
        self.assertEqual(self.denied("y", data={"a": "a" * 2000}), because(
            "p", f"expression '{self.LOOP}' resulted in error: operation cancelled: actual cost limit exceeded"))

    def test_all(self) -> None:
        """All together may cost no more than a budget; when it is spent none counts."""
        self.validating("p", *[self.LOOP] * 12)
        self.assertEqual(self.denied("y", data={"a": "a" * 2000}), because(
            "p", "validation failed due to running out of cost budget, no further validation rules will be run"))

    def test_conditions(self) -> None:
        """Match conditions have a smaller one."""
        self.validating("p", "true", matchConditions=[{"name": f"c{one}", "expression": self.LOOP} for one in range(3)])
        self.assertEqual(self.denied("y", data={"a": "a" * 2000}), because(
            "p", "validation failed due to running out of cost budget, no further validation rules will be run"))
