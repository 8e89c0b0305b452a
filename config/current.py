"""The environment of this process, read and checked when this module is first imported."""

import os

from config.env import read

ENV = read(os.environ)
