"""Property tests judge values, never time: a busy machine must not fail them."""

from hypothesis import settings

settings.register_profile("values", deadline=None)
settings.load_profile("values")
