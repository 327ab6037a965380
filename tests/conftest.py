"""What holds for all tests."""

from __future__ import annotations

import signal

# A shell that starts the tests in the background lets them ignore Ctrl-C, and with
# them the commands that they try to interrupt.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
