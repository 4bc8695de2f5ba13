"""The tests; docs/testing.md says what is where."""

from hypothesis import HealthCheck, settings

# A busy machine makes no example wrong: how long they take is measured elsewhere (tests/bench).
settings.register_profile("kube_twisted", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("kube_twisted")
