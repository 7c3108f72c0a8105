#!/usr/bin/env python3
"""The daemon as a process: start, settings, HTTP, signals, sockets, what systemd hears.

usage: test_daemon.py DAEMON
"""
import contextlib
import http.client
import json
import os
import pathlib
import re
import select
import signal
import socket
import subprocess
import sys
import tempfile

PROGRAM = sys.argv[1]
# Only what a test sets: the variables of whoever runs it must not matter.
CLEAN = {name: value for name, value in os.environ.items()
         if name not in ("RUST_LOG", "NOTIFY_SOCKET", "WATCHDOG_USEC", "FIL_PROOFS_PARAMETER_CACHE", "JOURNAL_STREAM")}
PATIENCE_S = 60


class Daemon:
    """A running one; `lines` is what it has logged so far."""

    def __init__(self, *arguments, **variables):
        self.process = subprocess.Popen([PROGRAM, *arguments], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                        env={**CLEAN, **variables})
        self.lines, self.rest = [], b""

    def read(self):
        """More lines; False at the end of the output."""
        ready, _, _ = select.select([self.process.stderr], [], [], PATIENCE_S)
        assert ready, "the daemon says nothing more:\n" + "\n".join(self.lines)
        data = os.read(self.process.stderr.fileno(), 65536)
        *lines, self.rest = (self.rest + data).split(b"\n")
        self.lines += [line.decode() for line in lines]
        return bool(data)

    def expect(self, pattern):
        """The first line that fits, from the start."""
        at = 0
        while True:
            for line in self.lines[at:]:
                found = re.search(pattern, line)
                if found:
                    return found
            at = len(self.lines)
            assert self.read(), "no line fits %s:\n%s" % (pattern, "\n".join(self.lines))

    def ready(self):
        return self.expect(r"cuzk-daemon ready, serving on ([^\s\"]+)").group(1)

    def end(self):
        while self.read():
            pass
        return self.process.wait(PATIENCE_S)

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        return self.end()


@contextlib.contextmanager
def running(*arguments, **variables):
    daemon = Daemon(*arguments, **variables)
    try:
        yield daemon
    finally:
        if daemon.process.poll() is None:
            daemon.process.kill()
            daemon.process.wait(PATIENCE_S)
        daemon.process.stderr.close()


def settings(folder, text):
    path = pathlib.Path(folder) / "cuzk.toml"
    path.write_text(text)
    return str(path)


