"""Facts: the original's internal types of devices, requests and allocations, beside those of pods.

Notation: see :mod:`kube_twisted.registry.podspec.internal_types`.
"""

from kube_twisted.registry.podspec.internal_types import INTERNAL_TYPES

RESOURCE_TYPES: dict[str, str] = INTERNAL_TYPES | {
    "AllocationResult": "Devices:=DeviceAllocationResult NodeSelector:*NodeSelector AllocationTimestamp:p",
    "CELDeviceSelector": "Expression:s",
    "CapacityRequirements": "Requests:p",
    "DeviceAllocationConfiguration": "Source:s Requests:p >DeviceConfiguration",
    "DeviceAllocationResult": "Results:[DeviceRequestAllocationResult Config:[DeviceAllocationConfiguration",
    "DeviceAttribute":
        "IntValue/int:p BoolValue/bool:p StringValue/string:p VersionValue/version:p IntValues/ints:p "
        "BoolValues/bools:p StringValues/strings:p VersionValues/versions:p",
    "DeviceClaim": "Requests:[DeviceRequest Constraints:[DeviceConstraint Config:[DeviceClaimConfiguration",
    "DeviceClaimConfiguration": "Requests:p >DeviceConfiguration",
    "DeviceConfiguration": "Opaque:*OpaqueDeviceConfiguration",
    "DeviceConstraint": "Requests:p MatchAttribute:p DistinctAttribute:p",
    "DeviceRequest": "Name:s Exactly:*ExactDeviceRequest FirstAvailable:[DeviceSubRequest",
    "DeviceRequestAllocationResult":
        "Request:s Driver:s Pool:s Device:s AdminAccess:p Tolerations:[DeviceToleration BindingConditions:p "
        "BindingFailureConditions:p ShareID/shareID:p ConsumedCapacity:p",
    "DeviceSelector": "CEL/cel:*CELDeviceSelector",
    "DeviceSubRequest":
        "Name:s DeviceClassName:s Selectors:[DeviceSelector AllocationMode:s Count:i "
        "Tolerations:[DeviceToleration Capacity:*CapacityRequirements",
    "DeviceToleration": "Key:s Operator:s Value:s Effect:s TolerationSeconds:p",
    "ExactDeviceRequest":
        "DeviceClassName:s Selectors:[DeviceSelector AllocationMode:s Count:i AdminAccess:p "
        "Tolerations:[DeviceToleration Capacity:*CapacityRequirements",
    "OpaqueDeviceConfiguration": "Driver:s Parameters:j",
    "ResourceClaimSpec": "Devices:=DeviceClaim",
    "ResourceClaimTemplateSpec": ">ObjectMeta Spec:=ResourceClaimSpec",
    "SharedDeviceID": "Driver:s Pool:s Device:s ShareID/shareID:s",
}
