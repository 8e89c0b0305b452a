"""Settings: `base` is shared; `production` runs the service, `test` the tests."""