def once(*arguments, **variables):
    return subprocess.run([PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=PATIENCE_S, env={**CLEAN, **variables})


def ask(port, path, method="GET"):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    connection.request(method, path)
    answer = connection.getresponse()
    body = answer.read().decode()
    connection.close()
    return answer.status, dict(answer.getheaders()), body


def check_http(folder):
    path = settings(folder, '[daemon]\nlisten = "127.0.0.1:0"\nstatus_listen = "127.0.0.1:0"\n')
    with running("-c", path) as daemon:
        address = daemon.ready()
        assert re.fullmatch(r"127\.0\.0\.1:[1-9]\d*", address), address
        port = int(daemon.expect(r"HTTP status listening.*port=(\d+)").group(1))
        code, headers, body = ask(port, "/status")
        status = json.loads(body)
        assert code == 200 and headers["Content-Type"] == "application/json", (code, headers)
        assert headers["Access-Control-Allow-Origin"] == "*" and headers["Connection"] == "close"
        assert status["memory"]["total_bytes"] > 0 and status["memory"]["used_bytes"] == 0
        assert status["pipelines"] == [] and status["counters"]["queue_depth"] == 0
        assert status["allocations"] == {"srs": [], "pce": []} and status["recent_failures"] == []
        code, headers, body = ask(port, "/metrics")
        assert code == 200 and "# TYPE cuzk_proofs_completed_total counter" in body
        assert ask(port, "/healthz")[0::2] == (200, "ok\n")
        code, headers, body = ask(port, "/")
        assert code == 200 and "<title>cuzk</title>" in body and headers["Content-Type"].startswith("text/html")
        assert "http://" not in body and "https://" not in body, "the page loads nothing from elsewhere"
        assert ask(port, "/unknown")[0::2] == (404, "404 Not Found\n")
        for method in ("POST", "DELETE", "HEAD", "OPTIONS"):
            assert ask(port, "/status", method)[0] == 405, method
        assert daemon.stop() == 0, daemon.lines


def check_start_lines(folder):
    path = settings(folder, 'daemon.listen = "127.0.0.1:0"\nmemory.total_budget = "3GiB"\nsrs.preload = ["x"]\n'
                            'daemon.listne = "x"\n')
    with running("-c", path) as daemon:
        daemon.ready()
        for pattern in ("INFO daemon: cuzk-daemon starting version=", "INFO config: configuration loaded file=",
                        r"WARN config: .*cuzk.toml:3: srs.preload is deprecated and has no effect",
                        r"WARN config: .*unknown key daemon.listne is ignored; the nearest known key is daemon.listen",
                        r"INFO daemon: memory budget initialized budget_bytes=3221225472 machine_bytes=\d+ cgroup_bytes=",
                        r"WARN daemon: memory budget \(3.0 GiB\) is too small for 32 GiB sectors",
                        "INFO daemon: self-test of the kernels passed", "INFO daemon: proving on the CPU level="):
            daemon.expect(pattern)
        assert daemon.stop(signal.SIGINT) == 0


def check_settings(folder):
    socket_path = pathlib.Path(folder) / "defaults.sock"
    missing = str(pathlib.Path(folder) / "missing.toml")
    with running("-c", missing, "-l", "unix://%s" % socket_path) as daemon:
        assert daemon.ready() == "unix://%s" % socket_path
        daemon.expect("all defaults: configuration loaded")
        assert daemon.stop() == 0
    path = settings(folder, '[daemon]\nlisten = "127.0.0.1:0"\n[memory]\ntotal_budget = "50 gib"\n')
    for options in ((), ("--check-config",), ("--print-config",)):
        result = once("-c", path, *options)
        assert result.returncode == 2 and result.stdout == "", result
        assert ':4:16: memory.total_budget: "50 gib" is not a size' in result.stderr, result.stderr
    result = once("-c", settings(folder, "daemon = [\n"))
    assert result.returncode == 2 and "cuzk.toml:" in result.stderr, result
    for text in ('daemon.listen = "localhost:1"', 'process.cores = "a"', 'srs.keep_hot = ["porep-33g"]',
                 'logging.level = "loud"'):
        result = once("-c", settings(folder, text + "\n"), "--check-config")
        assert result.returncode == 2 and text.split()[-1].strip('"[]') in result.stderr, result
    path = settings(folder, 'memory.total_budget = "50GiB"\nsynthesis.partition_workers = 3\n')
    result = once("-c", path, "--check-config")
    assert result.returncode == 0 and "good" in result.stdout and "deprecated" in result.stderr, result
    printed = once("-c", path, "--print-config").stdout
    assert 'total_budget = "50GiB"' in printed
    assert once("-c", settings(folder, printed), "--print-config").stdout == printed, "reads back"
    assert once("--version").stdout.startswith("cuzk-daemon ")
    assert once("--no-such-option").returncode == 2 and once("extra").returncode == 2


def check_logs(folder):
    path = settings(folder, 'daemon.listen = "127.0.0.1:0"\nlogging.level = "error"\nlogging.format = "json"\n'
                            'srs.preload = []\n')
    with running("-c", path, "--log-level", "info") as daemon:
        daemon.expect("ready, serving on")
        lines = [json.loads(line) for line in daemon.lines]
        assert lines[0]["message"] == "cuzk-daemon starting" and lines[0]["level"] == "INFO", lines
        assert daemon.stop() == 0
    with running("-c", path, "--log-level", "info", RUST_LOG="warn") as daemon:
        daemon.expect("srs.preload is deprecated")
        assert daemon.stop() == 0
        assert all(json.loads(line)["level"] == "WARN" for line in daemon.lines), "RUST_LOG goes first"
    with running("-c", path, "--log-level", "info", RUST_LOG="cuzk[span]=x") as daemon:
        daemon.expect("RUST_LOG is not used")
        assert daemon.stop() == 0


def check_hangup(folder):
    path = settings(folder, 'daemon.listen = "127.0.0.1:0"\n')
    with running("-c", path) as daemon:
        daemon.ready()
        settings(folder, 'daemon.listen = "127.0.0.1:0"\nmemory.eviction_min_idle = "soon"\n')
        daemon.process.send_signal(signal.SIGHUP)
        daemon.expect("not read again: .*memory.eviction_min_idle")
        pathlib.Path(path).unlink()
        daemon.process.send_signal(signal.SIGHUP)
        daemon.expect("not read again: .*no such file")
        settings(folder, 'daemon.listen = "127.0.0.1:0"\nlogging.format = "json"\nmemory.eviction_min_idle = "1m"\n'
                 "pipeline.max_gpu_queue_depth = 3\n")
        daemon.process.send_signal(signal.SIGHUP)
        daemon.expect(r'^\{.*"configuration read again: .* pipeline.max_gpu_queue_depth 3"')
        assert daemon.stop() == 0


def check_sockets(folder):
    path = pathlib.Path(folder) / "new" / "folder" / "cuzk.sock"
    listen = "unix://%s" % path
    with running("-c", "/nonexistent", "-l", listen) as daemon:
        daemon.ready()
        assert path.is_socket() and path.stat().st_mode & 0o777 == 0o660
        other = once("-c", "/nonexistent", "-l", listen)
        assert other.returncode == 3 and str(path) in other.stderr, other
        daemon.process.kill()
        daemon.end()
    assert path.is_socket(), "left behind"
    with running("-c", "/nonexistent", "-l", listen) as daemon:
        daemon.ready()
        assert daemon.stop() == 0
    assert not path.exists()
    path.write_text("not a socket")
    assert once("-c", "/nonexistent", "-l", listen).returncode == 3 and path.read_text() == "not a socket"
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        path = settings(folder, 'daemon.listen = "127.0.0.1:0"\ndaemon.status_listen = "127.0.0.1:%d"\n' % port)
        with running("-c", path) as daemon:
            daemon.ready()
            daemon.expect("ERROR http: no HTTP status: 127.0.0.1:%d: Address already in use" % port)
            assert daemon.stop() == 0
        assert once("-c", "/nonexistent", "-l", "127.0.0.1:%d" % port).returncode == 3


def check_signals(folder):
    path = settings(folder, 'daemon.listen = "127.0.0.1:0"\n')
    with running("-c", path) as daemon:  # both wait for it, SIGINT first: it has the lower number
        daemon.ready()
        for number in (signal.SIGSTOP, signal.SIGTERM, signal.SIGINT, signal.SIGCONT):
            daemon.process.send_signal(number)
        assert daemon.end() == 143, daemon.lines
        daemon.expect("stopping: no new jobs, running ones may finish signal=INT")
        daemon.expect("second signal: leaving now signal=TERM")


def check_systemd(folder):
    name = str(pathlib.Path(folder) / "notify")
    path = settings(folder, 'daemon.listen = "127.0.0.1:0"\n')
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(name)
        systemd.settimeout(PATIENCE_S)
        with running("-c", path, NOTIFY_SOCKET=name, WATCHDOG_USEC="20000") as daemon:
            assert systemd.recv(100) == b"READY=1"
            assert systemd.recv(100) == b"WATCHDOG=1" and systemd.recv(100) == b"WATCHDOG=1"
            daemon.process.send_signal(signal.SIGTERM)
            while systemd.recv(100) != b"STOPPING=1":
                pass
            assert daemon.end() == 0


def check_share(folder):
    core = min(os.sched_getaffinity(0))
    path = settings(folder, 'daemon.listen = "127.0.0.1:0"\nprocess.nice = 19\nprocess.cores = "%d"\n' % core)
    with running("-c", path) as daemon:
        daemon.ready()
        for task in pathlib.Path("/proc/%d/task" % daemon.process.pid).iterdir():
            assert os.sched_getaffinity(int(task.name)) == {core}, task.name
            assert os.getpriority(os.PRIO_PROCESS, int(task.name)) == 19, task.name
        assert daemon.stop() == 0
    result = once("-c", settings(folder, 'daemon.listen = "127.0.0.1:0"\nprocess.cores = "1023"\n'))
    assert result.returncode == 3 and "process.cores: 1023: " in result.stderr, result


def main():
    for check in (check_http, check_start_lines, check_settings, check_logs, check_hangup, check_sockets, check_signals,
                  check_systemd, check_share):
        with tempfile.TemporaryDirectory() as folder:
            check(folder)
        print(check.__name__, "good", flush=True)


main()
