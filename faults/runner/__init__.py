"""The fault runner: plants each fault of corpus/faults/ and measures which engine catches it. See docs/faults.md."""
