"""Facts: the original's internal types in a PersistentVolume, written as in ``registry/podspec/internal_types``."""

from __future__ import annotations

from kube_twisted.registry.podspec.internal_types import INTERNAL_TYPES

VOLUME_TYPES: dict[str, str] = INTERNAL_TYPES | {
    "AzureFilePersistentVolumeSource": "SecretName:s ShareName:s ReadOnly:b SecretNamespace:p",
    "CSIPersistentVolumeSource":
        "Driver:s VolumeHandle:s ReadOnly:b FSType/fsType:s VolumeAttributes:p "
        "ControllerPublishSecretRef:*SecretReference NodeStageSecretRef:*SecretReference "
        "NodePublishSecretRef:*SecretReference ControllerExpandSecretRef:*SecretReference "
        "NodeExpandSecretRef:*SecretReference",
    "CephFSPersistentVolumeSource": "Monitors:p Path:s User:s SecretFile:s SecretRef:*SecretReference ReadOnly:b",
    "CinderPersistentVolumeSource": "VolumeID:s FSType/fsType:s ReadOnly:b SecretRef:*SecretReference",
    "FlexPersistentVolumeSource": "Driver:s FSType/fsType:s SecretRef:*SecretReference ReadOnly:b Options:p",
    "GlusterfsPersistentVolumeSource": "EndpointsName/endpoints:s Path:s ReadOnly:b EndpointsNamespace:p",
    "ISCSIPersistentVolumeSource":
        "TargetPortal:s IQN/iqn:s Lun:i ISCSIInterface/iscsiInterface:s FSType/fsType:s "
        "ReadOnly:b Portals:p DiscoveryCHAPAuth/chapAuthDiscovery:b SessionCHAPAuth/chapAuthSession:b "
        "SecretRef:*SecretReference InitiatorName:p",
    "LocalVolumeSource": "Path:s FSType/fsType:p",
    "ObjectReference":
        "Kind:s Namespace:s Name:s UID/uid:s APIVersion/apiVersion:s ResourceVersion:s FieldPath:s",
    "PersistentVolumeSource":
        "GCEPersistentDisk/gcePersistentDisk:*GCEPersistentDiskVolumeSource "
        "AWSElasticBlockStore/awsElasticBlockStore:*AWSElasticBlockStoreVolumeSource "
        "HostPath:*HostPathVolumeSource Glusterfs:*GlusterfsPersistentVolumeSource NFS/nfs:*NFSVolumeSource "
        "RBD/rbd:*RBDPersistentVolumeSource Quobyte:*QuobyteVolumeSource "
        "ISCSI/iscsi:*ISCSIPersistentVolumeSource FlexVolume:*FlexPersistentVolumeSource "
        "Cinder:*CinderPersistentVolumeSource CephFS/cephfs:*CephFSPersistentVolumeSource FC/fc:*FCVolumeSource "
        "Flocker:*FlockerVolumeSource AzureFile:*AzureFilePersistentVolumeSource "
        "VsphereVolume:*VsphereVirtualDiskVolumeSource AzureDisk:*AzureDiskVolumeSource "
        "PhotonPersistentDisk:*PhotonPersistentDiskVolumeSource PortworxVolume:*PortworxVolumeSource "
        "ScaleIO:*ScaleIOPersistentVolumeSource Local:*LocalVolumeSource "
        "StorageOS/storageos:*StorageOSPersistentVolumeSource CSI/csi:*CSIPersistentVolumeSource",
    "RBDPersistentVolumeSource":
        "CephMonitors/monitors:p RBDImage/image:s FSType/fsType:s RBDPool/pool:s "
        "RadosUser/user:s Keyring:s SecretRef:*SecretReference ReadOnly:b",
    "ScaleIOPersistentVolumeSource":
        "Gateway:s System:s SecretRef:*SecretReference SSLEnabled/sslEnabled:b "
        "ProtectionDomain:s StoragePool:s StorageMode:s VolumeName:s FSType/fsType:s ReadOnly:b",
    "SecretReference": "Name:s Namespace:s",
    "StorageOSPersistentVolumeSource":
        "VolumeName:s VolumeNamespace:s FSType/fsType:s ReadOnly:b SecretRef:*ObjectReference",
    "VolumeNodeAffinity": "Required:*NodeSelector",
}
