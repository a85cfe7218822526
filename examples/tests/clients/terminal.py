"""Simulates a person at a terminal, who reads before typing.

usage: python3 terminal.py COMMAND... < CONVERSATION

COMMAND runs in a terminal of its own. Each line of CONVERSATION is `wait TEXT`, for text that must appear next, or `type TEXT`, with
escapes such as `\\n` and `\\t` as in Python's strings. COMMAND must then end without being killed. Its output is printed, and its
exit status is returned.
"""

import os
import pty
import select
import sys
import time

TIMEOUT_SECONDS = 60


def main():
    conversation = [line.rstrip("\n").split(" ", 1) for line in sys.stdin]
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ["TERM"] = "dumb"
        os.execvp(sys.argv[1], sys.argv[1:])
    output, read_until, end = "", 0, time.monotonic() + TIMEOUT_SECONDS

    def receive(what):
        nonlocal output
        ready, _, _ = select.select([terminal], [], [], max(0, end - time.monotonic()))
        if not ready:
            sys.exit(f"waited in vain for {what}; the output was:\n{output}")
        try:
            received = os.read(terminal, 4096)
        except OSError:  # the other end is closed
            received = b""
        output += received.decode(errors="replace")
        return bool(received)

    for verb, text in conversation:
        text = text.encode().decode("unicode_escape")
        if verb == "type":
            os.write(terminal, text.encode())
            continue
        while text not in output[read_until:]:
            if not receive(repr(text)):
                sys.exit(f"the program ended before it printed {text!r}:\n{output}")
        read_until = output.index(text, read_until) + len(text)
    while receive("its end"):
        pass
    _, status = os.waitpid(pid, 0)
    print(output)
    sys.exit(os.waitstatus_to_exitcode(status))


main()
