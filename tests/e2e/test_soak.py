#!/usr/bin/python3
"""Many proofs with faults among them: every reply is right, none is lost, memory stays where it was.

usage: test_soak.py made_up FAKE_SERVER PROTO_DIRECTORY N
       test_soak.py real DAEMON PROTO_DIRECTORY N VECTORS PARAMS
One request in twenty meets a fault of its own: a bad proof, proofs that stay bad, no memory at any stage, a slow back
end, a client that goes and comes back. With real proofs: an input that is not good, a client that goes and comes back.
"""
import collections
import pathlib
import random
import sys
import tempfile

from daemon_client import Daemon, Inputs
from server_client import SECONDS, Api, Server, wait_until

MIB = 1 << 20
AT_ONCE = 16
WARM = 1000  # requests until memory is where it stays
RSS_MARGIN = 3 * MIB

Request = collections.namedtuple("Request", "message fault n_partitions error")


def made_up_requests(api, n):
    """The same every time. n_partitions: of the proof; error: what the text of a failed one has."""
    draw = random.Random(10)
    stages = {"open": "", "load": "", "synthesise": "partition 0 synthesis failed: ", "prove": "partition 0 GPU prove failed: "}
    for i in range(n):
        fault, error, n_partitions = "", "", draw.choice((1, 1, 2, 10))
        script = " partitions=%d " % n_partitions
        if i % 20 == 7:
            fault = ("bad", "always bad", "memory", "slow", "gone")[i // 20 % 5]
            if fault == "memory":
                stage = draw.choice(sorted(stages))
                script, n_partitions, error = " memory=%s " % stage, 1, stages[stage] + "made-up shortage in " + stage
            elif fault == "always bad":
                script, n_partitions, error = " bad=3 ", 1, "proof self-check failed: partition 0: made-up fault"
            else:
                script += {"bad": " bad=1 ", "slow": " slow=20 ", "gone": " slow=%d " % draw.choice((0, 1, 20))}[fault]
        kind = draw.choice((1, 1, 1, 2, 3, 4))
        message = api.m.SubmitProofRequest(request_id="soak-%d-[%d]" % (kind, i), proof_kind=kind, miner_id=1000, sector_number=i)
        if kind == 1:
            message.vanilla_proof = script.encode()
        else:
            message.vanilla_proofs.append(script.encode())
            message.randomness = bytes(32)
            message.comm_r_old = message.comm_r_new = message.comm_d_new = bytes(32)
        yield Request(message, fault, n_partitions, error)


class Soak:
    def __init__(self, api, channel):
        self.api = api
        self.prove = api.call(channel, "Prove")
        self.status = lambda: api.call(channel, "GetStatus")(api.m.GetStatusRequest(), timeout=SECONDS)
        self.counts = collections.Counter()
        self.numbers = set()

    def send(self, request):
        call = self.prove.future(self.api.m.ProveRequest(submit=request.message), timeout=10 * SECONDS)
        if request.fault == "gone":
            call.cancel()
            call = self.prove.future(self.api.m.ProveRequest(submit=request.message), timeout=10 * SECONDS)
        return request, call

    def check(self, request, call):
        result = call.result().result
        what = (request.message.request_id, request.fault, result.status, result.error_message)
        assert result.job_id == request.message.request_id, (what, result.job_id)
        if request.error:
            assert result.status == self.api.m.AwaitProofResponse.FAILED and not result.proof, what
            assert request.error in result.error_message, what
        else:
            assert result.status == self.api.m.AwaitProofResponse.COMPLETED and not result.error_message, what
            self.check_proof(request, result.proof, what)
        self.counts[request.fault] += 1

    def check_proof(self, request, proof, what):
        """What the fake server makes: the number of the computation, then the partition."""
        assert len(proof) == 192 * request.n_partitions, what
        number = proof[:8]
        assert number not in self.numbers, what
        self.numbers.add(number)
        assert proof == b"".join(number + bytes([k] * 184) for k in range(request.n_partitions)), what

    def run(self, requests, on_reply=lambda n: None):
        """A fixed number on their way at any time."""
        waiting = collections.deque()
        for request in requests:
            waiting.append(self.send(request))
            if len(waiting) == AT_ONCE:
                self.check(*waiting.popleft())
                on_reply(sum(self.counts.values()))
        while waiting:
            self.check(*waiting.popleft())


def made_up(program, api, n):
    # Results are kept, and they are not what memory is measured by: few of them.
    with Server(program, "results=256", "log=off") as server:
        soak = Soak(api, server.channel())
        rss = {}

        def note(replies):
            if replies in (WARM, n // 2):
                rss[replies] = server.rss_bytes("RssAnon:")

        soak.run(made_up_requests(api, n), note)
        wait_until(lambda: not soak.status().queues and soak.status().pinned_memory_bytes == 0, "an empty status")
        end, status = server.rss_bytes("RssAnon:"), soak.status()
        print(dict(soak.counts), {k: "%.1f MiB" % (v / MIB) for k, v in rss.items()}, "end: %.1f MiB" % (end / MIB))
        assert sum(soak.counts.values()) == n and len(soak.counts) == 6
        assert all(not gpu.current_job_id for gpu in status.gpus)
        assert status.total_proofs_failed == soak.counts["always bad"] + soak.counts["memory"], status
        assert status.total_proofs_completed == n - status.total_proofs_failed, status
        assert end < rss.get(WARM, end) + RSS_MARGIN, "memory grows"


def real_requests(inputs, n):
    for i in range(n):
        message, fault, error = inputs.request("winning-2KiB", "soak-%d" % i), "", ""
        if i % 20 == 3:
            fault = "gone"
        elif i % 20 == 13 or i == 1:
            fault, error = "bad input", "vanilla proof of sector "
            message.randomness = bytes([i]) + message.randomness[1:]
        yield Request(message, fault, 1, error)


class RealSoak(Soak):
    def check_proof(self, request, proof, what):
        """The daemon verifies what it sends; blinding makes each another."""
        assert len(proof) == 192 and proof not in self.numbers, what
        self.numbers.add(proof)


def real(program, api, n, vectors, params):
    with tempfile.TemporaryDirectory(prefix="cuzk-soak-") as folder, Daemon(program, folder, pathlib.Path(params).resolve()) as daemon:
        soak = RealSoak(api, daemon.channel())
        memory = {}

        def note(replies):
            if replies == n // 4:
                memory["start"] = daemon.memory()

        soak.run(real_requests(Inputs(api, vectors), n), note)
        wait_until(lambda: not daemon.status()["pipelines"], "an empty status")
        status, end = daemon.status(), daemon.memory()
        print(dict(soak.counts), {k: "%.1f MiB" % (v / MIB) for k, v in memory.items()}, "end: %.1f MiB" % (end / MIB))
        assert status["counters"]["queue_depth"] == 0 and not soak.status().queues, status
        assert status["counters"]["total_completed"] == n - soak.counts["bad input"], status
        assert status["memory"]["used_bytes"] == sum(srs["bytes"] for srs in status["allocations"]["srs"]), status
        assert n < 100 or end < memory["start"] + 16 * MIB, "memory grows"
        daemon.stop()


def main():
    action, program, api, n = sys.argv[1], sys.argv[2], Api(sys.argv[3]), int(sys.argv[4])
    if action == "made_up":
        made_up(program, api, n)
    else:
        real(program, api, n, *sys.argv[5:7])


main()
