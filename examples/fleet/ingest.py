"""Adds traces to a dataset, as a Spark job with one task for each trace.

    spark-submit ingest.py [--ringtrace PROGRAM] DATASET TRACE... [-- OPTION...]

The executors must see the traces and the dataset at these paths, for example on a shared file
system. The options after `--` are those of `ringtrace ingest`. Spark repeats the tasks of executors
that it loses; `ringtrace ingest` can be repeated.
"""

import argparse
import subprocess
import sys

from pyspark.sql import SparkSession


def main(words):
    options = words[words.index("--") + 1 :] if "--" in words else []
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ringtrace", default="ringtrace", help="the program on the executors")
    parser.add_argument("dataset")
    parser.add_argument("traces", nargs="+")
    arguments = parser.parse_args(words[: len(words) - len(options)] if options else words)

    def ingest(trace):
        command = [arguments.ringtrace, "ingest", arguments.dataset, *options, trace]
        ran = subprocess.run(command, capture_output=True, text=True)
        return trace, ran.returncode, ran.stdout, ran.stderr

    spark = SparkSession.builder.appName("ringtrace ingest").getOrCreate()
    # One task for each trace. The results are small.
    traces = spark.sparkContext.parallelize(arguments.traces, len(arguments.traces))
    failed = 0
    for trace, status, out, messages in traces.map(ingest).collect():
        sys.stdout.write(out)
        sys.stderr.write(messages)
        if status != 0:
            failed += 1
            print(f"error: {trace}: ringtrace ended with status {status}", file=sys.stderr)
    spark.stop()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
