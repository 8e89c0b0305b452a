"""Tests. Rules tests need nothing; the others share a PostgreSQL and a Valkey, started when first needed."""
