from tests.browser.conftest import built

__all__ = ["built"]
