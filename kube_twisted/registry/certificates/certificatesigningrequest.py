"""CertificateSigningRequests: the spec names its requester and never changes."""

from __future__ import annotations

import base64

from kube_twisted.api.field import FieldError, duplicate, forbidden, invalid, not_supported, required
from kube_twisted.api.names import path_segment
from kube_twisted.registry.certificates.conditions import (
    fill_times,
    keep_approval,
    validate_conditions,
    validate_conditions_change,
)
from kube_twisted.registry.certificates.pem import certificate_problem, request_problem
from kube_twisted.registry.certificates.signer_name import validate_signer_name
from kube_twisted.registry.strategy import Obj, StatusStrategy, Strategy, WriteContext

_USAGES = (
    "any", "cert sign", "client auth", "code signing", "content commitment", "crl sign", "data encipherment",
    "decipher only", "digital signature", "email protection", "encipher only", "ipsec end system",
    "ipsec tunnel",
    "ipsec user", "key agreement", "key encipherment", "microsoft sgc", "netscape sgc", "ocsp signing",
    "s/mime",
    "server auth", "signing", "timestamping",
)
_LEGACY = "kubernetes.io/legacy-unknown"
_MIN_SECONDS = 600


class CertificateSigningRequestStrategy(Strategy):
    """Rules of ``certificatesigningrequests``."""

    field_labels = frozenset({"spec.signerName"})
    selects_namespace = False
    reset_fields = (("spec",), ("status",))

    def validate_name(self, name: str, prefix: bool) -> list[str]:
        return path_segment(name, prefix)

    def prepare_for_create(self, ctx: WriteContext, obj: Obj) -> None:
        spec = obj["spec"]
        for field in ("username", "uid", "groups", "extra"):
            spec.pop(field, None)
        requester = {"username": ctx.username, "uid": ctx.uid, "groups": list(ctx.groups),
                     "extra": {key: list(values) for key, values in ctx.extra}}
        spec.update({field: value for field, value in requester.items() if value})
        obj["status"] = {}

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        obj["spec"], obj["status"] = old.get("spec", {}), old.get("status", {})

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        return _validate(obj, None)

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        return validate_change(obj, old, approving=False, signing=False)

    def selectable_fields(self, obj: Obj) -> dict[str, str]:
        return {"spec.signerName": obj.get("spec", {}).get("signerName", "")}


class CertificateSigningRequestStatusStrategy(StatusStrategy):
    """Rules of ``certificatesigningrequests/status``: the certificate, set once, and conditions."""

    reset_fields = (("spec",), ("status", "conditions"))

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        obj["spec"] = old.get("spec", {})
        keep_approval(obj, old)
        fill_times(obj, old, ctx.now)

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        return validate_change(obj, old, approving=False, signing=True)


class CertificateSigningRequestApprovalStrategy(StatusStrategy):
    """Rules of ``certificatesigningrequests/approval``: only the conditions."""

    reset_fields = (("spec",), ("status", "certificate"))

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        fill_times(obj, old, ctx.now)
        conditions = obj.get("status", {}).get("conditions")
        obj["spec"], obj["status"] = old.get("spec", {}), dict(old.get("status", {}))
        obj["status"].pop("conditions", None)
        if conditions:
            obj["status"]["conditions"] = conditions

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        return validate_change(obj, old, approving=True, signing=False)


def validate_change(obj: Obj, old: Obj, *, approving: bool, signing: bool) -> list[FieldError]:
    """An update through the endpoint that approves, the one that signs, or the main one."""
    errors = _validate(obj, old) + validate_conditions_change(obj, old, approving=approving)
    new, before = (one.get("status", {}).get("certificate", "") for one in (obj, old))
    if new != before and not signing:
        errors.append(forbidden("status.certificate", "updates may not set certificate content"))
    elif new != before and before:
        errors.append(forbidden("status.certificate", "updates may not modify existing certificate content"))
    return errors


def _validate(obj: Obj, old: Obj | None) -> list[FieldError]:
    spec, old_spec = obj.get("spec", {}), (old or {}).get("spec", {})
    request = spec.get("request")
    problem = request_problem(base64.b64decode(request or ""))
    errors = [invalid("spec.request", request, problem)] if problem else []
    errors += _validate_usages(spec.get("usages", []), old_spec.get("usages", []))
    signer = spec.get("signerName", "")
    if signer == _LEGACY and old_spec.get("signerName") != _LEGACY:
        errors.append(invalid("spec.signerName", signer,
                              "the legacy signerName is not allowed via this API version"))
    else:
        errors += validate_signer_name("spec.signerName", signer)
    seconds = spec.get("expirationSeconds")
    if seconds is not None and seconds < _MIN_SECONDS:
        errors.append(invalid("spec.expirationSeconds", seconds,
                              "may not specify a duration less than 600 seconds (10 minutes)"))
    return errors + validate_conditions(obj, old) + _validate_certificate(obj, old)


def _validate_usages(usages: list[str], before: list[str]) -> list[FieldError]:
    errors = [] if usages else [required("spec.usages")]
    if all(one in _USAGES for one in before):
        errors += [not_supported(f"spec.usages[{index}]", one, _USAGES) for index, one in enumerate(usages)
                   if one not in _USAGES]
    if len(before) == len(set(before)):
        errors += [duplicate(f"spec.usages[{index}]", one) for index, one in enumerate(usages)
                   if one in usages[:index]]
    return errors


def _validate_certificate(obj: Obj, old: Obj | None) -> list[FieldError]:
    certificate = obj.get("status", {}).get("certificate", "")
    before = (old or {}).get("status", {}).get("certificate", "")
    if old is not None and (certificate == before or certificate_problem(base64.b64decode(before))):
        return []
    problem = certificate_problem(base64.b64decode(certificate))
    return [invalid("status.certificate", "<certificate data>", problem)] if problem else []


STRATEGY = CertificateSigningRequestStrategy()
STATUS = CertificateSigningRequestStatusStrategy(STRATEGY)
APPROVAL = CertificateSigningRequestApprovalStrategy(STRATEGY)
