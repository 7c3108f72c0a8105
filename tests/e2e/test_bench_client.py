#!/usr/bin/env python3
"""cuzk-bench against a server made here, which records what comes and answers what a case wants.

usage: test_bench_client.py ACTION CUZK_BENCH VECTORS PROTO_PYTHON
    requests  what is sent, of every kind and way of saying it
    shapes    what every command prints, and its exit code
    json      the same with --json
    failures  proofs that fail, replies that are none, a server that refuses, is slow, is not there
    verify    --verify: the reference's proofs are valid, altered ones and other statements are not
    many      batch and stress
    large     a request of 100 MB, read and sent without copies
    tls       certificates of both sides
    usage     exit codes and texts of wrong calls
"""
import base64
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

import grpc

# Builds with the address sanitizer also look at what gRPC's libraries leave.
os.environ["LSAN_OPTIONS"] = "print_suppressions=0:suppressions=%s" % os.path.join(
    os.path.dirname(os.path.abspath(__file__)), "..", "support", "lsan.supp")


RUNS = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
METHODS = {  # method: its request, its reply
    "SubmitProof": ("SubmitProofRequest", "SubmitProofResponse"),
    "AwaitProof": ("AwaitProofRequest", "AwaitProofResponse"),
    "Prove": ("ProveRequest", "ProveResponse"),
    "CancelProof": ("CancelProofRequest", "CancelProofResponse"),
    "GetStatus": ("GetStatusRequest", "GetStatusResponse"),
    "GetMetrics": ("GetMetricsRequest", "GetMetricsResponse"),
    "PreloadSRS": ("PreloadSrsRequest", "PreloadSrsResponse"),
    "EvictSRS": ("EvictSrsRequest", "EvictSrsResponse"),
}
UNLIMITED = [("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1)]


def check(condition, text):
    if not condition:
        sys.exit(str(text))


class Fake(grpc.GenericRpcHandler):
    """A server of the contract: `answer[method]` is a reply, or makes one from request and context."""

    def __init__(self, proto, address, credentials=None):
        self.proto, self.requests, self.answer, self.lock = proto, [], {}, threading.Lock()
        pool = concurrent.futures.ThreadPoolExecutor(max_workers=40)
        self.server = grpc.server(pool, handlers=[self], options=UNLIMITED)
        if credentials:
            self.port = self.server.add_secure_port(address, credentials)
        else:
            self.port = self.server.add_insecure_port(address)
        self.server.start()

    def service(self, details):
        name = details.method.rpartition("/")[2]
        if details.method != "/cuzk.v1.ProvingEngine/" + name or name not in METHODS:
            return None

        def handle(data, context):
            request = getattr(self.proto, METHODS[name][0]).FromString(data)
            with self.lock:
                self.requests.append(request)
            answer = self.answer.get(name)
            return answer(request, context) if callable(answer) else answer

        return grpc.unary_unary_rpc_method_handler(
            handle, response_serializer=lambda m: m if isinstance(m, bytes) else m.SerializeToString())

    def taken(self):
        """The requests since the last call."""
        with self.lock:
            requests, self.requests = self.requests, []
        return requests


class Session:
    def __init__(self, bench, vectors, proto, folder):
        self.bench, self.proto, self.folder = bench, proto, pathlib.Path(folder)
        self.inputs = pathlib.Path(vectors).resolve() / "inputs"
        self.address = "unix://%s/socket" % folder
        self.fake = Fake(proto, self.address)
        self.fake.answer = {
            "Prove": lambda request, _: proto.ProveResponse(result=self.completed(request.submit.request_id, 192)),
            "SubmitProof": lambda request, _: proto.SubmitProofResponse(job_id=request.request_id, queue_position=2),
            "AwaitProof": lambda request, _: self.completed(request.job_id, 192),
            "CancelProof": proto.CancelProofResponse(was_running=True),
            "GetStatus": proto.GetStatusResponse(),
            "GetMetrics": proto.GetMetricsResponse(prometheus_text="# HELP a b\na 1\n"),
            "PreloadSRS": proto.PreloadSrsResponse(load_time_ms=12),
            "EvictSRS": proto.EvictSrsResponse(was_loaded=True, freed_bytes=4096),
        }

    def completed(self, job, n, **times):
        times = times or {"queue_wait_ms": 10, "srs_load_ms": 20, "synthesis_ms": 300, "gpu_compute_ms": 4000, "total_ms": 4321}
        proof = bytes(i & 255 for i in range(n))
        return self.proto.AwaitProofResponse(job_id=job, status=1, proof=proof, **times)

    def failed(self, text, status=2):
        return self.proto.ProveResponse(result=self.proto.AwaitProofResponse(job_id="j", status=status, error_message=text))

    def run(self, *arguments, code=0, text="", address=None, **more):
        command = [self.bench, "-a", address or self.address, *map(str, arguments)]
        done = subprocess.run(command, text=True, capture_output=True, timeout=300, **more)
        if done.returncode != code or text not in done.stdout + done.stderr:
            sys.exit("%s: exit code %d, expected %d and '%s'\n%s%s"
                     % (" ".join(command), done.returncode, code, text, done.stdout, done.stderr))
        return done

    def lines(self, *arguments, **expected):
        """The lines of a command's output, matched one by one."""
        patterns = expected.pop("lines")
        got = self.run(*arguments, **expected).stdout.splitlines()
        check(len(got) == len(patterns), "%s: %d lines, expected %d:\n%s" % (arguments, len(got), len(patterns), "\n".join(got)))
        for line, pattern in zip(got, patterns):
            check(re.fullmatch(pattern, line), "%s: '%s' is not '%s'" % (arguments, line, pattern))

    def object(self, *arguments, **expected):
        return json.loads(self.run(*arguments, "--json", **expected).stdout)

    def porep(self):
        return ["-t", "porep", "--c1", self.inputs / "porep-2KiB-v1_1" / "c1.json"]


def same(request, **members):
    """The request has these members and no others."""
    have = {field.name: value for field, value in request.ListFields()}
    check(RUNS.fullmatch(have["request_id"]) or "request_id" in members, have["request_id"])
    members = {"request_id": have["request_id"], "sector_size": 34359738368, **members}
    if "vanilla_proofs" in have:
        have["vanilla_proofs"] = list(have["vanilla_proofs"])
    check(have == members, "sent %s, expected %s" % (str(have)[:2000], str(members)[:2000]))


def requests(s):
    c1 = (s.inputs / "porep-2KiB-v1_1" / "c1.json").read_bytes()
    porep = {"proof_kind": 1, "vanilla_proof": c1, "miner_id": 1000, "sector_number": 1}
    ids = set()
    for name in ("porep", "PoRep-C2", "seal-commit"):
        s.run("single", "-t", name, "--c1", s.inputs / "porep-2KiB-v1_1" / "c1.json")
        request, = s.fake.taken()
        same(request.submit, **porep)
        ids.add(request.submit.request_id)
    check(len(ids) == 3, "one request id twice")
    # a directory as fabricate makes it, standard input, and what options change
    s.run("single", "-t", "porep", "--c1", s.inputs / "porep-2KiB-v1_1", "--registered-proof", 5, "--sector-num", 7,
          "--miner-id", 1234567890123, "--priority", "critical", "--id", "porep [1 2] \u00e9")
    same(s.fake.taken()[0].submit, request_id="porep [1 2] \u00e9", priority=4,
         **{**porep, "registered_proof": 5, "sector_number": 7, "miner_id": 1234567890123})
    with open(s.inputs / "porep-2KiB-v1_1" / "c1.json", "rb") as file:
        s.run("single", "-t", "porep", "--c1", "-", stdin=file)
    same(s.fake.taken()[0].submit, **porep)
    empty = s.folder / "empty"
    empty.write_bytes(b"")
    s.run("single", "-t", "porep", "--c1", empty)
    del porep["vanilla_proof"]
    same(s.fake.taken()[0].submit, **porep)
    # the other kinds: an array, or one in binary
    three = s.inputs / "window-2KiB-3"
    proofs = [base64.b64decode(text) for text in json.loads((three / "vanilla.json").read_text())]
    check(len(proofs) == 3 and [s.folder] != proofs, "three sectors")
    randomness = bytes(range(32))
    post = {"miner_id": 1000, "sector_number": 1, "randomness": bytes(32)}
    for name in ("wpost", "window-post", "windowpost"):
        s.run("single", "-t", name, "--vanilla", three / "vanilla.json")
        same(s.fake.taken()[0].submit, proof_kind=3, vanilla_proofs=proofs, **post)
    s.run("single", "-t", "wpost", "--vanilla", three, "--partition", 3, "--randomness", randomness.hex(), "--registered-proof", 10)
    same(s.fake.taken()[0].submit, proof_kind=3, vanilla_proofs=proofs, partition_index=3, registered_proof=10,
         **{**post, "randomness": randomness})
    one = s.inputs / "winning-2KiB" / "sector-101.vproof"
    for name in ("winning", "Winning-Post", "winningpost"):
        s.run("single", "-t", name, "--vanilla", one)
        same(s.fake.taken()[0].submit, proof_kind=4, vanilla_proofs=[one.read_bytes()], **post)
    del post["randomness"]
    update = s.inputs / "update-2KiB"
    manifest = json.loads((update / "manifest.json").read_text())
    commitments = {key: bytes.fromhex(manifest[key]) for key in ("comm_r_old", "comm_r_new", "comm_d_new")}
    options = [x for key, value in commitments.items() for x in ("--" + key.replace("_", "-"), value.hex())]
    proof = (update / "partition-0.vproof").read_bytes()
    for name in ("snap", "snap-deals", "update"):
        s.run("single", "-t", name, "--vanilla", update / "vanilla.json", *options)
        same(s.fake.taken()[0].submit, proof_kind=2, vanilla_proofs=[proof], **commitments, **post)
    s.run("single", "-t", "snap", "--vanilla", update / "partition-0.vproof")  # without them: the daemon says so
    same(s.fake.taken()[0].submit, proof_kind=2, vanilla_proofs=[proof], **post)
    # the small calls
    s.run("submit", *s.porep(), "--id", "a", "--priority", "LOW")
    same(s.fake.taken()[0], request_id="a", priority=1, vanilla_proof=c1, **porep)
    for arguments, request in ((["await", "a b"], s.proto.AwaitProofRequest(job_id="a b")),
                               (["await", "a", "--timeout-ms", 5], s.proto.AwaitProofRequest(job_id="a", timeout_ms=5)),
                               (["cancel", "a"], s.proto.CancelProofRequest(job_id="a")),
                               (["preload", "-c", "porep-32g"], s.proto.PreloadSrsRequest(circuit_id="porep-32g")),
                               (["evict", "--circuit-id", "x"], s.proto.EvictSrsRequest(circuit_id="x")),
                               (["status"], s.proto.GetStatusRequest()), (["metrics"], s.proto.GetMetricsRequest())):
        s.run(*arguments)
        check(s.fake.taken() == [request], arguments)
    # ways to write the address, before and behind the command
    tcp = Fake(s.proto, "127.0.0.1:0")
    tcp.answer = s.fake.answer
    for address in ("http://127.0.0.1:%d", "http://localhost:%d/", "127.0.0.1:%d", "dns:///127.0.0.1:%d", "passthrough:///localhost:%d"):
        s.run("metrics", address=address % tcp.port)
        subprocess.run([s.bench, "metrics", "--addr", address % tcp.port], check=True, capture_output=True)
        subprocess.run([s.bench, "--log-level", "off", "--addr=" + address % tcp.port, "metrics"], check=True, capture_output=True)
    check(len(tcp.taken()) == 15, "addresses")
    subprocess.run([s.bench, "metrics", "-aunix:" + str(s.folder / "socket")], check=True, capture_output=True)
    environment = {**os.environ, "http_proxy": "http://127.0.0.1:1", "grpc_proxy": "http://127.0.0.1:1"}
    s.run("metrics", address="http://127.0.0.1:%d" % tcp.port, env=environment)


def shapes(s):
    s.lines("single", *s.porep(), "--id", "job-1", lines=[
        "", "=== Proof Result ===", "status:    COMPLETED", "job_id:    job-1",
        r"timings:   total=4321 ms \(queue=10 ms, srs=20 ms, synth=300 ms, gpu=4000 ms\)", r"wall time: \d+ ms",
        r"proof:     192 bytes \(hex: 000102[0-9a-f]{374}bebf\)"])
    for n, shown in ((256, bytes(range(256)).hex()), (257, bytes(range(128)).hex() + r"\.\.\."), (1920, bytes(range(128)).hex() + r"\.\.\.")):
        s.fake.answer["Prove"] = s.proto.ProveResponse(result=s.completed("j", n))
        done = s.run("single", *s.porep(), "--out", s.folder / "proof").stdout
        check(re.search(r"^proof:     %d bytes \(hex: %s\)$" % (n, shown), done, re.M), done)
        check((s.folder / "proof").read_bytes() == bytes(i & 255 for i in range(n)), "--out")
    s.lines("submit", *s.porep(), "--id", "x", lines=["job_id:         x", "queue position: 2"])
    s.lines("await", "x", "--out", s.folder / "awaited", lines=[
        "", "=== Proof Result ===", "status:    COMPLETED", "job_id:    x", "timings:   .*", "wall time: .*", "proof:     192 bytes .*"])
    check((s.folder / "awaited").read_bytes() == bytes(range(192)), "await --out")
    s.lines("cancel", "x", lines=["x cancelled"])
    s.fake.answer["CancelProof"] = s.proto.CancelProofResponse()
    s.lines("cancel", "x", lines=["x was not running"])
    s.lines("preload", "-c", "porep-2k", lines=["porep-2k loaded in 12 ms"])
    s.fake.answer["PreloadSRS"] = s.proto.PreloadSrsResponse(already_loaded=True)
    s.lines("preload", "-c", "porep-2k", lines=["porep-2k already loaded"])
    s.lines("evict", "-c", "porep-2k", lines=["porep-2k evicted, 4096 bytes freed"])
    s.fake.answer["EvictSRS"] = s.proto.EvictSrsResponse(was_loaded=True)
    s.lines("evict", "-c", "porep-2k", lines=["porep-2k is in use: evicted with its last use"])
    s.fake.answer["EvictSRS"] = s.proto.EvictSrsResponse()
    s.lines("evict", "-c", "porep-2k", lines=["porep-2k was not loaded"])
    check(s.run("metrics").stdout == "# HELP a b\na 1\n", "metrics")
    head = ["=== cuzk daemon status ===", r"uptime:           \d+s", r"proofs completed: \d+", r"proofs failed:    \d+",
            r"pinned memory:    \d+ / \d+ bytes"]
    s.lines("status", lines=head)
    s.fake.answer["GetStatus"] = status(s.proto)
    s.lines("status", lines=[
        head[0], "uptime:           77s", "proofs completed: 5", "proofs failed:    6", "pinned memory:    1000 / 2000 bytes", "GPUs:",
        r"  \[0\] cpu — 0 MiB / 0 MiB VRAM — idle", r"  \[1\] H200 — 1024 MiB / 2048 MiB VRAM — proving porep-c2 \(porep-10\)",
        "Loaded SRS:", r"  porep-2k \(tier=HOT, size=123 bytes, refs=4\)", r"  wpost-2k \(tier=COLD, size=9 bytes, refs=0\)",
        "Queues:", r"  porep-c2: pending=3, in_progress=1"])
    watch = subprocess.Popen([s.bench, "-a", s.address, "status", "--watch", "1"], stdout=subprocess.PIPE, text=True)
    seen = 0
    for line in watch.stdout:
        seen += line.startswith("===")
        if seen == 2:
            watch.send_signal(signal.SIGINT)
            break
    check(watch.wait(timeout=60) == 0, "status --watch")


def status(proto):
    return proto.GetStatusResponse(
        uptime_seconds=77, total_proofs_completed=5, total_proofs_failed=6, pinned_memory_bytes=1000, pinned_memory_limit_bytes=2000,
        gpus=[proto.GPUStatus(name="cpu"),
              proto.GPUStatus(ordinal=1, name="H200", vram_total_bytes=2 << 30, vram_free_bytes=1 << 30,
                              current_job_id="porep-1000-1", current_proof_kind="porep-c2")],
        loaded_srs=[proto.SRSStatus(circuit_id="porep-2k", tier=0, size_bytes=123, ref_count=4),
                    proto.SRSStatus(circuit_id="wpost-2k", tier=2, size_bytes=9)],
        queues=[proto.QueueStatus(proof_kind="porep-c2", pending=3, in_progress=1)])


def json_objects(s):
    r = s.object("single", *s.porep(), "--id", 'a "b"')
    check(r.pop("wall_ms") >= 0, r)
    check(r == {"status": "COMPLETED", "job_id": 'a "b"', "total_ms": 4321, "queue_wait_ms": 10, "srs_load_ms": 20,
                "synthesis_ms": 300, "gpu_compute_ms": 4000, "proof_bytes": 192, "proof": bytes(range(192)).hex()}, r)
    check(s.object("await", "x")["proof"] == bytes(range(192)).hex(), "await")
    check(s.object("submit", *s.porep(), "--id", "x") == {"job_id": "x", "queue_position": 2, "assigned_gpu": ""}, "submit")
    check(s.object("cancel", "x") == {"job_id": "x", "was_running": True}, "cancel")
    check(s.object("preload", "-c", "p") == {"circuit_id": "p", "already_loaded": False, "load_time_ms": 12}, "preload")
    check(s.object("evict", "-c", "p") == {"circuit_id": "p", "was_loaded": True, "freed_bytes": 4096}, "evict")
    check(s.object("metrics") == {"prometheus_text": "# HELP a b\na 1\n"}, "metrics")
    s.fake.answer["GetStatus"] = status(s.proto)
    check(s.object("status") == {
        "uptime_seconds": 77, "proofs_completed": 5, "proofs_failed": 6, "pinned_memory_bytes": 1000, "pinned_memory_limit_bytes": 2000,
        "gpus": [{"ordinal": 0, "name": "cpu", "vram_total_bytes": 0, "vram_free_bytes": 0, "current_job_id": "", "current_proof_kind": ""},
                 {"ordinal": 1, "name": "H200", "vram_total_bytes": 2 << 30, "vram_free_bytes": 1 << 30,
                  "current_job_id": "porep-1000-1", "current_proof_kind": "porep-c2"}],
        "loaded_srs": [{"circuit_id": "porep-2k", "tier": "HOT", "size_bytes": 123, "ref_count": 4},
                       {"circuit_id": "wpost-2k", "tier": "COLD", "size_bytes": 9, "ref_count": 0}],
        "queues": [{"proof_kind": "porep-c2", "pending": 3, "in_progress": 1}]}, "status")
    s.fake.answer["Prove"] = s.failed('no "such" file\n')
    r = s.object("single", *s.porep(), code=1)
    check(r["status"] == "FAILED" and r["error"] == 'no "such" file\n' and "proof" not in r, r)


def failures(s):
    for number, name in ((2, "FAILED"), (3, "CANCELLED"), (4, "TIMEOUT"), (0, "UNKNOWN"), (9, "UNKNOWN")):
        s.fake.answer["Prove"] = s.failed("because", number)
        s.lines("single", *s.porep(), "--out", s.folder / "none", code=1, lines=[
            "", "=== Proof Result ===", "status:    " + name, "job_id:    j", "error:     because"])
    s.fake.answer["AwaitProof"] = s.failed("", 4).result
    s.lines("await", "j", code=1, lines=["", "=== Proof Result ===", "status:    TIMEOUT", "job_id:    j", "error:     "])
    check(not (s.folder / "none").exists(), "a failed proof was written")
    # refusals
    for status_code, code in (("INVALID_ARGUMENT", 2), ("NOT_FOUND", 2), ("RESOURCE_EXHAUSTED", 3), ("UNAVAILABLE", 3), ("INTERNAL", 1),
                              ("UNIMPLEMENTED", 1), ("DATA_LOSS", 1), ("FAILED_PRECONDITION", 1)):
        def refuse(_, context):
            context.abort(getattr(grpc.StatusCode, status_code), "what was\nwrong: \u00e9")
        s.fake.answer = {method: refuse for method in METHODS}
        for command in (["single", *s.porep()], ["submit", *s.porep()], ["await", "x"], ["cancel", "x"], ["status"], ["metrics"],
                        ["preload", "-c", "x"], ["evict", "-c", "x"]):
            done = s.run(*command, code=code)
            check(done.stdout == "" and done.stderr == "cuzk: %s: %s: what was wrong: \u00e9\n" % (s.address, status_code), done.stderr)
    # replies that are none
    s.fake.answer["Prove"] = s.proto.ProveResponse()
    s.run("single", *s.porep(), code=1, text="INTERNAL: the reply holds no result")
    for method in METHODS:
        s.fake.answer[method] = b"\x0a\xff\xff\xff\xff\x7f"
    s.run("single", *s.porep(), code=1, text="INTERNAL: the reply is no cuzk.v1.ProveResponse")
    s.run("status", code=1, text="INTERNAL: the reply is no cuzk.v1.GetStatusResponse")
    s.run("await", "x", code=1, text="INTERNAL: the reply is no cuzk.v1.AwaitProofResponse")
    # nobody there
    nobody = "unix://%s/nobody" % s.folder
    s.run("single", *s.porep(), address=nobody, code=3, text="cuzk: %s: UNAVAILABLE: " % nobody)
    s.run("metrics", address="http://127.0.0.1:1", code=3, text="UNAVAILABLE")
    # too slow; interrupted
    ending, started = threading.Event(), threading.Event()

    def wait(_, context):
        started.set()
        ended = threading.Event()
        context.add_callback(lambda: (ended.set(), ending.set()))
        ended.wait(100)
        return s.proto.GetMetricsResponse()

    s.fake.answer["GetMetrics"] = s.fake.answer["Prove"] = wait
    s.run("metrics", "--timeout", 1, code=1, text="DEADLINE_EXCEEDED")
    for command in (["metrics"], ["single", *s.porep()]):
        ending.clear()
        started.clear()
        process = subprocess.Popen([s.bench, "-a", s.address, *map(str, command)], stderr=subprocess.PIPE, text=True)
        check(started.wait(100), "no call")
        process.send_signal(signal.SIGINT)
        stderr = process.communicate(timeout=100)[1]
        check(process.returncode == 1 and stderr == "cuzk: interrupted\n", stderr)
        check(ending.wait(100), "the server was not told")


def request_of(folder):
    """The options of a bundled request."""
    manifest = json.loads((folder / "manifest.json").read_text())
    kind = {"porep": "porep", "winning": "winning", "window": "wpost", "update": "snap"}[manifest["kind"]]
    options = ["-t", kind, "--c1" if kind == "porep" else "--vanilla", folder, "--registered-proof", manifest["registered_proof"],
               "--miner-id", manifest["miner_id"]]
    for key in ("randomness", "comm_r_old", "comm_r_new", "comm_d_new"):
        if key in manifest:
            options += ["--" + key.replace("_", "-"), manifest[key]]
    return options


def verify(s):
    params = s.folder / "params"
    params.mkdir()
    for vk in (s.inputs.parent / "params").glob("*.vk"):
        (params / vk.name).write_bytes(vk.read_bytes())
        note = {"params_digest": "", "vk_digest": hashlib.blake2b(vk.read_bytes()).hexdigest()[:32], "seed": "random",
                "date": "2026-01-01T00:00:00Z"}
        (params / (vk.stem + ".local.json")).write_text(json.dumps(note))
    local = ["--verify", "--param-cache", params, "--allow-local-params"]
    for name in ("porep-2KiB-v1_1", "winning-2KiB", "window-2KiB-1", "window-2KiB-2", "update-2KiB"):
        options = request_of(s.inputs / name)
        good = (s.inputs.parent / "proofs" / (name + ".fixed.bin")).read_bytes()
        s.fake.answer["Prove"] = lambda request, _: s.proto.ProveResponse(result=s.proto.AwaitProofResponse(status=1, proof=good))
        done = s.run("single", *options, *local, text="\nverified:  yes\n")
        check(done.stdout.splitlines()[-1] == "verified:  yes", done.stdout)
        check(s.object("single", *options, *local)["verified"] is True, name)
        changed = bytearray(good)
        changed[0] ^= 0x20  # the sign of a
        s.fake.answer["Prove"] = s.proto.ProveResponse(result=s.proto.AwaitProofResponse(status=1, proof=bytes(changed)))
        out = s.folder / "not-valid"
        s.run("single", *options, *local, "--out", out, code=1, text="\nverified:  NO: ")
        check(not out.exists(), "a proof that is not valid was written")
        r = s.object("single", *options, *local, code=1)
        check(r["verified"] is False and r["reason"], r)
        s.fake.answer["Prove"] = s.proto.ProveResponse(result=s.proto.AwaitProofResponse(status=1, proof=good[:-1]))
        s.run("single", *options, *local, code=2, text="191 bytes")
        s.fake.answer["Prove"] = s.proto.ProveResponse(result=s.proto.AwaitProofResponse(status=1))
        s.run("single", *options, *local, code=2, text="0 bytes")
        s.fake.answer["Prove"] = s.failed("no")
        check("verified" not in s.object("single", *options, *local, code=1), "a failed proof was verified")
    s.fake.answer["Prove"] = s.proto.ProveResponse(result=s.completed("j", 192))
    s.run("single", *s.porep(), "--verify", "--param-cache", "/nonexistent", code=3, text="/nonexistent")


def many(s):
    batch = ["batch", *s.porep()]
    lock, running, most = threading.Lock(), [0], [0]

    def prove(request, _):
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
        gate.wait(0.5)
        with lock:
            running[0] -= 1
        return s.proto.ProveResponse(result=s.completed(request.submit.request_id, 192))

    gate = threading.Event()
    gate.set()
    s.fake.answer["Prove"] = prove
    one = r"  \[%d/%d\] COMPLETED — \d+\.\ds \(prove=4000 ms, queue=10 ms\)"
    s.lines(*batch, lines=[
        "=== Batch Benchmark ===", "proof type:  porep", "count:       3", "concurrency: 1", "", one % (1, 3), one % (2, 3), one % (3, 3), "",
        "=== Batch Summary ===", r"total time:    \d+\.\ds", "completed:     3", "failed:        0",
        r"wall time:     avg=\d+\.\ds min=\d+\.\ds max=\d+\.\ds", r"prove time:    avg=4\.0s min=4\.0s max=4\.0s",
        r"throughput:    \d+\.\d{3} proofs/min \(\d+\.\ds/proof\)"])
    ids = [request.submit.request_id for request in s.fake.taken()]
    check(len(set(ids)) == 3 and all(RUNS.fullmatch(i) for i in ids), ids)
    check(most[0] == 1, "more than one at once")
    gate.clear()
    r = s.object(*batch, "--count", 8, "-j", 4)
    check(most[0] == 4, "%d at once" % most[0])
    check(sorted(p["number"] for p in r["proofs"]) == list(range(1, 9)) and r["completed"] == 8 and r["failed"] == 0, r)
    check(r["prove"] == {"avg_s": 4, "min_s": 4, "max_s": 4} and r["proofs_per_minute"] > 0 and r["wall"]["max_s"] >= r["wall"]["min_s"], r)
    s.fake.answer["Prove"] = s.failed("no")
    s.lines(*batch, "-c", 1, code=1, lines=[
        "=== Batch Benchmark ===", "proof type:  porep", "count:       1", "concurrency: 1", "",
        r"  \[1/1\] FAILED — 0\.\ds \(prove=0 ms, queue=0 ms\)", "        error: no", "",
        "=== Batch Summary ===", r"total time:    \d+\.\ds", "completed:     0", "failed:        1"])
    r = s.object(*batch, "-c", 2, code=1, address="unix:///nonexistent")
    check([p["status"] for p in r["proofs"]] == ["ERROR"] * 2 and r["proofs"][0]["error"].startswith("UNAVAILABLE: "), r)
    # stress: at its times, whatever becomes of earlier ones
    window = s.inputs / "window-2KiB-1" / "vanilla.json"
    winning = s.inputs / "winning-2KiB" / "vanilla.json"
    kinds = []

    def prove_some(request, _):
        kinds.append(request.submit.proof_kind)
        if request.submit.proof_kind == 3:
            return s.failed("not this one")
        time.sleep(0.3)
        return s.proto.ProveResponse(result=s.completed("j", 192))

    s.fake.answer["Prove"] = prove_some
    s.fake.answer["GetMetrics"] = s.proto.GetMetricsResponse(prometheus_text='a 1\ncuzk_memory_budget_bytes{state="used"} 12345\n')
    stress = ["stress", "--winning-vanilla", winning, "--winning-rate", "10/1s", "--wpost-vanilla", window, "--wpost-rate", "1/600ms",
              "--duration", "1s", "--winning-registered-proof", 0]
    r = s.object(*stress, code=1)
    check(r["memory_peak_bytes"] == 12345 and set(r["kinds"]) == {"winning", "wpost"}, r)
    w = r["kinds"]["winning"]
    check(w["submitted"] == w["completed"] == kinds.count(4) == 10 and w["failed"] == w["deadline_misses"] == 0, r)
    check(0.3 <= w["p50_s"] <= w["p95_s"] <= w["p99_s"] <= w["max_s"], r)
    check(r["kinds"]["wpost"]["failed"] == r["kinds"]["wpost"]["submitted"] == 2, r)
    text = s.run("stress", "--porep-c1", s.inputs / "porep-2KiB-v1_1" / "c1.json", "--porep-rate", "1h", "--duration", "10ms").stdout
    for pattern in (r"=== Stress Test ===", r"porep     one every 3600\.0s: .*c1\.json", r"duration: 0\.0s", r"  \[\d\.\ds\] porep COMPLETED — 0\.\ds",
                    r"=== Stress Summary ===", r"kind +submitted +completed +failed +p50 +p95 +p99 +max +misses",
                    r"porep +1 +1 +0( +\d+\.\d\ds){4} +-", r"memory peak:   12345 bytes of the daemon's budget"):
        check(re.search("^%s$" % pattern, text, re.M), "%s is not in\n%s" % (pattern, text))


def large(s):
    """100 MB of anything: the daemon judges it. The client's memory does not grow with it."""
    path = s.folder / "large"
    with open(path, "wb") as file:
        for i in range(100):
            file.write(bytes([i]) * 1000000)
    sizes = []
    s.fake.answer["Prove"] = lambda request, _: (sizes.append(len(request.submit.vanilla_proof)),
                                                 s.proto.ProveResponse(result=s.completed("j", 1920)))[1]
    process = subprocess.Popen([s.bench, "-a", s.address, "single", "-t", "porep", "--c1", path], stdout=subprocess.DEVNULL)
    _, code, usage = os.wait4(process.pid, 0)
    print("100 MB: %.2f s CPU, %d MiB" % (usage.ru_utime + usage.ru_stime, usage.ru_maxrss >> 10))
    check(code == 0 and sizes == [100000000], "%s %s" % (code, sizes))
    # the file's own pages count as resident, and no copy of them
    check(usage.ru_maxrss >> 10 < 100 + 60, "%d MiB for a request of 95 MiB" % (usage.ru_maxrss >> 10))
    # a server that does not read, and a client that gives up
    s.fake.server.stop(None)
    small = Fake.__new__(Fake)
    small.proto, small.requests, small.lock, small.answer = s.proto, [], threading.Lock(), {}
    small.server = grpc.server(concurrent.futures.ThreadPoolExecutor(1), handlers=[small], options=[("grpc.max_receive_message_length", 4096)])
    port = small.server.add_insecure_port("127.0.0.1:0")
    small.server.start()
    s.run("single", "-t", "porep", "--c1", path, address="127.0.0.1:%d" % port, code=3, text="RESOURCE_EXHAUSTED")
    settings = b"\0\0\6\4\0\0\0\0\0" + b"\0\4\x7f\xff\xff\xff"  # streams may send 2 GiB
    window = b"\0\0\4\x08\0\0\0\0\0" + b"\x7f\xff\0\0"  # the connection, too
    for greeting in (b"", settings + window):
        with socket.socket() as deaf:
            deaf.bind(("127.0.0.1", 0))
            deaf.listen()
            process = subprocess.Popen([s.bench, "-a", "127.0.0.1:%d" % deaf.getsockname()[1], "single", "-t", "porep", "--c1", path,
                                        "--timeout", "2"], stderr=subprocess.PIPE, text=True)
            connection = deaf.accept()[0]
            connection.sendall(greeting)
            stderr = process.communicate(timeout=100)[1]
            check(process.returncode == 1 and "DEADLINE_EXCEEDED" in stderr, stderr)
            connection.close()


def tls(s):
    if not shutil.which("openssl"):
        print("skipped: no openssl program")
        sys.exit(77)

    def make(name):
        key, certificate = s.folder / (name + ".key"), s.folder / (name + ".pem")
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
                        "/CN=" + name, "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate],
                       check=True, capture_output=True)
        return key, certificate

    (server_key, server_pem), (client_key, client_pem), (_, other_pem) = map(make, ("server", "client", "other"))
    pair = [(server_key.read_bytes(), server_pem.read_bytes())]
    open_to_all = Fake(s.proto, "localhost:0", grpc.ssl_server_credentials(pair))
    mutual = Fake(s.proto, "localhost:0", grpc.ssl_server_credentials(pair, client_pem.read_bytes(), True))
    open_to_all.answer = mutual.answer = s.fake.answer
    ours = ["--tls-cert", client_pem, "--tls-key", client_key]
    for address in ("https://localhost:%d", "localhost:%d"):
        s.run("metrics", "--tls-ca", server_pem, address=address % open_to_all.port)
        s.run("metrics", "--tls-ca", server_pem, *ours, address=address % mutual.port)
        s.run("metrics", "--tls-ca", other_pem, address=address % open_to_all.port, code=3, text="UNAVAILABLE")
        s.run("metrics", "--tls-ca", server_pem, address=address % mutual.port, code=3, text="UNAVAILABLE")
    s.run("metrics", address="http://localhost:%d" % open_to_all.port, code=3, text="UNAVAILABLE")
    s.run("metrics", "--tls-ca", server_pem, *ours[:2], code=2, text="a certificate and its key go together")
    s.run("metrics", "--tls-ca", "/nonexistent", code=2, text="/nonexistent")
    s.run("metrics", "--tls-ca", server_pem, "--tls-cert", server_key, "--tls-key", server_pem, address="localhost:%d" % open_to_all.port, code=3,
          text="UNAVAILABLE")


def usage(s):
    c1, vanilla = s.inputs / "porep-2KiB-v1_1" / "c1.json", s.inputs / "winning-2KiB" / "vanilla.json"
    for command in ("single", "batch", "submit"):
        s.run(command, code=2, text="-t TYPE is required")
        s.run(command, "-t", "post", code=2, text="unknown proof type: post. Use: porep, snap, wpost, winning")
        s.run(command, "-t", "porep", code=2, text="--c1 required for PoRep proof type")
        for name in ("snap", "wpost", "winning"):
            s.run(command, "-t", name, "--c1", c1, code=2, text="--vanilla required for PoSt/SnapDeals proof types")
        s.run(command, "-t", "porep", "--c1", "/nonexistent", code=2, text="/nonexistent")
        s.run(command, "-t", "porep", "--c1", s.folder, code=2, text="c1.json")
        s.run(command, "-t", "winning", "--vanilla", vanilla, "--randomness", "00", code=2, text="32 bytes in hex")
        s.run(command, "-t", "snap", "--vanilla", vanilla, "--comm-r-old", "12", code=2, text="--comm-r-old")
        s.run(command, "-t", "porep", "--c1", c1, "--only", 1, code=2, text="--only")
        s.run(command, "-t", "porep", "--c1", c1, "more", code=2)
    broken = s.folder / "broken.json"
    broken.write_text('["AAAA", "A"]')
    s.run("single", "-t", "winning", "--vanilla", broken, code=2, text="broken.json")
    s.run("single", "-t", "porep", "--c1", c1, "--out", "/nonexistent/proof", code=3, text="/nonexistent")
    s.run("single", "-t", "porep", "--c1", c1, "--priority", "urgent", code=2, text="--priority")
    s.run("batch", "-t", "porep", "--c1", c1, "-c", 0, code=2, text="--count")
    s.run("batch", "-t", "porep", "--c1", c1, "-j", 0, code=2, text="--concurrency")
    s.run("batch", "-t", "wpost", "--vanilla", vanilla, "--partition", 1, code=2, text="--partition")
    s.run("await", code=2)
    s.run("cancel", code=2)
    s.run("preload", code=2, text="-c CIRCUIT-ID is required")
    s.run("evict", code=2, text="-c CIRCUIT-ID is required")
    s.run("stress", code=2, text="nothing to send")
    s.run("stress", "--porep-c1", c1, code=2, text="--porep-c1 and --porep-rate go together")
    s.run("stress", "--winning-rate", "1/1s", code=2, text="--winning-vanilla and --winning-rate go together")
    for rate in ("0/1s", "1/0s", "x", "1/", "/1s", "1/1w", "-1/1s", "1e9/1s", "", "inf", "1/nan"):
        s.run("stress", "--porep-c1", c1, "--porep-rate=" + rate, code=2, text="rate")
    for duration in ("0", "1w", "-1s", "1000000h"):
        s.run("stress", "--porep-c1", c1, "--porep-rate", "1/1s", "--duration=" + duration, code=2, text="--duration")
    for address in ("nowhere", "http://nowhere", "ftp://a:1", "unix:", "unix://", "unix://relative", "http://a:1/path", ":1", "a:0", "a:65536",
                    "[::1]", "a:1x", "x" * 1000):
        s.run("status", address=address, code=2, text="address '")
    s.run("status", "--log-level", "loud", code=2, text="--log-level")
    s.run("status", "--timeout", "soon", code=2, text="--timeout")
    check(s.fake.taken() == [], "a wrong call came through")
    listed = subprocess.run([s.bench, "--help"], capture_output=True, text=True, check=True).stdout
    for command in ("single", "batch", "stress", "submit", "await", "cancel", "status", "metrics", "preload", "evict"):
        check("cuzk-bench %s " % command in listed, listed)
        text = subprocess.run([s.bench, command, "--help"], capture_output=True, text=True, check=True).stdout
        check("--addr" in text and "--json" in text, text)
    subprocess.run([s.bench, "-a", "x"], capture_output=True).returncode == 2 or sys.exit("-a alone")


ACTIONS = {"requests": requests, "shapes": shapes, "json": json_objects, "failures": failures, "verify": verify, "many": many, "large": large, "tls": tls,
           "usage": usage}


def main():
    action, bench, vectors, proto_python = sys.argv[1:5]
    sys.path.insert(0, proto_python)
    from cuzk.v1 import proving_pb2
    with tempfile.TemporaryDirectory() as folder:
        session = Session(bench, vectors, proving_pb2, folder)
        try:
            ACTIONS[action](session)
        finally:
            session.fake.server.stop(None)


main()
