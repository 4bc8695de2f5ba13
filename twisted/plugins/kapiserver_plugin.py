"""Makes ``twistd kapiserver`` known."""

from twisted.application.service import ServiceMaker

kapiserver = ServiceMaker("kube_twisted", "kube_twisted.tap", "A Kubernetes API server.", "kapiserver")
