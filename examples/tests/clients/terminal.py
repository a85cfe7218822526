"""A person at a terminal, who reads before typing.

usage: python3 terminal.py COMMAND... < CONVERSATION

COMMAND has a terminal of its own. Each line of CONVERSATION is `wait TEXT`, for what must appear next, or `type TEXT`, with `\\n`, `\\t`
and the like as Python's strings have them. At the end COMMAND must end by itself, without a failure. What it said is printed.
"""

import os
import pty
import select
import sys
import time

PATIENCE_SECONDS = 60


def main():
    conversation = [line.rstrip("\n").split(" ", 1) for line in sys.stdin]
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ["TERM"] = "dumb"
        os.execvp(sys.argv[1], sys.argv[1:])
    said, read_until, end = "", 0, time.monotonic() + PATIENCE_SECONDS

    def listen(what):
        nonlocal said
        ready, _, _ = select.select([terminal], [], [], max(0, end - time.monotonic()))
        if not ready:
            sys.exit(f"waited in vain for {what}; it said:\n{said}")
        try:
            heard = os.read(terminal, 4096)
        except OSError:  # the other end is closed
            heard = b""
        said += heard.decode(errors="replace")
        return bool(heard)

    for verb, text in conversation:
        text = text.encode().decode("unicode_escape")
        if verb == "type":
            os.write(terminal, text.encode())
            continue
        while text not in said[read_until:]:
            if not listen(repr(text)):
                sys.exit(f"it ended before it said {text!r}:\n{said}")
        read_until = said.index(text, read_until) + len(text)
    while listen("its end"):
        pass
    _, status = os.waitpid(pid, 0)
    print(said)
    sys.exit(os.waitstatus_to_exitcode(status))


main()
