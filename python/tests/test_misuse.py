"""Wrong calls end in exceptions with messages. tools/test-python-memory does the same under the address sanitizer."""

import pytest

from misuse import complaints


def test_five_hundred_wrong_calls_end_in_messages(capfd: pytest.CaptureFixture[str]) -> None:
    assert not complaints(500, seed=23)
