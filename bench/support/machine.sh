# What the scripts of bench/ share; sourced.

# The comment at the top of a script, as help; ends it.
usage() {
    sed -n '2,/^set /p' "$1" | sed '$d; s/^# \?//' >&2
    exit 2
}

# Builds targets of the release preset; prints where the programs are.
build_release() {
    local root=$1
    shift
    (cd "$root" && cmake --preset release >/dev/null && cmake --build --preset release --target "$@" >/dev/null)
    echo "$root/build/release/bin"
}

free_mib() { awk '/^MemAvailable:/ {print int($2 / 1024)}' /proc/meminfo; }
# Of the file system that holds a directory.
free_disk_gib() { df --output=avail -B1G "$1" | tail -1 | tr -d ' '; }

# The options, one a line, that say to cuzk and cuzk-bench what a directory of `cuzk fabricate` holds.
request_options() {
    python3 - "$1" <<'PYTHON'
import json, sys
folder = sys.argv[1]
m = json.load(open(folder + "/manifest.json"))
kind = {"porep": "porep", "winning": "winning", "window": "wpost", "update": "snap"}[m["kind"]]
options = ["-t", kind, "--registered-proof", m["registered_proof"], "--miner-id", m["miner_id"]]
options += ["--c1", folder + "/c1.json"] if kind == "porep" else ["--vanilla", folder + "/vanilla.json"]
if kind == "snap":
    for name in ("comm_r_old", "comm_r_new", "comm_d_new"):
        options += ["--" + name.replace("_", "-"), m[name]]
elif kind != "porep":
    options += ["--randomness", m["randomness"]]
print("\n".join(map(str, options)))
PYTHON
}

# A JSON object of one line, with the machine, compiler and commit in front.
with_machine() {
    python3 - "$@" <<'PYTHON'
import json, platform, subprocess, sys, time
line, root, threads = sys.argv[1:4]
def output(*command):
    return subprocess.run(command, cwd=root, capture_output=True, text=True).stdout.strip()
cpu = {row.split(":")[0].strip(): row.split(":")[1].strip() for row in open("/proc/cpuinfo") if ":" in row}
machine = {"cpu": cpu.get("model name", platform.machine()), "family": cpu.get("cpu family"), "model": cpu.get("model"),
           "cores": int(output("nproc")), "load": float(open("/proc/loadavg").read().split()[0]),
           "compiler": output("cc", "--version").splitlines()[0], "commit": output("git", "rev-parse", "--short", "HEAD"),
           "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "threads": int(threads)}
print(json.dumps({**machine, **json.loads(line)}))
PYTHON
}

# Runs a program; prints what it printed, and then its wall time, CPU time and peak memory as JSON. Needs RESULT=FILE for
# what it prints.
measured() {
    python3 - "$@" <<'PYTHON'
import json, os, resource, subprocess, sys, time
start = time.monotonic()
with open(os.environ["RESULT"], "wb") as out:
    code = subprocess.run(sys.argv[1:], stdout=out).returncode
use = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps({"wall_s": round(time.monotonic() - start, 3), "cpu_s": round(use.ru_utime + use.ru_stime, 3),
                  "peak_rss_bytes": use.ru_maxrss * 1024}))
sys.exit(code)
PYTHON
}
