"""Live: the stream process, and what the rest of the server tells it through Valkey. docs/api/streams.md."""
