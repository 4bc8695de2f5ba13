"""The server behind the kube server: CustomResourceDefinitions."""
