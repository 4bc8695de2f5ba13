"""CustomResourceDefinitions: names, versions, conversion, and what may change."""

from __future__ import annotations

from typing import Any

from kube_twisted.registry.apiextensions import customresourcedefinition
from tests.registry.resources import CONTEXT, StrategyTestCase, kind

SCHEMA: dict[str, Any] = {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}
V1: dict[str, Any] = {"name": "v1", "served": True, "storage": True, "schema": SCHEMA}
V2: dict[str, Any] = V1 | {"name": "v2", "storage": False}
SPEC: dict[str, Any] = {"group": "example.com", "scope": "Namespaced", "versions": [V1],
                        "names": {"plural": "things", "kind": "Thing"}}
DNS_1035 = ("a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic "
            "character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for "
            "validation is '[a-z]([-a-z0-9]*[a-z0-9])?')")


class DefinitionTestCase(StrategyTestCase):
    api = "apiextensions.k8s.io/v1/CustomResourceDefinition"

    def setUp(self) -> None:
        self.strategy = customresourcedefinition.STRATEGY.for_kind(kind(self.api))

    def wrong(self, **spec: Any) -> list[str]:
        """What is wrong with the usual definition with other fields."""
        return self.errors(metadata={"name": "things.example.com"}, spec=SPEC | spec)

    def wrong_version(self, **fields: Any) -> list[str]:
        """What is wrong when its one version has other fields."""
        return self.wrong(versions=[V1 | fields])


