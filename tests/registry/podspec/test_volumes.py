"""Tests of the validation of volumes."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.registry.podspec.options import TEMPLATE
from kube_twisted.registry.podspec.plain_volumes import iscsi_name
from kube_twisted.registry.podspec.template import validate_template
from tests.registry.podspec.pods import Obj, container, errors_of, pod, spec_errors


def volume_errors(**source: Obj) -> list[str]:
    """What is wrong with a volume, below its path."""
    found = spec_errors(volumes=[{"name": "v"} | source])
    return [text.removeprefix("volumes[0]").lstrip(".") for text in found]


class VolumeTests(SynchronousTestCase):
    """Names and sources."""

    def test_names(self) -> None:
        """Every volume has a name of its own."""
        self.assertEqual(spec_errors(volumes=[{"name": ""}]), ["volumes[0].name: Required value"])
        self.assertEqual(spec_errors(volumes=[{"name": "v"}, {"name": "v"}]),
                         ['volumes[1].name: Duplicate value: "v"'])

    def test_one_source(self) -> None:
        """The second source is one too many."""
        self.assertEqual(volume_errors(emptyDir={}, hostPath={"path": "/"}),
                         ["hostPath: Forbidden: may not specify more than 1 volume type"])

    def test_iscsi_names(self) -> None:
        """Names are looked for as the original's patterns do it: capitals are letters, and ends are ends."""
        for name, errors in (("iqn.2001-04.com.Example:a", []), ("eui.0123456789abcdef", []), ("naa." + "0" * 32, []),
                             ("iqn.2001-04.com.example", ["must be valid format"]),
                             ("eui.0123456789abcdef\n", ["must be valid format"]), ("x", ["other"])):
            self.assertEqual([one.detail for one in iscsi_name("p", name, "other")], errors, name)

    def test_required_fields(self) -> None:
        """Each source tells what it needs."""
        for kind, wanted in (
                ("secret", ["secret.secretName: Required value"]),
                ("configMap", ["configMap.name: Required value"]),
                ("persistentVolumeClaim", ["persistentVolumeClaim.claimName: Required value"]),
                ("nfs", ["nfs.server: Required value", "nfs.path: Required value",
                         'nfs.path: Invalid value: "": must be an absolute path']),
                ("iscsi", ["iscsi.targetPortal: Required value", "iscsi.iqn: Required value"]),
                ("csi", ["csi.driver: Required value"]),
                ("gcePersistentDisk", ["persistentDisk.pdName: Required value"]),
                ("rbd", ["rbd.monitors: Required value", "rbd.image: Required value"]),
                ("fc",
                 ["fc.targetWWNs: Required value: must specify either targetWWNs or wwids, but not both"]),
                ("flocker", ["flocker: Required value: one of datasetName and datasetUUID is required"]),
                ("ephemeral", ["ephemeral.volumeClaimTemplate: Required value"]),
                ("image", ["image.reference: Required value"]),
                ("hostPath", ["hostPath.path: Required value"]),
                ("azureDisk", ["azureDisk.diskName: Required value", "azureDisk.diskURI: Required value",
                               'azureDisk.diskURI: Unsupported value: "": supported values: '
                               '"https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd"'])):
            self.assertEqual(volume_errors(**{kind: {}}), wanted)

    def test_host_path(self) -> None:
        """A path of the host goes down only and has a known type."""
        self.assertEqual(volume_errors(hostPath={"path": "/a/../b", "type": "Link"}), [
            'hostPath.path: Invalid value: "/a/../b": must not contain \'..\'',
            'hostPath.type: Unsupported value: "Link": supported values: "", "BlockDevice", "CharDevice", '
            '"Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"'])

    def test_files(self) -> None:
        """Items need a key and a path inside the volume; modes are permission bits."""
        self.assertEqual(volume_errors(secret={"secretName": "s", "defaultMode": 512,
                                               "items": [{"path": "/a"}]}), [
            "secret.defaultMode: Invalid value: 512: must be a number between 0 and 0777 (octal), both "
            "inclusive",
            "secret.items[0].key: Required value",
            'secret.items[0].path: Invalid value: "/a": must be a relative path'])
        self.assertEqual(volume_errors(configMap={"name": "c", "items": [{"key": "k", "path": "..a"}]}),
                         ['configMap.items[0].path: Invalid value: "..a": must not start with \'..\''])

    def test_downward_api(self) -> None:
        """A file holds a field or a resource of a named container."""
        self.assertEqual(volume_errors(downwardAPI={"items": [{"path": "a"}]}), [
            "downwardAPI: Required value: one of fieldRef and resourceFieldRef is required"])
        self.assertEqual(
            volume_errors(downwardAPI={"items": [{"path": "a",
                                                  "resourceFieldRef": {"resource": "limits.cpu"}}]}),
            ["downwardAPI.resourceFieldRef.containerName: Required value"])

    def test_projected(self) -> None:
        """Sources stand alone, paths are written once, tokens live ten minutes at least."""
        self.assertEqual(volume_errors(projected={"sources": [{"secret": {"name": "s"},
                                                               "configMap": {"name": "c"}}]}), [
            "projected.sources[0]: Forbidden: may not specify more than 1 volume type per source"])
        items = {"name": "s", "items": [{"key": "a", "path": "p"}]}
        self.assertEqual(volume_errors(projected={"sources": [{"secret": items}, {"configMap": items}]}),
                         ['projected: Invalid value: "s": conflicting duplicate paths'])
        made = pod(serviceAccountName="a", volumes=[{"name": "v", "projected": {"sources": [
            {"serviceAccountToken": {"expirationSeconds": 5, "path": "../t"}}]}}])
        self.assertEqual(errors_of(made), [
            "spec.volumes[0].projected.sources[0].serviceAccountToken.expirationSeconds: Invalid value: 5: "
            "may not specify a duration less than 10 minutes",
            'spec.volumes[0].projected.path: Invalid value: "../t": must not contain \'..\''])

    def test_token_needs_an_account(self) -> None:
        """A pod without a service account has no tokens."""
        self.assertEqual(volume_errors(projected={"sources": [{"serviceAccountToken": {"path": "t"}}]}), [
            "projected.sources[0].serviceAccountToken: Forbidden: must not be specified when "
            "serviceAccountName is not set"])

    def test_ephemeral_claims(self) -> None:
        """The claim's spec is checked, and its name may not be that of another volume's claim."""
        template = {"spec": {"accessModes": ["Sometimes"], "resources": {"requests": {"storage": "0"}}}}
        self.assertEqual(volume_errors(ephemeral={"volumeClaimTemplate": template}), [
            'ephemeral.volumeClaimTemplate.spec.accessModes: Unsupported value: "Sometimes": supported '
            'values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
            'ephemeral.volumeClaimTemplate.spec.resources[storage]: Invalid value: "0": must be greater than '
            "zero"])
        good = {"spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}}
        self.assertEqual(spec_errors(volumes=[{"name": "v", "ephemeral": {"volumeClaimTemplate": good}},
                                              {"name": "w",
                                               "persistentVolumeClaim": {"claimName": "web-v"}}]), [
            'volumes[1].persistentVolumeClaim.claimName: Invalid value: "web-v": must not reference a PVC '
            "that gets created for an ephemeral volume"])

    def test_image_reference_in_template(self) -> None:
        """A template may leave the reference of an image volume to be filled in."""
        template = {"metadata": {}, "spec": pod(volumes=[{"name": "v", "image": {}}])["spec"]}
        self.assertEqual(validate_template("spec.template", template, TEMPLATE), [])

    def test_bad_volume_cannot_be_mounted(self) -> None:
        """A volume with errors is no volume for mounts."""
        found = spec_errors(containers=[container(volumeMounts=[{"name": "v", "mountPath": "/v"}])],
                            volumes=[{"name": "v", "secret": {}}])
        self.assertEqual(found, ["volumes[0].secret.secretName: Required value",
                                 'containers[0].volumeMounts[0].name: Not found: "v"'])
