# Replaces QEMU's scripts/tracetool.py. Runs the program `tracetool`, or the one in the variable TRACETOOL.
import os, sys

program = os.environ.get("TRACETOOL", "tracetool")
try:
    os.execvp(program, ["tracetool", *sys.argv[1:]])
except OSError as error:
    sys.exit(f"tracetool.py: cannot run {program}: {error.strerror}\n"
             "  help: put ringtrace's tracetool in the PATH, or its path in the variable TRACETOOL")
