"""From the selectors of a request to the objects it is about."""

from __future__ import annotations

from typing import Any

from kube_twisted.api import errors, fields, labels
from kube_twisted.endpoints.request import Request
from kube_twisted.endpoints.scope import RequestScope
from kube_twisted.storage.selection import Selection


def selection_for(scope: RequestScope, request: Request, options: dict[str, Any]) -> Selection:
    """What a list, watch or deletecollection means.

    :param options: a ListOptions.
    :raises StatusError: 400 for a field that can't be selected, or another name than the path's.
    """
    info = request.info
    namespace = info.namespace if scope.namespaced else ""
    by_label: labels.Selector | None = options.get("labelSelector")
    by_field: fields.FieldSelector | None = options.get("fieldSelector")
    name = info.name
    if by_field is not None:
        fields.check_labels(by_field, scope.strategy.field_labels, scope.strategy.selects_namespace,
                            scope.strategy.unknown_field_label)
        selected = by_field.requires_exact("metadata.name")
        if name and by_field.requirements and selected != name:
            raise errors.bad_request("fieldSelector metadata.name doesn't match requested name")
        name = selected or name
        wanted = by_field.requires_exact("metadata.namespace")
        if wanted and scope.namespaced and not namespace:
            namespace = wanted
    return Selection(
        namespace, name,
        by_label.matches if by_label is not None and not by_label.empty else None,
        by_field.matches if by_field is not None and by_field.requirements else None,
        scope.strategy.selectable_fields)
