"""The columns of every kind that has a printer of its own."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.registry.printers.column import Column, Printer
from kube_twisted.registry.printers.lookup import DEFAULT, PRINTERS, STATUS, printer_for

#: A line with group/resource, then its columns: ``*`` for those that are only shown where there is room,
#: ``:`` before a type other than string, ``/`` before a format.
COLUMNS = """\
/pods
    Name/name, Ready, Status, Restarts, Age, IP*, Node*, Nominated Node*, Readiness Gates*
/podtemplates
    Name/name, Containers, Images, Pod Labels
/replicationcontrollers
    Name/name, Desired:integer, Current:integer, Ready:integer, Age, Containers*, Images*, Selector*
/services
    Name/name, Type, Cluster-IP, External-IP, Port(s), Age, Selector*
/endpoints
    Name/name, Endpoints, Age
/nodes
    Name/name, Status, Roles, Age, Version, Internal-IP*, External-IP*, OS-Image*, Kernel-Version*,
    Container-Runtime*
/events
    Last Seen, Type, Reason, Object, Subobject*, Source*, Message, First Seen*, Count*, Name/name*
events.k8s.io/events
    Last Seen, Type, Reason, Object, Subobject*, Source*, Message, First Seen*, Count*, Name/name*
/namespaces
    Name/name, Status, Age
/secrets
    Name/name, Type, Data, Age
/configmaps
    Name/name, Data, Age
/serviceaccounts
    Name/name, Age
/persistentvolumes
    Name/name, Capacity, Access Modes, Reclaim Policy, Status, Claim, StorageClass,
    VolumeAttributesClass, Reason, Age, VolumeMode*
/persistentvolumeclaims
    Name/name, Status, Volume, Capacity, Access Modes, StorageClass, VolumeAttributesClass, Age,
    VolumeMode*
/componentstatuses
    Name/name, Status, Message, Error
/resourcequotas
    Name/name, Request, Limit, Age
apps/deployments
    Name/name, Ready, Up-to-date, Available, Age, Containers*, Images*, Selector*
apps/replicasets
    Name/name, Desired:integer, Current:integer, Ready:integer, Age, Containers*, Images*, Selector*
apps/daemonsets
    Name/name, Desired:integer, Current:integer, Ready:integer, Up-to-date:integer,
    Available:integer, Node Selector, Age, Containers*, Images*, Selector*
apps/statefulsets
    Name/name, Ready, Age, Containers*, Images*
apps/controllerrevisions
    Name/name, Controller, Revision, Age
batch/jobs
    Name/name, Status, Completions, Duration, Age, Containers*, Images*, Selector*
batch/cronjobs
    Name/name, Schedule, Timezone, Suspend:boolean, Active:integer, Last Schedule, Age, Containers*,
    Images*, Selector*
autoscaling/horizontalpodautoscalers
    Name/name, Reference, Targets, MinPods, MaxPods, Replicas, Age
networking.k8s.io/ingresses
    Name/name, Class, Hosts, Address, Ports, Age
networking.k8s.io/ingressclasses
    Name/name, Controller, Parameters, Age
networking.k8s.io/networkpolicies
    Name/name, Pod-Selector, Age
networking.k8s.io/servicecidrs
    Name/name, CIDRs, Age
networking.k8s.io/ipaddresses
    Name/name, ParentRef
discovery.k8s.io/endpointslices
    Name/name, AddressType, Ports, Endpoints, Age
policy/poddisruptionbudgets
    Name/name, Min Available, Max Unavailable, Allowed Disruptions:integer, Age
rbac.authorization.k8s.io/rolebindings
    Name/name, Role, Age, Users*, Groups*, ServiceAccounts*
rbac.authorization.k8s.io/clusterrolebindings
    Name/name, Role, Age, Users*, Groups*, ServiceAccounts*
certificates.k8s.io/certificatesigningrequests
    Name/name, Age, SignerName, Requestor, RequestedDuration, Condition
certificates.k8s.io/clustertrustbundles
    Name/name, SignerName
certificates.k8s.io/podcertificaterequests
    Name/name, PodName, ServiceAccountName, NodeName, SignerName, State, UnverifiedUserAnnotations
coordination.k8s.io/leases
    Name/name, Holder, Age
coordination.k8s.io/leasecandidates
    Name/name, LeaseName, BinaryVersion, EmulationVersion, Age
storage.k8s.io/storageclasses
    Name/name, Provisioner, ReclaimPolicy, VolumeBindingMode, AllowVolumeExpansion, Age
storage.k8s.io/volumeattributesclasses
    Name/name, DriverName, Age
storage.k8s.io/volumeattachments
    Name/name, Attacher/name, PV, Node, Attached:boolean, Age
storage.k8s.io/csinodes
    Name/name, Drivers:integer, Age
storage.k8s.io/csidrivers
    Name/name, AttachRequired:boolean, PodInfoOnMount:boolean, StorageCapacity:boolean,
    TokenRequests, RequiresRepublish:boolean, Modes, Age
scheduling.k8s.io/priorityclasses
    Name/name, Value:integer, Global-Default:boolean, Age, PreemptionPolicy
scheduling.k8s.io/workloads
    Name/name, Age
scheduling.k8s.io/podgroups
    Name/name, Policy, Workload, Status, Age
node.k8s.io/runtimeclasses
    Name/name, Handler, Age
admissionregistration.k8s.io/mutatingwebhookconfigurations
    Name/name, Webhooks:integer, Age
admissionregistration.k8s.io/validatingwebhookconfigurations
    Name/name, Webhooks:integer, Age
admissionregistration.k8s.io/validatingadmissionpolicies
    Name/name, Validations:integer, ParamKind, Age
admissionregistration.k8s.io/mutatingadmissionpolicies
    Name/name, Mutations:integer, ParamKind, Age
