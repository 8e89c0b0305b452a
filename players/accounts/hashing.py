"""How passwords are hashed."""

from django.contrib.auth.hashers import Argon2PasswordHasher


class Argon2(Argon2PasswordHasher):
    """argon2id in 19 MiB, as OWASP has it: Django's 100 MiB a log-in would let a few of them fill the memory."""

    time_cost = 2
    memory_cost = 19_456  # KiB
    parallelism = 1
