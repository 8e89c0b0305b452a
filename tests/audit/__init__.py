"""The verifier, the record and the exports."""
