"""Tests of the protobuf wire format."""