class CreationTests(DefinitionTestCase):
    def test_literals(self) -> None:
        """Whole numbers in defaults and enumerations lose their fraction, at any depth; very large ones are doubles."""
        schema = {"openAPIV3Schema": {"type": "object", "properties": {"a": {
            "type": "object", "default": {"n": [1.0, 1.5]}, "enum": [[1.0], 1 << 63]}}}}
        spec = self.defaulted(spec=SPEC | {"versions": [V1 | {"schema": schema}]})["spec"]
        held = spec["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["a"]
        self.assertEqual(repr((held["default"], held["enum"])), f"({{'n': [1, 1.5]}}, [[1], {float(1 << 63)}])")

    def test_defaults(self) -> None:
        """Other names come from the kind; nothing is converted."""
        spec = self.defaulted(spec=SPEC)["spec"]
        self.assertEqual(spec["names"], {"plural": "things", "singular": "thing", "kind": "Thing",
                                         "listKind": "ThingList"})
        self.assertEqual(spec["conversion"], {"strategy": "None"})

    def test_status(self) -> None:
        """The storage version is noted at once; no names are accepted yet."""
        self.assertEqual(self.created(spec=SPEC)["status"], {
            "conditions": None, "acceptedNames": {"plural": "", "kind": ""}, "storedVersions": ["v1"]})

    def test_name(self) -> None:
        """The object is named by plural and group; a name that is none at all is told to be both."""
        self.assertEqual(self.wrong(), [])
        wanted = 'must be spec.names.plural+"."+spec.group'
        self.assertEqual(self.name_errors("a.example.com", spec=SPEC), [wanted])
        self.assertEqual(self.name_errors("gen-", True, spec=SPEC), [wanted])
        self.assertEqual(self.name_errors("Bad", spec=SPEC)[1:], [wanted])

    def test_group(self) -> None:
        """The group is a domain of several labels."""
        self.assertEqual(self.wrong(group="nodots"),
                         ['spec.group: Invalid value: "nodots": should be a domain with at least one dot'])

    def test_scope(self) -> None:
        """Objects are of the cluster or of namespaces."""
        self.assertEqual(self.wrong(scope="Galaxy"), [
            'spec.scope: Unsupported value: "Galaxy": supported values: "Cluster", "Namespaced"'])
        self.assertEqual(self.wrong(scope=""), ["spec.scope: Required value"])

    def test_names(self) -> None:
        """All names are labels; kinds may have capitals; a list is of another kind."""
        names = SPEC["names"]
        self.assertEqual(self.wrong(names=names | {"shortNames": ["OK"]}),
                         [f'spec.names.shortNames[0]: Invalid value: "OK": {DNS_1035}'])
        self.assertEqual(self.wrong(names=names | {"listKind": "A_"}), [
            f'spec.names.listKind: Invalid value: "A_": may have mixed case, but should otherwise match: {DNS_1035}'])
        self.assertEqual(self.wrong(names=names | {"listKind": "Thing"}), [
            'spec.names.listKind: Invalid value: "Thing": kind and listKind may not be the same'])
        self.assertEqual(self.wrong(names={"plural": "things"}), [
            "spec.names.singular: Required value", "spec.names.kind: Required value",
            "spec.names.listKind: Required value"])

    def test_protected_groups(self) -> None:
        """Groups of the community need an approval."""
        metadata: dict[str, Any] = {"name": "things.a.k8s.io"}
        spec = SPEC | {"group": "a.k8s.io"}
        errors = self.errors(metadata=metadata, spec=spec)
        self.assertEqual(errors, [
            "metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups must have approval "
            'annotation "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111'])
        for text in ("https://example.com/approval", "unapproved, a test"):
            metadata["annotations"] = {"api-approved.kubernetes.io": text}
            self.assertEqual(self.errors(metadata=metadata, spec=spec), [])

    def test_preserving(self) -> None:
        """Unknown fields are preserved by schema only."""
        self.assertEqual(self.wrong(preserveUnknownFields=True), [
            "spec.preserveUnknownFields: Invalid value: true: cannot set to true, set "
            "x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead"])

    def test_formats(self) -> None:
        """Formats that the server does not check warn, once each."""
        schema = {"openAPIV3Schema": {"type": "object", "properties": {
            "a": {"type": "string", "format": "made-up"}, "b": {"type": "string", "format": "date-time"},
            "c": {"type": "integer", "format": "made-up"}}}}
        made = self.created(spec=SPEC | {"versions": [V1 | {"schema": schema}]})
        self.assertEqual(self.strategy.warnings_on_create(CONTEXT, made), ['unrecognized format "made-up"'])
        self.assertEqual(self.strategy.warnings_on_update(CONTEXT, made, made), [])


class VersionsTests(DefinitionTestCase):
    def test_schema_is_needed(self) -> None:
        """Every version has a schema."""
        self.assertEqual(self.wrong(versions=[{"name": "v1", "served": True, "storage": True}]),
                         ["spec.versions[0].schema.openAPIV3Schema: Required value"])

    def test_one_is_stored(self) -> None:
        """Exactly one version is the storage version; none is there twice."""
        errors = self.wrong(versions=[V1, V2 | {"storage": True}])
        self.assertEqual(len(errors), 2)
        self.assertTrue(errors[0].startswith('spec.versions: Invalid value: [{"Name":"v1",'))
        self.assertTrue(errors[0].endswith("must have exactly one version marked as storage version"))
        for versions, shown in (([], "[]"), (None, "null")):
            self.assertIn(f"spec.versions: Invalid value: {shown}: must have exactly one version marked as storage "
                          "version", self.wrong(versions=versions))
        self.assertEqual(errors[1], 'status.storedVersions: Invalid value: ["v1"]: '
                                    "must have the storage version v2")
        errors = self.wrong(versions=[V1, V1 | {"storage": False}])
        self.assertTrue(errors[0].endswith("must contain unique version names"))

    def test_where_errors_are(self) -> None:
        """What versions share is reported once, as if it stood above them."""
        bad = {"openAPIV3Schema": {"type": "string"}}
        detail = 'Invalid value: "string": must be object at the root'
        self.assertEqual(self.wrong(versions=[V1 | {"schema": bad}, V2 | {"schema": bad}]),
                         [f"spec.validation.openAPIV3Schema.type: {detail}"])
        self.assertEqual(self.wrong(versions=[V1, V2 | {"schema": bad}]),
                         [f"spec.versions[1].schema.openAPIV3Schema.type: {detail}"])

    def test_columns(self) -> None:
        """A column has a name, a known type and a path."""
        self.assertEqual(self.wrong_version(additionalPrinterColumns=[{"type": "string"}]), [
            "spec.additionalPrinterColumns[0].name: Required value",
            "spec.additionalPrinterColumns[0].JSONPath: Required value"])
        column = {"name": "A", "type": "weird", "jsonPath": "spec"}
        self.assertEqual(self.wrong_version(additionalPrinterColumns=[column]), [
            'spec.additionalPrinterColumns[0].type: Invalid value: "weird": must be one of '
            "boolean,date,integer,number,string",
            'spec.additionalPrinterColumns[0].JSONPath: Invalid value: "spec": must be a simple json path '
            "starting with ."])

    def test_scale(self) -> None:
        """Counts of scaled objects are in spec and status."""
        scale = {"specReplicasPath": ".status.replicas", "statusReplicasPath": ".status.replicas"}
        self.assertEqual(self.wrong_version(subresources={"scale": scale}), [
            'spec.subresources.scale.specReplicasPath: Invalid value: ".status.replicas": should be a json path '
            "under .spec"])

    def test_selectable_fields(self) -> None:
        """Fields to select by are scalars of the schema, each once."""
        schema = {"openAPIV3Schema": {"type": "object", "properties": {
            "spec": {"type": "object", "properties": {"a": {"type": "string"}}}}}}
        paths = [{"jsonPath": path} for path in (".spec.a", ".spec.a", ".spec", ".spec.none", ".spec['a']")]
        at = "spec.selectableFields[{}].jsonPath: {}"
        self.assertEqual(self.wrong_version(schema=schema, selectableFields=paths), [
            at.format(1, 'Duplicate value: ".spec.a"'),
            at.format(2, 'Invalid value: ".spec": must point to a field of type string, boolean or integer. Enum '
                         "string fields and strings with formats are allowed."),
            at.format(3, 'Invalid value: ".spec.none": is an invalid path: does not refer to a valid field'),
            at.format(4, 'Invalid value: ".spec[\'a\']": is an invalid path: array notation is not allowed')])

    def test_deprecation(self) -> None:
        """Only deprecated versions have a text about it."""
        self.assertEqual(self.wrong_version(deprecationWarning="gone"), [
            'spec.versions[0].deprecationWarning: Invalid value: "gone": can only be set for deprecated versions'])
        self.assertEqual(self.wrong_version(deprecated=True, deprecationWarning="gone"), [])


class ConversionTests(DefinitionTestCase):
    config = {"clientConfig": {"url": "https://example.com"}, "conversionReviewVersions": ["v1"]}

    def test_webhook(self) -> None:
        """A webhook is where it is said, and speaks a known version."""
        self.assertEqual(self.wrong(conversion={"strategy": "Webhook", "webhook": self.config}), [])
        self.assertEqual(self.wrong(conversion={"strategy": "Webhook"}), [
            "spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook",
            "spec.conversion.conversionReviewVersions: Required value"])
        odd = self.config | {"conversionReviewVersions": ["v9"]}
        self.assertEqual(self.wrong(conversion={"strategy": "Webhook", "webhook": odd}), [
            'spec.conversion.conversionReviewVersions: Invalid value: ["v9"]: must include at least one of v1, '
            "v1beta1"])

    def test_none(self) -> None:
        """Without a webhook there is none to configure."""
        self.assertEqual(self.wrong(conversion={"strategy": "None", "webhook": self.config}), [
            "spec.conversion.webhookClientConfig: Forbidden: should not be set when strategy is not set to Webhook",
            "spec.conversion.conversionReviewVersions: Forbidden: should not be set when strategy is not set to "
            "Webhook"])

    def test_certificates(self) -> None:
        """The certificates of a served definition's webhook can be read."""
        client = self.config["clientConfig"]
        assert isinstance(client, dict)
        bad = SPEC | {"conversion": {"strategy": "Webhook", "webhook": self.config | {
            "clientConfig": client | {"caBundle": "bm90IGEgY2VydA=="}}}}
        old = self.created(metadata={"name": "things.example.com"}, spec=SPEC)
        self.assertEqual(self.update_errors(old, metadata={"name": "things.example.com"}, spec=bad), [])
        old["status"]["conditions"] = [{"type": "Established", "status": "True"}]
        self.assertEqual(self.update_errors(old, metadata={"name": "things.example.com"}, spec=bad), [
            'spec.conversion.webhookClientConfig.caBundle: Invalid value: "bm90IGEgY2VydA==": unable to load root '
            "certificates: unable to parse bytes as PEM block"])


class UpdateTests(DefinitionTestCase):
    def changed(self, established: bool, **spec: Any) -> list[str]:
        old = self.created(metadata={"name": "things.example.com"}, spec=SPEC)
        old["status"]["conditions"] = [{"type": "Established", "status": str(established)}]
        return self.update_errors(old, metadata={"name": "things.example.com"}, spec=SPEC | spec)

    def test_identity(self) -> None:
        """The group never changes; scope and kind do not once objects are served."""
        self.assertEqual(self.changed(False, group="other.example.com"),
                         ['spec.group: Invalid value: "other.example.com": field is immutable'])
        self.assertEqual(self.changed(False, scope="Cluster"), [])
        self.assertEqual(self.changed(True, scope="Cluster"),
                         ['spec.scope: Invalid value: "Cluster": field is immutable'])

    def test_stored_versions(self) -> None:
        """A new storage version joins those stored; a stored one cannot go."""
        versions = [V1 | {"storage": False}, V2 | {"storage": True}]
        old = self.created(spec=SPEC)
        new = self.updated(old, spec=SPEC | {"versions": versions})
        self.assertEqual((new["status"]["storedVersions"], old["status"]["storedVersions"]), (["v1", "v2"], ["v1"]))
        self.assertEqual(self.changed(False, versions=[V2 | {"storage": True}]), [
            'status.storedVersions[0]: Invalid value: "v1": missing from spec.versions; v1 was previously a storage '
            "version, and must remain in spec.versions until a storage migration ensures no data remains persisted "
            "in v1 and removes v1 from status.storedVersions"])

    def test_status(self) -> None:
        """The status endpoint leaves the spec and checks accepted names."""
        old = self.created(spec=SPEC)
        status = {"acceptedNames": {"plural": "Bad", "kind": "Thing"}}
        new = self.updated(old, customresourcedefinition.STATUS, spec=SPEC | {"scope": "Cluster"}, status=status)
        self.assertEqual(new["spec"]["scope"], "Namespaced")
        errors = customresourcedefinition.STATUS.validate_update(CONTEXT, new, old)
        self.assertEqual([str(one) for one in errors],
                         [f'status.acceptedNames.plural: Invalid value: "Bad": {DNS_1035}'])
