# Random ingests, repeated ingests, compactions and kills. Afterwards, a dataset has the rows of an
# undisturbed ingest, and readers see each row once all the time.
import collections, glob, os, random, subprocess, sys, time

import duckdb

program, folder, *traces = sys.argv[1:]
os.chdir(folder)
PAIR = ["--pair", "disk_read:disk_done:req"]
# What a trace contains, by the options of its ingest.
VARIANTS = {"all": PAIR, "tickets": [*PAIR, "--event", "ticket"]}
random.seed(int(os.environ.get("SEED", "17")))


def run(*words):
    done = subprocess.run([program, *words], capture_output=True, text=True)
    assert done.returncode == 0, (words, done.stderr)
    return done.stdout


def rows(dataset):
    """Returns the rows of each committed trace, without nulls."""
    found = collections.defaultdict(collections.Counter)
    committed = f"SELECT trace FROM '{dataset}/traces/*.parquet'"
    for kind in sorted(glob.glob(f"{dataset}/events/*") + glob.glob(f"{dataset}/[!_e]*")):
        if kind.endswith("/traces"):
            continue
        files = f"read_parquet('{kind}/**/*.parquet', union_by_name=true, hive_types={{host: VARCHAR, date: VARCHAR}})"
        query = duckdb.sql(f"SELECT * FROM {files} WHERE trace IN ({committed})")
        for row in query.fetchall():
            values = [(column, value) for column, value in zip(query.columns, row) if value is not None]
            values.append(("table", kind.removeprefix(dataset)))
            found[dict(values)["trace"]][frozenset(values)] += 1
    return found


def files(dataset):
    return len([path for path in glob.glob(f"{dataset}/*/**/*.parquet", recursive=True) if "/traces/" not in path])


expected = {}
for variant, options in VARIANTS.items():
    run("ingest", f"expected-{variant}", *PAIR, *traces)
    run("ingest", f"expected-{variant}", *options, *traces)
    expected[variant] = rows(f"expected-{variant}")
ids = sorted(expected["all"])
paths = dict(zip(ids, traces))
assert len(ids) == len(traces), ids

# Compaction alone: all rows are the same, and there are fewer files. A second one has nothing to do.
run("ingest", "fleet", *PAIR, *traces)
before = files("fleet")
intention = run("compact-dataset", "--dry-run", "fleet")
assert files("fleet") == before and intention.startswith("would merge "), intention
print(run("compact-dataset", "fleet"), end="")
assert files("fleet") < before * 0.7, (files("fleet"), before)
assert rows("fleet") == expected["all"]
assert run("compact-dataset", "fleet").startswith("nothing to merge: ")
# The traces are known to be there.
assert run("ingest", "fleet", *PAIR, *traces).count("(already there)") == len(traces)

# Readers during compactions and repeated ingests that change nothing.
events = "SELECT count(*) FROM 'busy/events/**/*.parquet'"
counts, errors, expected_events = collections.Counter(), 0, None


def split():
    """Makes the dataset small files again, without readers."""
    subprocess.run(["rm", "-rf", "busy"], check=True)
    run("ingest", "busy", *PAIR, *traces)


connection = duckdb.connect()
for turn in range(6):
    split()
    expected_events = connection.sql(events).fetchall()[0][0]
    process = subprocess.Popen([program, "compact-dataset", "busy"], stdout=subprocess.DEVNULL)
    while process.poll() is None:
        try:
            counts[connection.sql(events).fetchall()[0][0]] += 1
        except duckdb.Error as error:
            # A file was deleted while the query ran.
            assert "No files found" not in str(error), error
            errors += 1
    assert process.returncode == 0
assert set(counts) <= {expected_events}, counts
print(f"readers: right {sum(counts.values()) > 0}, wrong {len(set(counts) - {expected_events})}")

# Random work. A killed ingest leaves either version of a trace, or none.
state = {trace: {"all"} for trace in ids}
started = time.monotonic()
run("compact-dataset", "fleet")
duration = time.monotonic() - started
killed = 0
for turn in range(int(os.environ.get("TURNS", "40"))):
    work = []
    for _ in range(random.choice([1, 1, 2, 3])):
        if random.random() < 0.5:
            work.append((None, None, ["compact-dataset", "fleet"]))
        else:
            trace, variant = random.choice(ids), random.choice(list(VARIANTS))
            work.append((trace, variant, ["ingest", "fleet", *VARIANTS[variant], paths[trace]]))
    kills = random.random() < 0.6
    processes = [subprocess.Popen([program, *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) for _, _, words in work]
    changed = [trace for trace, _, _ in work if trace]
    if kills:
        time.sleep(random.random() * duration * 3)
        for process in processes:
            process.kill()
    for (trace, variant, _), process in zip(work, processes):
        messages = process.communicate()[1]
        killed += process.returncode == -9
        assert process.returncode in (0, -9), messages
        if trace:
            alone = changed.count(trace) == 1
            done = process.returncode == 0
            state[trace] = {variant} if done and alone else state[trace] | {variant}
    # The lock completes the work of killed processes.
    run("compact-dataset", "--dry-run", "fleet")
    assert os.listdir("fleet/_staging") == ["lock"], os.listdir("fleet/_staging")
    now = rows("fleet")
    for trace in ids:
        versions = [variant for variant in VARIANTS if now[trace] == expected[variant][trace]]
        assert len(versions) == 1 and versions[0] in state[trace], (turn, trace, versions, state[trace], sum(now[trace].values()))
        state[trace] = set(versions)
run("ingest", "fleet", *PAIR, *traces)
run("compact-dataset", "fleet")
assert rows("fleet") == expected["all"]
assert run("ingest", "fleet", *PAIR, *traces).count("(already there)") == len(traces)
print(f"killed: {killed > 3}")
print(f"{killed} killed, {sum(counts.values())} queries, {errors} failed", file=sys.stderr)
