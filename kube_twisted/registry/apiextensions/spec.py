"""``spec`` of a definition: group, scope, versions, names, and what the versions have in common."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import FieldError, invalid, required
from kube_twisted.api.names import dns1035_label, dns_subdomain
from kube_twisted.registry import rules
from kube_twisted.registry.apiextensions import conversion_rules, names, version
from kube_twisted.registry.apiextensions.internal import InternalSpec
from kube_twisted.registry.apiextensions.strictness import Strictness
from kube_twisted.registry.apiextensions.validation import validate_schema
from kube_twisted.registry.apiextensions.walk import schemas
from kube_twisted.schema.types import Struct

_UNNEEDED = "must be None if spec.preserveUnknownFields is true"


def validate(spec: dict[str, Any], strictness: Strictness, meta: Struct) -> list[FieldError]:
    """All that is wrong with a spec, its schemas included.

    :param meta: the type of metadata.
    """
    form = InternalSpec.of(spec)
    errors = _validate_group(spec.get("group", ""))
    errors += rules.required_one_of("spec.scope", spec.get("scope", ""), ("Cluster", "Namespaced"))
    errors += _validate_schemas_given(form)
    errors += _validate_defaults_allowed(spec)
    for index in range(len(form.versions)):
        errors += _validate_version(index, form, strictness, meta)
    errors += _validate_versions(form)
    errors += names.validate_required("spec.names", spec["names"])
    errors += names.validate("spec.names", spec["names"])
    errors += _validate_shared(form, strictness, meta)
    return errors + _validate_conversion(spec, strictness)


def _validate_group(group: str) -> list[FieldError]:
    if not group:
        return [required("spec.group")]
    wrong = dns_subdomain(group)
    if wrong:
        return [invalid("spec.group", group, ",".join(wrong))]
    return [] if "." in group else [invalid("spec.group", group, "should be a domain with at least one dot")]


def _validate_schemas_given(form: InternalSpec) -> list[FieldError]:
    if (form.shared.get("validation") or {}).get("openAPIV3Schema") is not None:
        return []
    return [required(f"spec.versions[{index}].schema.openAPIV3Schema") for index,
            one in enumerate(form.versions)
            if (one.get("schema") or {}).get("openAPIV3Schema") is None]


def _validate_defaults_allowed(spec: dict[str, Any]) -> list[FieldError]:
    if not spec.get("preserveUnknownFields"):
        return []
    roots = [(one.get("schema") or {}).get("openAPIV3Schema") or {} for one in spec.get("versions") or []]
    if not any("default" in one for root in roots for one in schemas(root)):
        return []
    detail = "must be false in order to use defaults in the schema"
    return [invalid("spec.preserveUnknownFields", True, detail)]


def _validate_version(index: int, form: InternalSpec, strictness: Strictness, meta: Struct) -> list[FieldError]:
    path, one = f"spec.versions[{index}]", form.versions[index]
    errors = []
    wrong = dns1035_label(one["name"])
    if wrong:
        errors.append(invalid(f"{path}.name", one["name"], ",".join(wrong)))
    subresources = one.get("subresources", form.shared.get("subresources")) or {}
    errors += version.validate_deprecation(f"{path}.deprecationWarning", one)
    errors += validate_schema(f"{path}.schema", one.get("schema"), "status" in subresources,
                              strictness.for_version(one["name"]), meta)
    errors += version.validate_subresources(f"{path}.subresources", one.get("subresources"))
    errors += version.validate_columns(f"{path}.additionalPrinterColumns",
                                       one.get("additionalPrinterColumns"))
    fields = one.get("selectableFields")
    if not fields:
        return errors
    # Upstream looks for the schema beside the fields only, not at the top.
    schema = (one.get("schema") or {}).get("openAPIV3Schema")
    if schema is None:
        detail = "may only be set when `version.schema.openAPIV3Schema` is not included"
        return [*errors, invalid(f"{path}.selectableFields", "", detail)]
    return errors + version.validate_selectable_fields(f"{path}.selectableFields", fields, schema,
                                                       one["name"] in strictness.many_fields)


def _validate_versions(form: InternalSpec) -> list[FieldError]:
    given = [one["name"] for one in form.versions]
    errors = []
    if len(set(given)) != len(given):
        errors.append(invalid("spec.versions", form.go_versions(), "must contain unique version names"))
    if sum(bool(one.get("storage")) for one in form.versions) != 1:
        detail = "must have exactly one version marked as storage version"
        errors.append(invalid("spec.versions", form.go_versions(), detail))
    wrong = dns1035_label(given[0]) if given and given[0] else []
    if wrong:
        errors.append(invalid("spec.version", given[0], ",".join(wrong)))
    return errors


def _validate_shared(form: InternalSpec, strictness: Strictness, meta: Struct) -> list[FieldError]:
    shared = form.shared
    parts = [shared.get("subresources"), *(one.get("subresources") for one in form.versions)]
    has_status = any("status" in (part or {}) for part in parts)
    first = form.versions[0]["name"] if form.versions else ""
    errors = validate_schema("spec.validation", shared.get("validation"), has_status, strictness.for_version(first),
                             meta)
    errors += version.validate_subresources("spec.subresources", shared.get("subresources"))
    errors += version.validate_columns("spec.additionalPrinterColumns",
                                       shared.get("additionalPrinterColumns"))
    fields = shared.get("selectableFields")
    if not fields:
        return errors
    schema = (shared.get("validation") or {}).get("openAPIV3Schema")
    if schema is None:
        detail = "may only be set when validations.schema is included"
        return [*errors, invalid("spec.selectableFields", "", detail)]
    return errors + version.validate_selectable_fields("spec.selectableFields", fields, schema,
                                                       "" in strictness.many_fields)


def _validate_conversion(spec: dict[str, Any], strictness: Strictness) -> list[FieldError]:
    conversion = spec.get("conversion")
    if conversion is None:
        return []
    errors = []
    if conversion.get("strategy") != "None" and spec.get("preserveUnknownFields"):
        errors.append(invalid("spec.conversion.strategy", conversion.get("strategy", ""), _UNNEEDED))
    return errors + conversion_rules.validate("spec.conversion", conversion, strictness)
