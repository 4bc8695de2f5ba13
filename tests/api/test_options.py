"""Validation of request options."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api import options
from kube_twisted.api.field import FieldError

_APPLY, _MERGE = "application/apply-patch+yaml", "application/merge-patch+json"
_EXACT, _NOT_OLDER = {"resourceVersionMatch": "Exact"}, {"resourceVersionMatch": "NotOlderThan"}


def texts(errors: list[FieldError]) -> list[str]:
    return [str(one) for one in errors]


class WriteOptionsTests(SynchronousTestCase):
    """Options of writes."""

    def test_dry_run(self) -> None:
        """The only dry run is All, however often it is given."""
        self.assertEqual(options.validate_create_options({"dryRun": ["All", "All"]}), [])
        for bad, shown in ((["all"], '["all"]'), ([""], '[""]'), (["All", "Some"], '["All","Some"]')):
            self.assertEqual(texts(options.validate_update_options({"dryRun": bad})),
                             [f'dryRun: Unsupported value: {shown}: supported values: "All"'])

    def test_field_manager(self) -> None:
        """A manager has up to 128 bytes of printable characters; positions count bytes."""
        self.assertEqual(options.validate_create_options({"fieldManager": "with space/slash"}), [])
        self.assertEqual(texts(options.validate_create_options({"fieldManager": "y" * 129})),
                         ["fieldManager: Too long: may not be more than 128 bytes"])
        self.assertEqual(texts(options.validate_create_options({"fieldManager": "é\tx"})),
                         ['fieldManager: Invalid value: "é\\tx": invalid character U+0009 (at position 2)'])

    def test_field_validation(self) -> None:
        """Field validation has three levels."""
        self.assertEqual(texts(options.validate_create_options({"fieldValidation": "strict"})),
                         ['fieldValidation: Unsupported value: "strict": supported values: "", "Ignore", '
                          '"Strict", "Warn"'])

    def test_patch(self) -> None:
        """Apply needs a manager and may be forced; other patches may not."""
        self.assertEqual(texts(options.validate_patch_options({}, _APPLY)),
                         ["fieldManager: Required value: is required for apply patch"])
        self.assertEqual(options.validate_patch_options({"fieldManager": "m", "force": True}, _APPLY), [])
        self.assertEqual(texts(options.validate_patch_options({"force": False}, _MERGE)),
                         ["force: Forbidden: may not be specified for non-apply patch"])

    def test_delete(self) -> None:
        """The propagation policy is one of three, and is not given in the old way too."""
        self.assertEqual(options.validate_delete_options({"propagationPolicy": "Orphan"}), [])
        self.assertEqual(texts(options.validate_delete_options({"propagationPolicy": "Sideways"})), [
            'propagationPolicy: Unsupported value: "Sideways": supported values: "Foreground", "Background", '
            '"Orphan", "nil"'])
        self.assertEqual(texts(options.validate_delete_options({"propagationPolicy": "Orphan",
                                                                "orphanDependents": True})),
                         ['propagationPolicy: Invalid value: "Orphan": orphanDependents and '
                          "deletionPropagation cannot be both set"])

    def test_unsafe_delete(self) -> None:
        """The option to delete what cannot be read, whose gate is off, is not looked at."""
        name = "ignoreStoreReadErrorWithClusterBreakingPotential"
        self.assertEqual(options.validate_delete_options({name: True, "gracePeriodSeconds": 0}), [])


class ListOptionsTests(SynchronousTestCase):
    """Options of lists and watches."""

    def check(self, given: dict[str, Any], is_watch: bool, *expected: str) -> None:
        self.assertEqual(texts(options.validate_list_options(given, is_watch)), list(expected))

    def test_list(self) -> None:
        """A match needs a version, is one of two, and Exact needs a real version."""
        self.check({**_EXACT, "resourceVersion": "5"}, False)
        self.check({**_NOT_OLDER, "resourceVersion": "0"}, False)
        forbidden = "resourceVersionMatch: Forbidden: resourceVersionMatch"
        self.check(_EXACT, False, f"{forbidden} is forbidden unless resourceVersion is provided")
        self.check({**_EXACT, "resourceVersion": "0"}, False,
                   f'{forbidden} "exact" is forbidden for resourceVersion "0"')
        self.check({**_NOT_OLDER, "resourceVersion": "5", "continue": "t"}, False,
                   f"{forbidden} is forbidden when continue is provided")
        self.check({"resourceVersion": "1", "resourceVersionMatch": "Sometimes"}, False,
                   'resourceVersionMatch: Unsupported value: "Sometimes": supported values: "Exact", '
                   '"NotOlderThan", ""')
        self.check({"sendInitialEvents": True}, False,
                   "sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list")

    def test_watch(self) -> None:
        """Only a watch that sends initial events takes a match, and it must be NotOlderThan."""
        self.check({**_NOT_OLDER, "sendInitialEvents": True}, True)
        self.check({**_EXACT, "resourceVersion": "1"}, True,
                   "resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless "
                   "sendInitialEvents is provided",
                   'resourceVersionMatch: Unsupported value: "Exact": supported values: "NotOlderThan"')
        self.check({"sendInitialEvents": False}, True,
                   "resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch "
                   "to NotOlderThan")

    def test_watch_list_off(self) -> None:
        """Without the feature, initial events are refused."""
        errors = options.validate_list_options({**_NOT_OLDER, "sendInitialEvents": True}, True, False)
        self.assertEqual(texts(errors), ["sendInitialEvents: Forbidden: sendInitialEvents is forbidden for "
                                         "watch unless the WatchList feature gate is enabled"])
