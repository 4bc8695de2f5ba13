"""Storage classes, drivers, nodes' drivers, capacities and attachments."""

from __future__ import annotations

from kube_twisted.registry.storage import (
    csidriver,
    csinode,
    csistoragecapacity,
    storageclass,
    volumeattachment,
    volumeattributesclass,
)
from tests.registry.resources import CONTEXT, StrategyTestCase


class StorageClassTests(StrategyTestCase):
    api = "storage.k8s.io/v1/StorageClass"
    strategy = storageclass.STRATEGY

    def test_defaults(self) -> None:
        """Volumes are deleted with their claims and bound at once."""
        made = self.defaulted(provisioner="a")
        self.assertEqual((made["reclaimPolicy"], made["volumeBindingMode"]), ("Delete", "Immediate"))

    def test_provisioner(self) -> None:
        """A provisioner is needed."""
        self.assertEqual(self.errors(), ["provisioner: Required value"])

    def test_most_is_fixed(self) -> None:
        """Parameters, provisioner and policies do not change; whether volumes may grow does."""
        old = self.created(provisioner="a")
        self.assertEqual(self.update_errors(old, provisioner="a", allowVolumeExpansion=True), [])
        self.assertEqual(self.update_errors(old, provisioner="b", parameters={"a": "1"}), [
            'parameters: Invalid value: {"a":"1"}: field is immutable',
            'provisioner: Invalid value: "b": field is immutable'])


class VolumeAttributesClassTests(StrategyTestCase):
    api = "storage.k8s.io/v1/VolumeAttributesClass"
    strategy = volumeattributesclass.STRATEGY

    def test_parameters(self) -> None:
        """There are parameters, and they stay."""
        self.assertEqual(self.errors(driverName="d", parameters={"a": "1"}), [])
        self.assertTrue(self.errors(driverName="d"))
        old = self.created(driverName="d", parameters={"a": "1"})
        self.assertEqual(len(self.update_errors(old, driverName="d", parameters={"a": "2"})), 1)


class CSIDriverTests(StrategyTestCase):
    api = "storage.k8s.io/v1/CSIDriver"
    strategy = csidriver.STRATEGY

    def test_defaults(self) -> None:
        """A driver attaches, is not told of pods, has persistent volumes and looks at their file system."""
        spec = self.defaulted(spec={})["spec"]
        self.assertEqual({key: spec[key] for key in ("attachRequired", "podInfoOnMount", "storageCapacity",
                                                     "volumeLifecycleModes", "fsGroupPolicy", "requiresRepublish")},
                         {"attachRequired": True, "podInfoOnMount": False, "storageCapacity": False,
                          "volumeLifecycleModes": ["Persistent"], "fsGroupPolicy": "ReadWriteOnceWithFSType",
                          "requiresRepublish": False})

    def test_modes(self) -> None:
        """Modes are an enumeration."""
        self.assertEqual(len(self.errors(spec={"volumeLifecycleModes": ["Odd"]})), 1)

    def test_attachment_is_fixed(self) -> None:
        """Whether volumes are attached does not change."""
        old = self.created(spec={})
        self.assertEqual(self.update_errors(old, spec={"attachRequired": False}),
                         ["spec.attachedRequired: Invalid value: false: field is immutable"])


class CSINodeTests(StrategyTestCase):
    api = "storage.k8s.io/v1/CSINode"
    strategy = csinode.STRATEGY

    def test_drivers(self) -> None:
        """A driver has names, stands once, and its entry stays as it is."""
        driver = {"name": "d", "nodeID": "n"}
        self.assertEqual(self.errors(spec={"drivers": [driver]}), [])
        self.assertEqual(self.errors(spec={"drivers": [driver, driver]}),
                         ['spec.drivers[1].name: Duplicate value: "d"'])
        self.assertEqual(self.errors(spec={"drivers": [{"name": "d", "nodeID": ""}]}),
                         ["spec.drivers[0].nodeID: Required value"])


class CSIStorageCapacityTests(StrategyTestCase):
    api = "storage.k8s.io/v1/CSIStorageCapacity"
    strategy = csistoragecapacity.STRATEGY

    def test_class(self) -> None:
        """The class is named, and stays."""
        self.assertEqual(self.errors(storageClassName="Bad_"), [
            'storageClassName: Invalid value: "Bad_": a lowercase RFC 1123 subdomain must consist of lower case '
            "alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. "
            "'example.com', regex used for validation is "
            "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"])
        old = self.created(storageClassName="a")
        self.assertEqual(self.update_errors(old, storageClassName="b"),
                         ['storageClassName: Invalid value: "b": field is immutable'])


class VolumeAttachmentTests(StrategyTestCase):
    api = "storage.k8s.io/v1/VolumeAttachment"
    strategy = volumeattachment.STRATEGY
    spec = {"attacher": "a", "nodeName": "n", "source": {"persistentVolumeName": "v"}}

    def test_required(self) -> None:
        """Who attaches what where."""
        self.assertEqual(self.errors(spec=self.spec), [])
        self.assertEqual(self.errors(spec=self.spec | {"attacher": ""}), ["spec.attacher: Required value"])
        self.assertEqual(self.errors(spec=self.spec | {"source": {}}), [
            "spec.source: Required value: must specify exactly one of inlineVolumeSpec and "
            "persistentVolumeName"])

    def test_spec_is_fixed(self) -> None:
        """The spec never changes; the status endpoint keeps labels."""
        old = self.created(spec=self.spec)
        self.assertEqual(len(self.update_errors(old, spec=self.spec | {"nodeName": "m"})), 1)
        changed = self.updated(old, volumeattachment.STATUS, spec={}, status={"attached": True},
                               metadata={"name": "x", "labels": {"a": "b"}})
        self.assertEqual((changed["spec"], changed["status"]["attached"]), (old["spec"], True))
        self.assertNotIn("labels", changed["metadata"])
        self.assertEqual(volumeattachment.STATUS.validate_update(CONTEXT, changed, old), [])

    def test_inline_volumes(self) -> None:
        """A volume without object has its source's defaults, and no place, claim or capacity of its own."""
        disk = {"diskName": "d", "diskURI": "https://x/y"}
        inline = {"accessModes": ["ReadWriteOnce"], "azureDisk": disk}
        made = self.defaulted(spec=self.spec | {"source": {"inlineVolumeSpec": inline}})
        self.assertEqual(made["spec"]["source"]["inlineVolumeSpec"]["azureDisk"]["kind"], "Shared")
        affinity = {"required": {"nodeSelectorTerms": []}}
        local = {"accessModes": ["ReadWriteOnce"], "local": {"path": "/x"}, "nodeAffinity": affinity, "claimRef": {}}
        path, forbidden = "spec.source.inlineVolumeSpec", "may not be specified in the context of inline volumes"
        self.assertEqual(self.errors(spec=self.spec | {"source": {"inlineVolumeSpec": local}}), [
            f"{path}.claimRef: Forbidden: {forbidden}",
            f"{path}.csi: Required value: has to be specified in the context of inline volumes",
            f"{path}.nodeAffinity: Forbidden: {forbidden}",
            f"{path}.nodeAffinity: Required value: Local volume requires node affinity"])
