"""The settings of a server, one section per file."""

from kube_twisted.config.error import ConfigError
from kube_twisted.config.loading import load_config
from kube_twisted.config.settings import Config

__all__ = ["Config", "ConfigError", "load_config"]
