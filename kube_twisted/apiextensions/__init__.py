"""The apiextensions server: CustomResourceDefinitions at work, and their custom resources."""
