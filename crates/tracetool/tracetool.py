# In place of QEMU's scripts/tracetool.py: the program `tracetool`, or what the variable TRACETOOL names.
import os, sys; os.execvp(os.environ.get("TRACETOOL", "tracetool"), ["tracetool", *sys.argv[1:]])
