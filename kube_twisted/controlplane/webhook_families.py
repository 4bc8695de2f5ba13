"""Metrics of webhooks, of admission and of conversion."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from kube_twisted.admission.webhooks.metrics import WebhookMetrics
from kube_twisted.apiextensions.conversion.metrics import ConversionMetrics
from kube_twisted.server.metrics import Family, Labels

_CONDITION = ("name", "kind", "type", "operation")
_CONDITION_BROKEN_OUT = ("identified by name of resource containing the match condition and broken out for each kind "
                         "containing matchConditions (webhook or policy), operation and admission type (validate or "
                         "admit).")
_TRUNCATED = "Codes greater than 600 are truncated to 600, to keep the metrics cardinality bounded."


def conversion_families(conversions: ConversionMetrics) -> list[Family]:
    """What conversion webhooks did."""
    labels = ("result", "failure_type")
    return [
        Family("apiserver_conversion_webhook_request",
               "Counter for conversion webhook requests with success/failure and failure error type", "counter", labels,
               conversions.requests),
        Family("apiserver_conversion_webhook_duration_seconds", "Conversion webhook request latency", "histogram",
               labels, conversions.durations),
        Family("apiserver_crd_conversion_webhook_duration_seconds", "CRD webhook conversion duration in seconds",
               "histogram", ("crd_name", "from_version", "to_version", "succeeded"), conversions.definition_durations),
    ]


def admission_families(webhooks: WebhookMetrics) -> list[Family]:
    """What admission webhooks did.

    Two counters are shown as gauges, because ``_total`` would be put behind the names of counters.
    """
    call = ("name", "type", "operation")
    return [
        Family("apiserver_admission_webhook_admission_duration_seconds",
               "Admission webhook latency histogram in seconds, identified by name and broken out for each operation "
               "and API resource and type (validate or admit).", "histogram", (*call, "rejected"), webhooks.durations),
        Family("apiserver_admission_webhook_rejection_count",
               "Admission webhook rejection count, identified by name and broken out for each admission type "
               "(validating or admit) and operation. Additional labels specify an error type (calling_webhook_error or "
               "apiserver_internal_error if an error occurred; no_error otherwise) and optionally a non-zero rejection "
               "code if the webhook rejects the request with an HTTP status code (honored by the apiserver when the "
               f"code is greater or equal to 400). {_TRUNCATED}", "gauge", (*call, "error_type", "rejection_code"),
               _counts(webhooks.rejections)),
        Family("apiserver_admission_webhook_fail_open_count",
               "Admission webhook fail open count, identified by name and broken out for each admission type "
               "(validating or admit).", "gauge", ("name", "type"), _counts(webhooks.opened)),
        Family("apiserver_admission_webhook_request",
               "Admission webhook request total, identified by name and broken out for each admission type (validating "
               "or admit) and operation. Additional labels specify whether the request was rejected or not and an HTTP "
               f"status code. {_TRUNCATED}", "counter", (*call, "code", "rejected"), _counts(webhooks.requests)),
        Family("apiserver_admission_match_condition_evaluation_errors",
               f"Admission match condition evaluation errors count, {_CONDITION_BROKEN_OUT}", "counter", _CONDITION,
               _counts(webhooks.condition_errors)),
        Family("apiserver_admission_match_condition_exclusions",
               f"Admission match condition evaluation exclusions count, {_CONDITION_BROKEN_OUT}", "counter",
               _CONDITION, _counts(webhooks.exclusions)),
        Family("apiserver_admission_match_condition_evaluation_seconds",
               "Admission match condition evaluation time in seconds, identified by name and broken out for each kind "
               "containing matchConditions (webhook or policy), operation and type (validate or admit).", "histogram",
               _CONDITION, webhooks.condition_durations),
    ]


def _counts(counter: Counter[Labels]) -> Callable[[], Iterable[tuple[Labels, float]]]:
    return lambda: list(counter.items())
