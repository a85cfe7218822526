# Evaluates definitions with Python 2 or 3. Reads cases from standard input, one per line:
#
#   text LAST NOW MHZ EVENT VCPU PID W1 W2 W3 W4 W5 FORMAT      (numbers; FORMAT: `x` and hex digits)
#   id EXPRESSION                                               (`x` and hex digits)
#
# and prints a line for each case: `ok HEX`, or `error EXCEPTION`.

import binascii
import sys


def text(last, now, mhz, event, vcpu, pid, one, two, three, four, five, definition):
    tsc, reltsc = now, now - last if last > 0 else 0
    if mhz:
        tsc = tsc / (mhz * 1000000.0)
    arguments = {'tsc': tsc, 'event': event, 'reltsc': reltsc, 'vcpu': vcpu, 'pid': pid,
                 '1': one, '2': two, '3': three, '4': four, '5': five}
    try:
        return definition % arguments
    except TypeError:
        return definition + '\n' + str(arguments)


def answer(kind, fields):
    definition = binascii.unhexlify(fields[-1][1:])
    if sys.version_info[0] > 2:
        definition = definition.decode('latin-1')
    if kind == 'text':
        result = text(*[int(number) for number in fields[:-1]] + [definition])
    else:
        result = str(eval(definition))
    if sys.version_info[0] > 2:
        result = result.encode('latin-1')
    return 'ok ' + binascii.hexlify(result).decode('ascii')


for line in sys.stdin:
    words = line.split()
    try:
        print(answer(words[0], words[1:]))
    except Exception as error:
        print('error ' + type(error).__name__)