admissionregistration.k8s.io/validatingadmissionpolicybindings
    Name/name, PolicyName, ParamRef, Age
admissionregistration.k8s.io/mutatingadmissionpolicybindings
    Name/name, PolicyName, ParamRef, Age
flowcontrol.apiserver.k8s.io/flowschemas
    Name/name, PriorityLevel, MatchingPrecedence, DistinguisherMethod, Age, MissingPL
flowcontrol.apiserver.k8s.io/prioritylevelconfigurations
    Name/name, Type, NominalConcurrencyShares, Queues, HandSize, QueueLengthLimit, Age
internal.apiserver.k8s.io/storageversions
    Name/name, CommonEncodingVersion, StorageVersions, Age
storagemigration.k8s.io/storageversionmigrations
    Name, Resource, Status
resource.k8s.io/deviceclasses
    Name/name, Age
resource.k8s.io/resourceclaims
    Name/name, State, Age
resource.k8s.io/resourceclaimtemplates
    Name/name, Age
resource.k8s.io/resourceslices
    Name/name, Node, Driver, Pool, Age
resource.k8s.io/devicetaintrules
    Name/name, Key, Value, Effect, TimeAdded, Age
resource.k8s.io/resourcepoolstatusrequests
    Name/name, Driver, Total, Available, Allocated, Unavailable, Errors, Pools:integer, Status,
    Completed
apiregistration.k8s.io/apiservices
    Name/name, Service, Available, Age
"""
#: Columns that the original has no description for.
UNDESCRIBED = {
    ("node.k8s.io", "runtimeclasses", "Handler"),
    ("coordination.k8s.io", "leasecandidates", "BinaryVersion"),
    ("coordination.k8s.io", "leasecandidates", "EmulationVersion"),
}


def read_columns() -> dict[str, str]:
    """COLUMNS by group/resource."""
    made: dict[str, str] = {}
    key = ""
    for line in COLUMNS.splitlines():
        if line.startswith(" "):
            made[key] = f"{made[key]} {line.strip()}".strip()
        else:
            key = line
            made[key] = ""
    return made


def notation(printer: Printer) -> str:
    return ", ".join(map(column_notation, printer.columns))


def column_notation(column: Column) -> str:
    kind = "" if column.type == "string" else f":{column.type}"
    form = f"/{column.format}" if column.format else ""
    return f"{column.name}{kind}{form}{'*' * column.priority}"


def description(group: str, resource: str, column: str) -> str:
    definitions = printer_for(group, resource).definitions
    return next(str(one["description"]) for one in definitions if one["name"] == column)


class ColumnTests(SynchronousTestCase):
    def test_columns_of_every_kind(self) -> None:
        """Each kind has the original's columns, in its order, and no kind more or less."""
        made = {f"{group}/{resource}": notation(printer) for (group, resource), printer in PRINTERS.items()}
        self.assertEqual(made, read_columns())

    def test_default_columns(self) -> None:
        """Kinds without a printer show when they were created; so do CSIStorageCapacities."""
        for key in (("", "limitranges"), ("rbac.authorization.k8s.io", "roles"),
                    ("storage.k8s.io", "csistoragecapacities"),
                    ("apiextensions.k8s.io", "customresourcedefinitions")):
            self.assertIs(printer_for(*key), DEFAULT)
        self.assertEqual(notation(DEFAULT), "Name/name, Created At:date")

    def test_scale_columns(self) -> None:
        """The scale subresource has columns of its own, whatever is scaled; its name is not marked as one."""
        scale = printer_for("apps", "deployments/scale")
        self.assertIs(scale, printer_for("", "replicationcontrollers/scale"))
        self.assertEqual(notation(scale), "Name, Desired:integer, Available:integer, Age")

    def test_other_subresources(self) -> None:
        """Other subresources look like their resource."""
        self.assertIs(printer_for("", "pods/status"), printer_for("", "pods"))

    def test_status_columns(self) -> None:
        """A Status shows its outcome, reason and message."""
        self.assertEqual(notation(STATUS), "Status, Reason, Message")

    def test_definition(self) -> None:
        """A column is written with all five fields, empty ones too."""
        self.assertEqual(Column("A", "integer", description="text", priority=1).definition(),
                         {"name": "A", "type": "integer", "format": "", "description": "text", "priority": 1})


class DescriptionTests(SynchronousTestCase):
    def test_all_described(self) -> None:
        """All columns have a description, but those that the original forgets."""
        bare = {(*key, one["name"]) for key, printer in PRINTERS.items() for one in printer.definitions
                if not one["description"]}
        self.assertEqual(bare, UNDESCRIBED)

    def test_field_documentation(self) -> None:
        """Most columns are described by the documentation of the field they show."""
        self.assertEqual(description("", "events", "Count"), "The number of times this event has occurred.")
        self.assertEqual(description("batch", "jobs", "Completions"), (
            "The number of pods which reached phase Succeeded. The value increases monotonically for a given "
            "spec. However, it may decrease in reaction to scale down of elastic indexed jobs."))
        self.assertIn("\n\nPopulated by the system. Read-only.", description("", "configmaps", "Age"))

    def test_own_texts(self) -> None:
        """Columns that show no single field say what they show."""
        self.assertEqual(description("", "nodes", "Roles"), "The roles of the node")
        self.assertEqual(description("rbac.authorization.k8s.io", "clusterrolebindings", "Role"), (
            "RoleRef can only reference a ClusterRole in the global namespace. If the RoleRef cannot be "
            "resolved, the Authorizer must return an error."))
        self.assertIn("If empty, it will be defaulted:\n 1. If it's a kubelet client",
                      description("certificates.k8s.io", "certificatesigningrequests", "SignerName"))
