"""Facts: the fields of the original's internal types in a pod template, in the order in which Go writes them.

Some messages of kube-apiserver show objects in its internal form, which has no JSON names: see
:mod:`kube_twisted.registry.podspec.internal`.

A type is a list of fields, ``Name:kind``, or ``Name/jsonName:kind`` where the JSON name is not just the name
with a small first letter. Kinds: ``s`` text, ``i`` number, ``b`` truth, ``q`` quantity, ``n`` number or text,
``p`` what may be null (pointers to scalars, lists of scalars, maps), ``l`` a label selector, ``j`` any JSON,
``=T`` a struct, ``*T`` a pointer to one, ``[T`` a list of them; ``>T`` stands for all fields of another type.
"""

INTERNAL_TYPES: dict[str, str] = {
    "AWSElasticBlockStoreVolumeSource": "VolumeID:s FSType/fsType:s Partition:i ReadOnly:b",
    "Affinity": "NodeAffinity:*NodeAffinity PodAffinity:*PodAffinity PodAntiAffinity:*PodAntiAffinity",
    "AppArmorProfile": "Type:s LocalhostProfile:p",
    "AzureDiskVolumeSource":
        "DiskName:s DataDiskURI/diskURI:s CachingMode:p FSType/fsType:p ReadOnly:p "
        "Kind:p",
    "AzureFileVolumeSource": "SecretName:s ShareName:s ReadOnly:b",
    "CSIVolumeSource":
        "Driver:s ReadOnly:p FSType/fsType:p VolumeAttributes:p "
        "NodePublishSecretRef:*LocalObjectReference",
    "Capabilities": "Add:p Drop:p",
    "CephFSVolumeSource": "Monitors:p Path:s User:s SecretFile:s SecretRef:*LocalObjectReference ReadOnly:b",
    "CinderVolumeSource": "VolumeID:s FSType/fsType:s ReadOnly:b SecretRef:*LocalObjectReference",
    "ClusterTrustBundleProjection": "Name:p SignerName:p LabelSelector:l Optional:p Path:s",
    "ConfigMapEnvSource": ">LocalObjectReference Optional:p",
    "ConfigMapKeySelector": ">LocalObjectReference Key:s Optional:p",
    "ConfigMapProjection": ">LocalObjectReference Items:[KeyToPath Optional:p",
    "ConfigMapVolumeSource": ">LocalObjectReference Items:[KeyToPath DefaultMode:p Optional:p",
    "Container":
        "Name:s Image:s Command:p Args:p WorkingDir:s Ports:[ContainerPort EnvFrom:[EnvFromSource "
        "Env:[EnvVar Resources:=ResourceRequirements ResizePolicy:[ContainerResizePolicy RestartPolicy:p "
        "RestartPolicyRules:[ContainerRestartRule VolumeMounts:[VolumeMount VolumeDevices:[VolumeDevice "
        "LivenessProbe:*Probe ReadinessProbe:*Probe StartupProbe:*Probe Lifecycle:*Lifecycle "
        "TerminationMessagePath:s TerminationMessagePolicy:s ImagePullPolicy:s "
        "SecurityContext:*SecurityContext Stdin:b StdinOnce:b TTY/tty:b",
    "ContainerPort": "Name:s HostPort:i ContainerPort:i Protocol:s HostIP:s",
    "ContainerResizePolicy": "ResourceName:s RestartPolicy:s",
    "ContainerRestartRule": "Action:s ExitCodes:*ContainerRestartRuleOnExitCodes",
    "ContainerRestartRuleOnExitCodes": "Operator:s Values:p",
    "DownwardAPIProjection": "Items:[DownwardAPIVolumeFile",
    "DownwardAPIVolumeFile":
        "Path:s FieldRef:*ObjectFieldSelector ResourceFieldRef:*ResourceFieldSelector "
        "Mode:p",
    "DownwardAPIVolumeSource": "Items:[DownwardAPIVolumeFile DefaultMode:p",
    "EmptyDirVolumeSource": "Medium:s SizeLimit:p",
    "EnvFromSource": "Prefix:s ConfigMapRef:*ConfigMapEnvSource SecretRef:*SecretEnvSource",
    "EnvVar": "Name:s Value:s ValueFrom:*EnvVarSource",
    "EnvVarSource":
        "FieldRef:*ObjectFieldSelector ResourceFieldRef:*ResourceFieldSelector "
        "ConfigMapKeyRef:*ConfigMapKeySelector SecretKeyRef:*SecretKeySelector FileKeyRef:*FileKeySelector",
    "EphemeralContainer": ">EphemeralContainerCommon TargetContainerName:s",
    "EphemeralContainerCommon":
        "Name:s Image:s Command:p Args:p WorkingDir:s Ports:[ContainerPort "
        "EnvFrom:[EnvFromSource Env:[EnvVar Resources:=ResourceRequirements "
        "ResizePolicy:[ContainerResizePolicy RestartPolicy:p RestartPolicyRules:[ContainerRestartRule "
        "VolumeMounts:[VolumeMount VolumeDevices:[VolumeDevice LivenessProbe:*Probe ReadinessProbe:*Probe "
        "StartupProbe:*Probe Lifecycle:*Lifecycle TerminationMessagePath:s TerminationMessagePolicy:s "
        "ImagePullPolicy:s SecurityContext:*SecurityContext Stdin:b StdinOnce:b TTY/tty:b",
    "EphemeralVolumeSource": "VolumeClaimTemplate:*PersistentVolumeClaimTemplate",
    "ExecAction": "Command:p",
    "FCVolumeSource": "TargetWWNs:p Lun:p FSType/fsType:s ReadOnly:b WWIDs/wwids:p",
    "FileKeySelector": "VolumeName:s Path:s Key:s Optional:p",
    "FlexVolumeSource": "Driver:s FSType/fsType:s SecretRef:*LocalObjectReference ReadOnly:b Options:p",
    "FlockerVolumeSource": "DatasetName:s DatasetUUID:s",
    "GCEPersistentDiskVolumeSource": "PDName/pdName:s FSType/fsType:s Partition:i ReadOnly:b",
    "GRPCAction": "Port:i Service:p",
    "GitRepoVolumeSource": "Repository:s Revision:s Directory:s",
    "GlusterfsVolumeSource": "EndpointsName/endpoints:s Path:s ReadOnly:b",
    "HTTPGetAction": "Path:s Port:n Host:s Scheme:s HTTPHeaders/httpHeaders:[HTTPHeader",
    "HTTPHeader": "Name:s Value:s",
    "HostAlias": "IP/ip:s Hostnames:p",
    "HostPathVolumeSource": "Path:s Type:p",
    "ISCSIVolumeSource":
        "TargetPortal:s IQN/iqn:s Lun:i ISCSIInterface/iscsiInterface:s FSType/fsType:s "
        "ReadOnly:b Portals:p DiscoveryCHAPAuth/chapAuthDiscovery:b SessionCHAPAuth/chapAuthSession:b "
        "SecretRef:*LocalObjectReference InitiatorName:p",
    "ImageVolumeSource": "Reference:s PullPolicy:s",
    "KeyToPath": "Key:s Path:s Mode:p",
    "Lifecycle": "PostStart:*LifecycleHandler PreStop:*LifecycleHandler StopSignal:p",
    "LifecycleHandler":
        "Exec:*ExecAction HTTPGet/httpGet:*HTTPGetAction "
        "TCPSocket/tcpSocket:*TCPSocketAction Sleep:*SleepAction",
    "LocalObjectReference": "Name:s",
    "NFSVolumeSource": "Server:s Path:s ReadOnly:b",
    "NodeAffinity":
        "RequiredDuringSchedulingIgnoredDuringExecution:*NodeSelector "
        "PreferredDuringSchedulingIgnoredDuringExecution:[PreferredSchedulingTerm",
    "NodeSelector": "NodeSelectorTerms:[NodeSelectorTerm",
    "NodeSelectorRequirement": "Key:s Operator:s Values:p",
    "NodeSelectorTerm": "MatchExpressions:[NodeSelectorRequirement MatchFields:[NodeSelectorRequirement",
    "ObjectFieldSelector": "APIVersion/apiVersion:s FieldPath:s",
    "PersistentVolumeClaimSpec":
        "AccessModes:p Selector:l Resources:=VolumeResourceRequirements "
        "VolumeName:s StorageClassName:p VolumeMode:p DataSource:*TypedLocalObjectReference "
        "DataSourceRef:*TypedObjectReference VolumeAttributesClassName:p",
    "PersistentVolumeClaimTemplate": ">ObjectMeta Spec:=PersistentVolumeClaimSpec",
    "PersistentVolumeClaimVolumeSource": "ClaimName:s ReadOnly:b",
    "PhotonPersistentDiskVolumeSource": "PdID:s FSType/fsType:s",
    "PodAffinity":
        "RequiredDuringSchedulingIgnoredDuringExecution:[PodAffinityTerm "
        "PreferredDuringSchedulingIgnoredDuringExecution:[WeightedPodAffinityTerm",
    "PodAffinityTerm":
        "LabelSelector:l Namespaces:p TopologyKey:s NamespaceSelector:l MatchLabelKeys:p "
        "MismatchLabelKeys:p",
    "PodAntiAffinity":
        "RequiredDuringSchedulingIgnoredDuringExecution:[PodAffinityTerm "
        "PreferredDuringSchedulingIgnoredDuringExecution:[WeightedPodAffinityTerm",
    "PodCertificateProjection":
        "SignerName:s KeyType:s MaxExpirationSeconds:p CredentialBundlePath:s "
        "KeyPath:s CertificateChainPath:s UserAnnotations:p",
    "PodDNSConfig": "Nameservers:p Searches:p Options:[PodDNSConfigOption",
    "PodDNSConfigOption": "Name:s Value:p",
    "PodFailurePolicy": "Rules:[PodFailurePolicyRule",
    "PodFailurePolicyOnExitCodesRequirement": "ContainerName:p Operator:s Values:p",
    "PodFailurePolicyOnPodConditionsPattern": "Type:s Status:s",
    "PodFailurePolicyRule":
        "Action:s OnExitCodes:*PodFailurePolicyOnExitCodesRequirement "
        "OnPodConditions:[PodFailurePolicyOnPodConditionsPattern",
    "PodOS": "Name:s",
    "PodReadinessGate": "ConditionType:s",
    "PodResourceClaim": "Name:s ResourceClaimName:p ResourceClaimTemplateName:p",
    "PodSchedulingGate": "Name:s",
    "PodSchedulingGroup": "PodGroupName:p",
    "PodSecurityContext":
        "HostNetwork:b HostPID:b HostIPC:b ShareProcessNamespace:p HostUsers:p "
        "SELinuxOptions/seLinuxOptions:*SELinuxOptions WindowsOptions:*WindowsSecurityContextOptions "
        "RunAsUser:p RunAsGroup:p RunAsNonRoot:p SupplementalGroups:p SupplementalGroupsPolicy:p "
        "FSGroup/fsGroup:p FSGroupChangePolicy/fsGroupChangePolicy:p Sysctls:[Sysctl "
        "SeccompProfile:*SeccompProfile AppArmorProfile:*AppArmorProfile "
        "SELinuxChangePolicy/seLinuxChangePolicy:p",
    "PodSpec":
        "Volumes:[Volume InitContainers:[Container Containers:[Container "
        "EphemeralContainers:[EphemeralContainer RestartPolicy:s TerminationGracePeriodSeconds:p "
        "ActiveDeadlineSeconds:p DNSPolicy/dnsPolicy:s NodeSelector:p ServiceAccountName:s "
        "AutomountServiceAccountToken:p NodeName:s SecurityContext:*PodSecurityContext "
        "ImagePullSecrets:[LocalObjectReference Hostname:s Subdomain:s SetHostnameAsFQDN:p "
        "Affinity:*Affinity SchedulerName:s Tolerations:[Toleration HostAliases:[HostAlias "
        "PriorityClassName:s Priority:p PreemptionPolicy:p DNSConfig/dnsConfig:*PodDNSConfig "
        "ReadinessGates:[PodReadinessGate RuntimeClassName:p Overhead:p EnableServiceLinks:p "
        "TopologySpreadConstraints:[TopologySpreadConstraint OS/os:*PodOS "
        "SchedulingGates:[PodSchedulingGate ResourceClaims:[PodResourceClaim "
        "Resources:*ResourceRequirements HostnameOverride:p SchedulingGroup:*PodSchedulingGroup",
    "PodTemplateSpec": ">ObjectMeta Spec:=PodSpec",
    "PortworxVolumeSource": "VolumeID:s FSType/fsType:s ReadOnly:b",
    "PreferredSchedulingTerm": "Weight:i Preference:=NodeSelectorTerm",
    "Probe":
        ">ProbeHandler InitialDelaySeconds:i TimeoutSeconds:i PeriodSeconds:i SuccessThreshold:i "
        "FailureThreshold:i TerminationGracePeriodSeconds:p",
    "ProbeHandler":
        "Exec:*ExecAction HTTPGet/httpGet:*HTTPGetAction TCPSocket/tcpSocket:*TCPSocketAction "
        "GRPC/grpc:*GRPCAction",
    "ProjectedVolumeSource": "Sources:[VolumeProjection DefaultMode:p",
    "QuobyteVolumeSource": "Registry:s Volume:s ReadOnly:b User:s Group:s Tenant:s",
    "RBDVolumeSource":
        "CephMonitors/monitors:p RBDImage/image:s FSType/fsType:s RBDPool/pool:s "
        "RadosUser/user:s Keyring:s SecretRef:*LocalObjectReference ReadOnly:b",
    "ResourceClaim": "Name:s Request:s",
    "ResourceFieldSelector": "ContainerName:s Resource:s Divisor:q",
    "ResourceRequirements": "Limits:p Requests:p Claims:[ResourceClaim",
    "SELinuxOptions": "User:s Role:s Type:s Level:s",
    "ScaleIOVolumeSource":
        "Gateway:s System:s SecretRef:*LocalObjectReference SSLEnabled/sslEnabled:b "
        "ProtectionDomain:s StoragePool:s StorageMode:s VolumeName:s FSType/fsType:s ReadOnly:b",
    "SeccompProfile": "Type:s LocalhostProfile:p",
    "SecretEnvSource": ">LocalObjectReference Optional:p",
    "SecretKeySelector": ">LocalObjectReference Key:s Optional:p",
    "SecretProjection": ">LocalObjectReference Items:[KeyToPath Optional:p",
    "SecretVolumeSource": "SecretName:s Items:[KeyToPath DefaultMode:p Optional:p",
    "SecurityContext":
        "Capabilities:*Capabilities Privileged:p "
        "SELinuxOptions/seLinuxOptions:*SELinuxOptions WindowsOptions:*WindowsSecurityContextOptions "
        "RunAsUser:p RunAsGroup:p RunAsNonRoot:p ReadOnlyRootFilesystem:p AllowPrivilegeEscalation:p "
        "ProcMount:p SeccompProfile:*SeccompProfile AppArmorProfile:*AppArmorProfile",
    "ServiceAccountTokenProjection": "Audience:s ExpirationSeconds:i Path:s",
    "SleepAction": "Seconds:i",
    "StorageOSVolumeSource":
        "VolumeName:s VolumeNamespace:s FSType/fsType:s ReadOnly:b "
        "SecretRef:*LocalObjectReference",
    "SuccessPolicy": "Rules:[SuccessPolicyRule",
    "SuccessPolicyRule": "SucceededIndexes:p SucceededCount:p",
    "Sysctl": "Name:s Value:s",
    "TCPSocketAction": "Port:n Host:s",
    "Toleration": "Key:s Operator:s Value:s Effect:s TolerationSeconds:p",
    "TopologySpreadConstraint":
        "MaxSkew:i TopologyKey:s WhenUnsatisfiable:s LabelSelector:l MinDomains:p "
        "NodeAffinityPolicy:p NodeTaintsPolicy:p MatchLabelKeys:p",
    "TypedLocalObjectReference": "APIGroup/apiGroup:p Kind:s Name:s",
    "TypedObjectReference": "APIGroup/apiGroup:p Kind:s Name:s Namespace:p",
    "Volume": "Name:s >VolumeSource",
    "VolumeDevice": "Name:s DevicePath:s",
    "VolumeMount":
        "Name:s ReadOnly:b RecursiveReadOnly:p MountPath:s SubPath:s MountPropagation:p "
        "SubPathExpr:s",
    "VolumeProjection":
        "Secret:*SecretProjection DownwardAPI:*DownwardAPIProjection "
        "ConfigMap:*ConfigMapProjection ServiceAccountToken:*ServiceAccountTokenProjection "
        "ClusterTrustBundle:*ClusterTrustBundleProjection PodCertificate:*PodCertificateProjection",
    "VolumeResourceRequirements": "Limits:p Requests:p",
    "VolumeSource":
        "HostPath:*HostPathVolumeSource EmptyDir:*EmptyDirVolumeSource "
        "GCEPersistentDisk/gcePersistentDisk:*GCEPersistentDiskVolumeSource "
        "AWSElasticBlockStore/awsElasticBlockStore:*AWSElasticBlockStoreVolumeSource "
        "GitRepo:*GitRepoVolumeSource Secret:*SecretVolumeSource NFS/nfs:*NFSVolumeSource "
        "ISCSI/iscsi:*ISCSIVolumeSource Glusterfs:*GlusterfsVolumeSource "
        "PersistentVolumeClaim:*PersistentVolumeClaimVolumeSource RBD/rbd:*RBDVolumeSource "
        "Quobyte:*QuobyteVolumeSource FlexVolume:*FlexVolumeSource Cinder:*CinderVolumeSource "
        "CephFS/cephfs:*CephFSVolumeSource Flocker:*FlockerVolumeSource "
        "DownwardAPI:*DownwardAPIVolumeSource FC/fc:*FCVolumeSource AzureFile:*AzureFileVolumeSource "
        "ConfigMap:*ConfigMapVolumeSource VsphereVolume:*VsphereVirtualDiskVolumeSource "
        "AzureDisk:*AzureDiskVolumeSource PhotonPersistentDisk:*PhotonPersistentDiskVolumeSource "
        "Projected:*ProjectedVolumeSource PortworxVolume:*PortworxVolumeSource ScaleIO:*ScaleIOVolumeSource "
        "StorageOS/storageos:*StorageOSVolumeSource CSI/csi:*CSIVolumeSource "
        "Ephemeral:*EphemeralVolumeSource Image:*ImageVolumeSource",
    "VsphereVirtualDiskVolumeSource": "VolumePath:s FSType/fsType:s StoragePolicyName:s StoragePolicyID:s",
    "WeightedPodAffinityTerm": "Weight:i PodAffinityTerm:=PodAffinityTerm",
    "WindowsSecurityContextOptions":
        "GMSACredentialSpecName/gmsaCredentialSpecName:p "
        "GMSACredentialSpec/gmsaCredentialSpec:p RunAsUserName:p HostProcess:p",
}
