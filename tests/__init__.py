"""Tests. Rules tests need nothing; the others share one PostgreSQL and one Valkey, started when first needed."""
