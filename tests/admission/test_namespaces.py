"""NamespaceLifecycle, NamespaceExists and NamespaceAutoProvision."""

from __future__ import annotations

from kube_twisted.admission.plugins import NamespaceAutoProvision, NamespaceExists, NamespaceLifecycle
from kube_twisted.api.errors import StatusError
from tests.admission.world import AdmissionTestCase, Obj


def config_map(name: str = "c") -> Obj:
    return {"metadata": {"name": name}}


def namespace(name: str, phase: str) -> Obj:
    return {"metadata": {"name": name}, "status": {"phase": phase}}


class LifecycleTests(AdmissionTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.plugin = NamespaceLifecycle(self.world, self.clock)

    def test_missing_namespace(self) -> None:
        """A creation in a namespace that isn't there is 404 about the namespace."""
        error = self.refusal(self.plugin.admit, self.write(config_map(), "configmaps", namespace="none"), 404)
        self.assertEqual(error.message, 'namespaces "none" not found')

    def test_namespace_made_on_another_server(self) -> None:
        """A namespace that the cache doesn't show yet is found in the store."""
        self.world.add_elsewhere("", "namespaces", namespace("new", "Active"))
        self.admit(self.plugin, self.write(config_map(), "configmaps", namespace="new"))

    def test_terminating_namespace(self) -> None:
        """Creations are refused with a cause, changes and deletions go on."""
        self.world.add("", "namespaces", namespace("ns", "Terminating"))
        error = self.refusal(self.plugin.admit, self.write(config_map(), "configmaps"))
        self.assertEqual(error.message, 'configmaps "c" is forbidden: unable to create new content in namespace ns '
                                        "because it is being terminated")
        assert error.details is not None
        self.assertEqual(error.details["causes"], [{
            "reason": "NamespaceTerminating", "message": "namespace ns is being terminated",
            "field": "metadata.namespace"}])
        self.admit(self.plugin, self.write(config_map(), "configmaps", old=config_map()))

    def test_deletion_distrusts_the_cache(self) -> None:
        """Once a deletion went through, the namespace's state is read anew for half a minute."""
        self.admit_deletion("ns")
        self.world.add_elsewhere("", "namespaces", namespace("ns", "Terminating"))
        self.refusal(self.plugin.admit, self.write(config_map(), "configmaps"))

    def test_cache_is_trusted_again(self) -> None:
        """After that time what the cache shows is enough."""
        self.admit_deletion("ns")
        self.time.advance(31)
        self.world.add_elsewhere("", "namespaces", namespace("ns", "Terminating"))
        self.admit(self.plugin, self.write(config_map(), "configmaps"))
        self.assertTrue(self.world.unseen)

    def admit_deletion(self, name: str) -> None:
        attributes = self.write(None, "namespaces", namespace(name, "Active"), operation="DELETE", namespace=name)
        coroutine = self.plugin.admit(attributes)
        with self.assertRaises(StopIteration):
            coroutine.send(None)

    def test_immortal_namespaces(self) -> None:
        """The namespaces that the system needs may not be deleted."""
        for name in ("default", "kube-system", "kube-public"):
            attributes = self.write(None, "namespaces", namespace(name, "Active"), operation="DELETE", namespace=name)
            error = self.refusal(self.plugin.admit, attributes)
            self.assertEqual(error.message, f'namespaces "{name}" is forbidden: this namespace may not be deleted')
        self.admit_deletion("kube-node-lease")

    def test_access_reviews_tell_nothing(self) -> None:
        """Asking what one may do in a namespace doesn't show whether it exists."""
        self.admit(self.plugin, self.write(
            config_map(), "localsubjectaccessreviews", group="authorization.k8s.io", namespace="none"))


class ExistsTests(AdmissionTestCase):
    def test_missing_namespace(self) -> None:
        """Any write in a missing namespace is 404, unless another server has made the namespace."""
        plugin = NamespaceExists(self.world)
        attributes = self.write(None, "configmaps", config_map(), operation="DELETE", namespace="new")
        self.refusal(plugin.validate, attributes, 404)
        self.world.add_elsewhere("", "namespaces", namespace("new", "Active"))
        self.validate(plugin, attributes)


class AutoProvisionTests(AdmissionTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.created: list[str] = []
        self.plugin = NamespaceAutoProvision(self.world, self.create)
        self.error: StatusError | None = None

    async def create(self, name: str) -> None:
        if self.error is not None:
            raise self.error
        self.created.append(name)

    def test_creates_what_is_missing(self) -> None:
        """A missing namespace is made, an existing one is not, nor any in a dry run."""
        self.admit(self.plugin, self.write(config_map(), "configmaps"))
        self.admit(self.plugin, self.write(config_map(), "configmaps", namespace="dry", dry_run=True))
        self.admit(self.plugin, self.write(config_map(), "configmaps", namespace="new"))
        self.assertEqual(self.created, ["new"])

    def test_lost_race(self) -> None:
        """That somebody else made it in between is fine; any other failure refuses the write."""
        attributes = self.write(config_map(), "configmaps", namespace="new")
        self.error = StatusError(409, "AlreadyExists", "is there")
        self.admit(self.plugin, attributes)
        self.error = StatusError(422, "Invalid", "bad name")
        self.assertEqual(self.refusal(self.plugin.admit, attributes).message,
                         'configmaps "c" is forbidden: bad name')
