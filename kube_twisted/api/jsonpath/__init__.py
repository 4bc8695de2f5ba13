"""JSONPath templates as Kubernetes understands them: printer columns and selectable fields are written so.

Source of the rules: the Kubernetes documentation, "JSONPath Support", and client-go's ``util/jsonpath``.
"""

from kube_twisted.api.jsonpath.nodes import JSONPathError
from kube_twisted.api.jsonpath.template import JSONPath

__all__ = ["JSONPath", "JSONPathError"]
