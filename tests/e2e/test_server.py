#!/usr/bin/python3
"""The calls of the server, driven by the packaged Python gRPC client against made-up proofs (tests/server/fake_server.c).

usage: test_server.py ACTION FAKE_SERVER PROTO_DIRECTORY
"""
import json
import os
import select
import signal
import socket
import subprocess
import time

import grpc
from google.protobuf import descriptor_pb2

from server_client import SECONDS, Server, expect_error, run, wait_until

MIB = 1 << 20
Code = grpc.StatusCode


def porep(api, request_id, script="", size=0, **more):
    text = (" " + script + " ").encode()
    return api.m.SubmitProofRequest(request_id=request_id, proof_kind=1, registered_proof=8, miner_id=1000,
                                    sector_number=7, vanilla_proof=text + bytes(max(1, size - len(text))), **more)


def prove_call(api, channel, request, timeout=SECONDS):
    return api.call(channel, "Prove").future(api.m.ProveRequest(submit=request), timeout=timeout)


def prove(api, channel, request, timeout=SECONDS):
    return prove_call(api, channel, request, timeout).result().result


def submit(api, channel, request):
    return api.call(channel, "SubmitProof")(request, timeout=SECONDS)


def wait_proof(api, channel, job_id, timeout_ms=0):
    return api.call(channel, "AwaitProof")(api.m.AwaitProofRequest(job_id=job_id, timeout_ms=timeout_ms), timeout=SECONDS)


def cancel(api, channel, job_id):
    return api.call(channel, "CancelProof")(api.m.CancelProofRequest(job_id=job_id), timeout=SECONDS).was_running


def status(api, channel):
    return api.call(channel, "GetStatus")(api.m.GetStatusRequest(), timeout=SECONDS)


def queues(api, channel):
    return {q.proof_kind: (q.pending, q.in_progress) for q in status(api, channel).queues}


def wait_queues(api, channel, expected):
    wait_until(lambda: queues(api, channel) == expected, "queues %s" % expected)


def calls(program, api):
    """Every call once, and what it refuses."""
    m = api.m
    with Server(program) as server:
        channel = server.channel()
        job = submit(api, channel, porep(api, "porep-1000-7", "partitions=10"))
        assert (job.job_id, job.queue_position, job.assigned_gpu) == ("porep-1000-7", 0, "")
        result = wait_proof(api, channel, "porep-1000-7")
        assert result.status == m.AwaitProofResponse.COMPLETED and result.job_id == "porep-1000-7"
        assert len(result.proof) == 1920 and result.proof[1919] == 9 and result.error_message == ""

        result = prove(api, channel, porep(api, "", "partitions=2"))
        assert result.status == m.AwaitProofResponse.COMPLETED and len(result.proof) == 384
        assert len(result.job_id) == 36
        result = prove(api, channel, porep(api, "bad", "fail=C1-parse-failed"))
        assert (result.status, result.error_message) == (m.AwaitProofResponse.FAILED, "C1-parse-failed")
        assert result.proof == b"" and result.job_id == "bad"
        snap = m.SubmitProofRequest(request_id="snap-1", proof_kind=2, comm_r_old=b"abc", comm_r_new=bytes(32),
                                    comm_d_new=bytes(32), vanilla_proofs=[b"x"])
        result = prove(api, channel, snap)
        assert result.error_message == "comm_r_old must be exactly 32 bytes, got 3", result.error_message
        assert submit(api, channel, snap).job_id == "snap-1"
        assert wait_proof(api, channel, "snap-1").status == m.AwaitProofResponse.FAILED
        window = m.SubmitProofRequest(request_id="wdpost-1000-0-[1 2 3 4 5 6 7 8]", proof_kind=3, randomness=bytes(31),
                                      vanilla_proofs=[b"x"])
        assert prove(api, channel, window).error_message == "randomness must be exactly 32 bytes, got 31"
        window.randomness = bytes(31) + b"\xff"
        result = prove(api, channel, window)
        assert result.status == m.AwaitProofResponse.COMPLETED and result.job_id.startswith(window.request_id + "#")

        for kind in (0, 5, -1):
            request = m.SubmitProofRequest(proof_kind=kind)
            expect_error(Code.INVALID_ARGUMENT, "invalid proof_kind: %d" % kind, lambda: submit(api, channel, request))
            expect_error(Code.INVALID_ARGUMENT, "invalid proof_kind: %d" % kind, lambda: prove(api, channel, request))
        call = api.call(channel, "Prove")
        expect_error(Code.INVALID_ARGUMENT, "missing submit field", lambda: call(m.ProveRequest(), timeout=SECONDS))
        expect_error(Code.INVALID_ARGUMENT, "request_id", lambda: submit(api, channel, porep(api, "x" * 1025)))
        expect_error(Code.NOT_FOUND, "job not found: nobody", lambda: wait_proof(api, channel, "nobody"))
        raw = channel.unary_unary("/cuzk.v1.ProvingEngine/Prove")
        expect_error(Code.INVALID_ARGUMENT, "not a", lambda: raw(b"\x0a\xff", timeout=SECONDS))
        raw = channel.unary_unary("/cuzk.v1.ProvingEngine/AwaitProof")
        expect_error(Code.INVALID_ARGUMENT, "not UTF-8", lambda: raw(b"\x0a\x01\xff", timeout=SECONDS))
        raw = channel.unary_unary("/cuzk.v1.ProvingEngine/Nothing")
        expect_error(Code.UNIMPLEMENTED, "", lambda: raw(b"", timeout=SECONDS))
        raw = channel.unary_unary("/cuzk.v1.ProvingEngine/GetStatus")
        expect_error(Code.RESOURCE_EXHAUSTED, "", lambda: raw(bytes(65537), timeout=SECONDS))
        # a field from the future is skipped
        raw = channel.unary_unary("/cuzk.v1.ProvingEngine/Prove", response_deserializer=m.ProveResponse.FromString)
        message = m.ProveRequest(submit=porep(api, "future")).SerializeToString() + b"\xfa\x3f\x03abc\x28\x01"
        assert raw(message, timeout=SECONDS).result.status == m.AwaitProofResponse.COMPLETED

        text = api.call(channel, "GetMetrics")(m.GetMetricsRequest(), timeout=SECONDS).prometheus_text
        assert "# TYPE cuzk_proofs_completed_total counter" in text
        preload, evict = api.call(channel, "PreloadSRS"), api.call(channel, "EvictSRS")
        first = preload(m.PreloadSrsRequest(circuit_id="porep-2k"), timeout=SECONDS)
        again = preload(m.PreloadSrsRequest(circuit_id="porep-2k"), timeout=SECONDS)
        assert (first.already_loaded, first.load_time_ms) == (False, 7)
        assert (again.already_loaded, again.load_time_ms) == (True, 0)
        srs = status(api, channel).loaded_srs
        assert [(s.circuit_id, s.tier, s.size_bytes, s.ref_count) for s in srs] == [("porep-2k", 0, 1234, 3)]
        for circuit, code, text in (("snap-2k", Code.NOT_FOUND, "/nowhere"), ("wpost-2k", Code.FAILED_PRECONDITION, "damaged"),
                                    ("moon", Code.INVALID_ARGUMENT, "unknown circuit ID: moon")):
            request = m.PreloadSrsRequest(circuit_id=circuit)
            expect_error(code, text, lambda: preload(request, timeout=SECONDS))
        gone = evict(m.EvictSrsRequest(circuit_id="porep-2k"), timeout=SECONDS)
        assert (gone.was_loaded, gone.freed_bytes) == (True, 1234)
        gone = evict(m.EvictSrsRequest(circuit_id="porep-2k"), timeout=SECONDS)
        assert (gone.was_loaded, gone.freed_bytes) == (False, 0)
        expect_error(Code.INVALID_ARGUMENT, "unknown circuit ID: moon",
                     lambda: evict(m.EvictSrsRequest(circuit_id="moon"), timeout=SECONDS))
        end = status(api, channel)
        assert [(g.ordinal, g.name, g.vram_total_bytes, g.current_job_id) for g in end.gpus] == [(0, "cpu", 0, "")]
        assert (end.total_proofs_completed, end.total_proofs_failed) == (4, 4), end
        assert end.pinned_memory_limit_bytes == 64 << 30 and not end.queues and not end.loaded_srs


def large(program, api):
    """60 MiB, ten at once on one connection; too large a message, and its memory."""
    with Server(program) as server:
        channel = server.channel()
        gate = server.path("gate")
        start = time.monotonic()
        waiting = [prove_call(api, channel, porep(api, "porep-%d" % i, "partitions=10 gate=" + gate, 60 * MIB))
                   for i in range(10)]
        wait_until(lambda: sum(map(sum, queues(api, channel).values())) == 10, "ten jobs")
        print("ten requests of 60 MiB taken after %.1f s, %d MiB resident" % (time.monotonic() - start, server.rss_bytes() >> 20))
        assert status(api, channel).pinned_memory_bytes > 600 * MIB
        server.open_gate("gate")
        for call in waiting:
            assert len(call.result().result.proof) == 1920
        wait_until(lambda: status(api, channel).pinned_memory_bytes == 0, "the budget given back")
        before = server.rss_bytes()
        expect_error(Code.RESOURCE_EXHAUSTED, "", lambda: prove(api, channel, porep(api, "", "", 257 * MIB)))
        assert prove(api, channel, porep(api, "", "", 256 * MIB)).status == api.m.AwaitProofResponse.COMPLETED
        wait_until(lambda: status(api, channel).pinned_memory_bytes == 0, "the budget given back")
        wait_until(lambda: server.rss_bytes() < before + 64 * MIB, "memory given back: %d MiB, was %d"
                   % (server.rss_bytes() >> 20, before >> 20))


def identity(program, api):
    """Equal requests once, other payloads apart, a retry after a deadline gets the proof that was made meanwhile."""
    m = api.m
    with Server(program) as server:
        channel = server.channel()
        gate = "gate=" + server.path("gate")
        same = [prove_call(api, channel, porep(api, "same", gate)) for _ in range(3)]
        other = prove_call(api, channel, porep(api, "same", gate + " other"))
        wait_queues(api, channel, {"porep-c2": (1, 1)})
        server.open_gate("gate")
        results = [call.result().result for call in same]
        assert len({r.proof for r in results}) == 1
        assert other.result().result.proof != results[0].proof
        ids = {results[0].job_id, other.result().result.job_id}
        assert "same" in ids and any(i.startswith("same#") and len(i) == 13 for i in ids), ids

        gate = "gate=" + server.path("second")
        late = porep(api, "late", gate)
        expect_error(Code.DEADLINE_EXCEEDED, "", lambda: prove(api, channel, late, timeout=1))
        assert queues(api, channel) == {"porep-c2": (0, 1)}
        server.open_gate("second")
        wait_queues(api, channel, {})
        completed = status(api, channel).total_proofs_completed
        result = prove(api, channel, late, timeout=5)
        assert result.status == m.AwaitProofResponse.COMPLETED
        assert status(api, channel).total_proofs_completed == completed


def cancelling(program, api):
    """Waiting, running, finished and unknown jobs; time limits; clients that go."""
    m = api.m
    with Server(program) as server:
        channel = server.channel()
        gate = "gate=" + server.path("never")
        running = prove_call(api, channel, porep(api, "running", gate))
        wait_queues(api, channel, {"porep-c2": (0, 1)})
        gpu = status(api, channel).gpus[0]
        wait_until(lambda: status(api, channel).gpus[0].current_job_id == "running", "the prover at work")
        assert status(api, channel).gpus[0].current_proof_kind == "porep-c2", gpu
        for i in range(3):
            submit(api, channel, porep(api, "waiting-%d" % i, gate))
        first = wait_proof(api, channel, "waiting-2", timeout_ms=30)
        assert first.status == m.AwaitProofResponse.TIMEOUT and first.job_id == "waiting-2"
        assert not cancel(api, channel, "waiting-2")
        assert wait_proof(api, channel, "waiting-2").status == m.AwaitProofResponse.CANCELLED
        assert cancel(api, channel, "running")
        assert running.result().result.status == m.AwaitProofResponse.CANCELLED
        assert not cancel(api, channel, "running") and not cancel(api, channel, "nobody")
        waiters = [api.call(channel, "AwaitProof").future(m.AwaitProofRequest(job_id="waiting-0"), timeout=SECONDS)
                   for _ in range(5)]
        waiters[0].cancel()
        cancel(api, channel, "waiting-0")
        for call in waiters[1:]:
            assert call.result().status == m.AwaitProofResponse.CANCELLED
        cancel(api, channel, "waiting-1")
        wait_queues(api, channel, {})
        assert wait_proof(api, channel, "waiting-1").status == m.AwaitProofResponse.CANCELLED


def slow(program, api):
    """Senders that take their time do not hold up others: bodies half sent, while everything else is answered."""
    with Server(program) as server:
        channel = server.channel()
        message = api.m.ProveRequest(submit=porep(api, "", "", 8 * MIB)).SerializeToString()
        connections = [half_sent(server, message) for _ in range(4)]
        worst = 0
        for _ in range(20):
            start = time.monotonic()
            status(api, channel)
            worst = max(worst, time.monotonic() - start)
        print("slowest GetStatus beside 4 uploads: %.1f ms" % (1000 * worst))
        assert prove(api, channel, porep(api, "quick")).status == api.m.AwaitProofResponse.COMPLETED
        for connection in connections:
            connection.close()
        assert status(api, channel).total_proofs_completed == 1


def stalled(program, api):
    """Senders that stand still, as many as may send at once and more: a short request gets in, and they lose their places,
    but only when somebody waits for them."""
    m = api.m
    winning = m.SubmitProofRequest(proof_kind=4, randomness=bytes(32), vanilla_proofs=[bytes(200 << 10)])
    message = m.ProveRequest(submit=porep(api, "", "", 8 * MIB)).SerializeToString()
    with Server(program, "receive_timeout_ms=0") as server:
        channel = server.channel()
        connections = [half_sent(server, message) for _ in range(14)]
        assert prove(api, channel, winning).status == m.AwaitProofResponse.COMPLETED
        for connection in connections:
            connection.setblocking(False)
            assert b"in time" not in connection.recv(1 << 16)
            connection.close()
    with Server(program, "receive_timeout_ms=600") as server:
        channel = server.channel()
        connections = [half_sent(server, message) for _ in range(24)]
        assert prove(api, channel, winning).status == m.AwaitProofResponse.COMPLETED
        seen = dict.fromkeys(connections, b"")
        while sum(b"the message did not come in time" in text for text in seen.values()) < 8:  # 16 places for 24
            ready = select.select(connections, [], [], SECONDS)[0]
            assert ready, "nobody is cut off"
            for connection in ready:
                seen[connection] += connection.recv(1 << 16)
        for connection in connections:
            connection.close()
        assert prove(api, channel, porep(api, "", "", 8 * MIB)).status == m.AwaitProofResponse.COMPLETED


def fatal(program, api):
    """A signal that ends the process: its last line names the jobs at work, and it ends by the signal."""
    for number in (signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT):
        for options in ([], ["json=1"]):
            server = Server(program, *options, check=False)
            call = prove_call(api, server.channel(), porep(api, 'a"b\n', "signal=%d" % number))
            expect_error(Code.UNAVAILABLE, "", call.result)
            _, text = server.process.communicate(timeout=SECONDS)
            assert server.process.returncode == -number, server.process.returncode
            last = text.splitlines()[-1]
            if options:
                line = json.loads(last)
                assert (line["level"], line["signal"], line["running_jobs"]) == ("ERROR", number.name, "a_b_"), last
            else:
                assert last == 'ERROR daemon: fatal signal signal=%s running_jobs="a_b_"' % number.name, last
            for channel in server.channels:
                channel.close()
            server.directory.cleanup()


def half_sent(server, message):
    """A raw HTTP/2 connection to the server with the first half of a Prove call's message on it."""
    def frame(kind, flags, stream, body):
        return len(body).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + body

    def literal(name, value):
        return b"\x00" + bytes([len(name)]) + name + bytes([len(value)]) + value

    headers = b"".join(literal(*header) for header in (
        (b":method", b"POST"), (b":scheme", b"http"), (b":path", b"/cuzk.v1.ProvingEngine/Prove"), (b":authority", b"localhost"),
        (b"content-type", b"application/grpc"), (b"te", b"trailers")))
    body = b"\x00" + len(message).to_bytes(4, "big") + message
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(SECONDS)
    connection.connect(server.socket)
    connection.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0, b"") + frame(1, 4, 1, headers))
    for at in range(0, 60000, 15000):  # what the first window takes
        connection.sendall(frame(0, 0, 1, body[at:at + 15000]))
    return connection


def pings(program, api):
    """A client that asks ten times a second whether the server lives, for as long as a proof takes, is not thrown out."""
    with Server(program) as server:
        channel = server.channel(("grpc.keepalive_time_ms", 100), ("grpc.keepalive_permit_without_calls", 1),
                                 ("grpc.http2.max_pings_without_data", 0), ("grpc.http2.min_time_between_pings_ms", 100))
        gate = server.path("gate")
        call = prove_call(api, channel, porep(api, "long", "gate=" + gate))
        wait_queues(api, server.channel(), {"porep-c2": (0, 1)})
        time.sleep(3)
        server.open_gate("gate")
        assert call.result().result.status == api.m.AwaitProofResponse.COMPLETED


def sockets(program, api):
    """A stale socket is replaced, a living one and other files are not; its mode; it goes with the server."""
    with Server(program) as server:
        path = server.socket
        assert os.stat(path).st_mode & 0o7777 == 0o660
        second = subprocess.run([program, "unix://" + path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                timeout=SECONDS)
        assert second.returncode == 1 and "another process listens" in second.stderr, second.stderr
        assert status(api, server.channel()).gpus
        server.stop()
        assert not os.path.exists(path)
        with socket.socket(socket.AF_UNIX) as stale:
            stale.bind(path)
        with Server(program, listen="unix://" + path) as replaced:
            assert status(api, replaced.channel()).gpus
        assert not os.path.exists(path)
        with open(path, "w") as regular:
            regular.write("precious")
        third = subprocess.run([program, "unix://" + path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               timeout=SECONDS)
        assert third.returncode == 1 and "not a socket" in third.stderr, third.stderr
        assert open(path).read() == "precious"
    for limit in ("0", "1048575", "2147483648"):
        bad = subprocess.run([program, "127.0.0.1:0", "max_message=" + limit], stderr=subprocess.PIPE, text=True, timeout=SECONDS)
        assert bad.returncode == 1 and "message limit of " + limit in bad.stderr, bad.stderr
    for address in ("localhost:9820", "unix:/x", "127.0.0.1"):
        bad = subprocess.run([program, address], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=SECONDS)
        assert bad.returncode == 1 and "invalid listen address: " + address in bad.stderr, bad.stderr
    with Server(program, listen="127.0.0.1:0") as server:
        assert server.address.startswith("127.0.0.1:")
        assert status(api, server.channel()).gpus
        taken = subprocess.run([program, server.address], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               timeout=SECONDS)
        assert taken.returncode == 1 and "cannot listen on " + server.address in taken.stderr, taken.stderr


def draining(program, api):
    """At the end: what runs is delivered, what waits is turned away, new calls are not taken."""
    m = api.m
    with Server(program) as server:
        channel = server.channel()
        gate = server.path("gate")
        running = prove_call(api, channel, porep(api, "running", "gate=" + gate))
        wait_queues(api, channel, {"porep-c2": (0, 1)})
        queued = [prove_call(api, channel, porep(api, "queued-%d" % i, "opengate=" + gate)) for i in range(5)]
        wait_until(lambda: sum(map(sum, queues(api, channel).values())) == 6, "six jobs")
        server.process.terminate()
        ends = []
        for call in queued:
            ends.append(expect_error(Code.UNAVAILABLE, "shutting down", call.result))
        server.open_gate("gate")
        assert running.result().result.status == m.AwaitProofResponse.COMPLETED
        fresh = server.channel()
        expect_error(Code.UNAVAILABLE, "", lambda: status(api, fresh))


def crowded(program, api):
    """More than the share for requests: refused, and taken again when others have ended."""
    m = api.m
    with Server(program, "budget=%d" % (320 * MIB), "max_message=%d" % (64 * MIB)) as server:
        channel = server.channel()
        gate = server.path("gate")
        waiting = [prove_call(api, channel, porep(api, "porep-%d" % i, "gate=" + gate, 20 * MIB)) for i in range(3)]
        wait_until(lambda: sum(map(sum, queues(api, channel).values())) == 3, "three jobs")
        expect_error(Code.RESOURCE_EXHAUSTED, "no room for a request", lambda: prove(api, channel, porep(api, "", "", 20 * MIB)))
        urgent = porep(api, "", "", 8 * MIB, priority=4)
        expect_error(Code.RESOURCE_EXHAUSTED, "no room for a request", lambda: prove(api, channel, urgent))
        winning = m.SubmitProofRequest(proof_kind=4, randomness=bytes(32), vanilla_proofs=[bytes(8 * MIB)])
        assert prove(api, channel, winning).status == m.AwaitProofResponse.COMPLETED
        expect_error(Code.RESOURCE_EXHAUSTED, "", lambda: prove(api, channel, porep(api, "", "", 65 * MIB)))
        server.open_gate("gate")
        for call in waiting:
            assert call.result().result.status == m.AwaitProofResponse.COMPLETED
        wait_until(lambda: status(api, channel).pinned_memory_bytes == 0, "the budget given back")
        assert prove(api, channel, porep(api, "", "", 60 * MIB)).status == m.AwaitProofResponse.COMPLETED
    # More open calls than there may be: refused at once, whatever they are, and taken when others have ended.
    with Server(program, "max_calls=4") as server:
        channel = server.channel()
        gate = server.path("gate")
        waiting = [prove_call(api, channel, porep(api, "porep-%d" % i, "gate=" + gate)) for i in range(3)]
        wait_until(lambda: sum(map(sum, queues(api, channel).values())) == 3, "three jobs")

        def is_fourth_waiting():  # a call that has just ended may count a moment longer
            call = prove_call(api, channel, porep(api, "porep-3", "gate=" + gate))
            try:
                call.result(timeout=0.3)
            except grpc.FutureTimeoutError:
                waiting.append(call)
                return True
            except grpc.RpcError as error:
                assert error.code() == Code.RESOURCE_EXHAUSTED, error
            return False
        wait_until(is_fourth_waiting, "four calls")

        def is_refused():
            try:
                status(api, channel)
            except grpc.RpcError as error:
                assert error.code() == Code.RESOURCE_EXHAUSTED and "too many open calls" in error.details(), error
                return True
            return False
        wait_until(is_refused, "a call too many")
        expect_error(Code.RESOURCE_EXHAUSTED, "too many open calls", lambda: prove(api, channel, porep(api, "", "")))
        server.open_gate("gate")
        for call in waiting:
            assert call.result().result.status == m.AwaitProofResponse.COMPLETED
        wait_until(lambda: not is_refused(), "room for a call")
        assert not any(map(sum, queues(api, channel).values()))


def oversize(program, api):
    """However long a message is, what it takes is bounded, and given back."""
    with Server(program, "budget=%d" % (320 * MIB), "max_message=%d" % (8 * MIB)) as server:
        channel = server.channel()
        assert prove(api, channel, porep(api, "", "", MIB)).status == api.m.AwaitProofResponse.COMPLETED
        before = server.rss_bytes()
        raw = channel.unary_unary("/cuzk.v1.ProvingEngine/Prove")
        expect_error(Code.RESOURCE_EXHAUSTED, "", lambda: raw(bytes(300 * MIB), timeout=SECONDS))
        peak = server.rss_bytes("VmHWM:")
        print("300 MiB refused: peak %d MiB" % (peak >> 20))
        assert peak < before + 120 * MIB, peak
        # Several that end together: what all of them took comes back, not only the first one's.
        refused = [raw.future(bytes(60 * MIB), timeout=SECONDS) for _ in range(4)]
        for call in refused:
            expect_error(Code.RESOURCE_EXHAUSTED, "", call.result)
        wait_until(lambda: server.rss_bytes("RssAnon:") < 24 * MIB, "memory given back")
        waiting = [prove_call(api, channel, porep(api, "", "", 7 * MIB)) for _ in range(8)]
        for call in waiting:
            try:
                assert call.result().result.status == api.m.AwaitProofResponse.COMPLETED
            except grpc.RpcError as error:  # more at once than requests may keep
                assert error.code() == Code.RESOURCE_EXHAUSTED and "no room" in error.details(), error.details()


# The contract as engine.md 3 of the specification has it: number, name, type (r: repeated).
FIELDS = {
    "SubmitProofRequest": "1 request_id string; 2 proof_kind ProofKind; 3 sector_size uint64; 4 registered_proof uint64; "
                          "5 priority Priority; 10 vanilla_proof bytes; 11 vanilla_proofs rbytes; 20 sector_number uint64; "
                          "21 miner_id uint64; 22 randomness bytes; 23 partition_index uint32; 30 comm_r_old bytes; "
                          "31 comm_r_new bytes; 32 comm_d_new bytes",
    "SubmitProofResponse": "1 job_id string; 2 queue_position uint32; 3 assigned_gpu string",
    "AwaitProofRequest": "1 job_id string; 2 timeout_ms uint64",
    "AwaitProofResponse": "1 job_id string; 2 status AwaitProofResponse.Status; 3 proof bytes; 4 error_message string; "
                          "10 queue_wait_ms uint64; 11 srs_load_ms uint64; 12 synthesis_ms uint64; 13 gpu_compute_ms uint64; "
                          "14 total_ms uint64",
    "ProveRequest": "1 submit SubmitProofRequest",
    "ProveResponse": "1 result AwaitProofResponse",
    "CancelProofRequest": "1 job_id string",
    "CancelProofResponse": "1 was_running bool",
    "GetStatusRequest": "",
    "GetStatusResponse": "1 gpus rGPUStatus; 2 loaded_srs rSRSStatus; 3 queues rQueueStatus; 4 total_proofs_completed uint64; "
                         "5 total_proofs_failed uint64; 6 uptime_seconds uint64; 7 pinned_memory_bytes uint64; "
                         "8 pinned_memory_limit_bytes uint64",
    "GPUStatus": "1 ordinal uint32; 2 name string; 3 vram_total_bytes uint64; 4 vram_free_bytes uint64; "
                 "5 current_job_id string; 6 current_proof_kind string",
    "SRSStatus": "1 circuit_id string; 2 tier SRSStatus.Tier; 3 size_bytes uint64; 4 ref_count uint32",
    "QueueStatus": "1 proof_kind string; 2 pending uint32; 3 in_progress uint32",
    "PreloadSrsRequest": "1 circuit_id string",
    "PreloadSrsResponse": "1 already_loaded bool; 2 load_time_ms uint64",
    "EvictSrsRequest": "1 circuit_id string",
    "EvictSrsResponse": "1 was_loaded bool; 2 freed_bytes uint64",
    "GetMetricsRequest": "",
    "GetMetricsResponse": "1 prometheus_text string",
}
ENUMS = {
    "ProofKind": ["PROOF_KIND_UNSPECIFIED", "POREP_SEAL_COMMIT", "SNAP_DEALS_UPDATE", "WINDOW_POST_PARTITION", "WINNING_POST"],
    "Priority": ["PRIORITY_UNSPECIFIED", "LOW", "NORMAL", "HIGH", "CRITICAL"],
    "AwaitProofResponse.Status": ["UNKNOWN", "COMPLETED", "FAILED", "CANCELLED", "TIMEOUT"],
    "SRSStatus.Tier": ["HOT", "WARM", "COLD"],
}
CALLS = {name: (name + "Request", name + "Response")
         for name in ("SubmitProof", "AwaitProof", "Prove", "CancelProof", "GetStatus", "GetMetrics")}
CALLS["PreloadSRS"] = ("PreloadSrsRequest", "PreloadSrsResponse")
CALLS["EvictSRS"] = ("EvictSrsRequest", "EvictSrsResponse")


def field_text(field):
    kinds = descriptor_pb2.FieldDescriptorProto
    kind = kinds.Type.Name(field.type)[len("TYPE_"):].lower()
    if field.type_name:
        kind = field.type_name[len(".cuzk.v1."):]
    return "%d %s %s%s" % (field.number, field.name, "r" if field.label == kinds.LABEL_REPEATED else "", kind)


def contract(program, api):
    """What reflection shows is the contract, field by field; both of its versions; health."""
    with Server(program) as server:
        channel = server.channel()
        for version, module in api.reflection.items():
            ask = channel.stream_stream("/grpc.reflection.%s.ServerReflection/ServerReflectionInfo" % version,
                                        request_serializer=module.ServerReflectionRequest.SerializeToString,
                                        response_deserializer=module.ServerReflectionResponse.FromString)
            questions = [module.ServerReflectionRequest(list_services=""),
                         module.ServerReflectionRequest(file_containing_symbol="cuzk.v1.ProvingEngine"),
                         module.ServerReflectionRequest(file_containing_symbol="cuzk.v1.SRSStatus.HOT"),
                         module.ServerReflectionRequest(file_by_filename="cuzk/v1/proving.proto"),
                         module.ServerReflectionRequest(file_containing_symbol="cuzk.v1.Nothing"),
                         module.ServerReflectionRequest(all_extension_numbers_of_type="cuzk.v1.ProveRequest")]
            answers = list(ask(iter(questions), timeout=SECONDS))
            assert [a.original_request for a in answers] == questions
            services = [s.name for s in answers[0].list_services_response.service]
            assert services == ["cuzk.v1.ProvingEngine", "grpc.health.v1.Health", "grpc.reflection.v1.ServerReflection",
                                "grpc.reflection.v1alpha.ServerReflection"], services
            files = [a.file_descriptor_response.file_descriptor_proto[0] for a in answers[1:4]]
            assert len(set(files)) == 1
            assert [a.error_response.error_code for a in answers[4:]] == [5, 5]
        file = descriptor_pb2.FileDescriptorProto.FromString(files[0])
        assert (file.package, file.syntax, list(file.dependency)) == ("cuzk.v1", "proto3", [])
        enums = {e.name: e for e in file.enum_type}
        for message in file.message_type:
            enums.update({message.name + "." + e.name: e for e in message.enum_type})
            assert not message.nested_type and not message.oneof_decl and not message.extension
        messages = {m.name: "; ".join(field_text(f) for f in m.field) for m in file.message_type}
        assert messages == FIELDS, {k: (messages.get(k), v) for k, v in FIELDS.items() if messages.get(k) != v}
        assert {n: [(v.number, v.name) for v in e.value] for n, e in enums.items()} == \
            {n: list(enumerate(names)) for n, names in ENUMS.items()}
        service, = file.service
        assert service.name == "ProvingEngine"
        assert {m.name: (m.input_type, m.output_type) for m in service.method} == \
            {n: (".cuzk.v1." + a, ".cuzk.v1." + b) for n, (a, b) in CALLS.items()}
        assert not any(m.client_streaming or m.server_streaming for m in service.method)

        h = api.health
        check = channel.unary_unary("/grpc.health.v1.Health/Check", request_serializer=h.HealthCheckRequest.SerializeToString,
                                    response_deserializer=h.HealthCheckResponse.FromString)
        for name in ("", "cuzk.v1.ProvingEngine"):
            assert check(h.HealthCheckRequest(service=name), timeout=SECONDS).status == h.HealthCheckResponse.SERVING
        expect_error(Code.NOT_FOUND, "unknown service: moon", lambda: check(h.HealthCheckRequest(service="moon"), timeout=SECONDS))
        watch = channel.unary_stream("/grpc.health.v1.Health/Watch", request_serializer=h.HealthCheckRequest.SerializeToString,
                                     response_deserializer=h.HealthCheckResponse.FromString)
        unknown = watch(h.HealthCheckRequest(service="moon"), timeout=SECONDS)
        assert next(unknown).status == h.HealthCheckResponse.SERVICE_UNKNOWN
        unknown.cancel()
        known = watch(h.HealthCheckRequest(), timeout=SECONDS)
        assert next(known).status == h.HealthCheckResponse.SERVING
        server.process.terminate()
        expect_error(Code.UNAVAILABLE, "shutting down", lambda: next(known))


def certificate(directory, name, authority=None):
    """A key and a certificate, of itself or of an authority; the openssl program makes them."""
    def openssl(*arguments):
        subprocess.run(["openssl", *arguments], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=SECONDS)

    key, made, extra = (os.path.join(directory, name + end) for end in (".key", ".pem", ".ext"))
    openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", key)
    if authority is None:
        openssl("req", "-x509", "-key", key, "-out", made, "-days", "2", "-subj", "/CN=" + name)
    else:
        with open(extra, "w") as file:
            file.write("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
        request = os.path.join(directory, name + ".csr")
        openssl("req", "-new", "-key", key, "-out", request, "-subj", "/CN=" + name)
        openssl("x509", "-req", "-in", request, "-CA", os.path.join(directory, authority + ".pem"), "-CAkey",
                os.path.join(directory, authority + ".key"), "-CAcreateserial", "-out", made, "-days", "2", "-extfile", extra)
    return key, made


def tls(program, api):
    """Certificates of the server and of its clients."""
    def read(path):
        with open(path, "rb") as file:
            return file.read()

    with Server(program) as plain:
        directory = plain.directory.name
        _, authority = certificate(directory, "authority")
        key, made = certificate(directory, "server", "authority")
        client_key, client = certificate(directory, "client", "authority")
        _, stranger = certificate(directory, "stranger")
        stranger_key = os.path.join(directory, "stranger.key")
        trusts = grpc.ssl_channel_credentials(read(authority))
        with Server(program, "cert=" + made, "key=" + key, listen="127.0.0.1:0") as server:
            assert status(api, server.channel(credentials=trusts)).gpus
            expect_error(Code.UNAVAILABLE, "", lambda: status(api, server.channel()))
        with Server(program, "cert=" + made, "key=" + key, "client_ca=" + authority, listen="127.0.0.1:0") as server:
            known = grpc.ssl_channel_credentials(read(authority), read(client_key), read(client))
            unknown = grpc.ssl_channel_credentials(read(authority), read(stranger_key), read(stranger))
            assert status(api, server.channel(credentials=known)).gpus
            expect_error(Code.UNAVAILABLE, "", lambda: status(api, server.channel(credentials=trusts)))
            expect_error(Code.UNAVAILABLE, "", lambda: status(api, server.channel(credentials=unknown)))
        missing = subprocess.run([program, "127.0.0.1:0", "cert=/nowhere.pem", "key=" + key], stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, text=True, timeout=SECONDS)
        assert missing.returncode == 1 and "/nowhere.pem" in missing.stderr, missing.stderr
        half = subprocess.run([program, "127.0.0.1:0", "cert=" + made], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              timeout=SECONDS)
        assert half.returncode == 1 and "both" in half.stderr, half.stderr


def compression(program, api):
    """Compressed messages are refused as unknown, not taken for something else."""
    with Server(program) as server:
        call = api.call(server.channel(), "Prove")
        request = api.m.ProveRequest(submit=porep(api, "", "", MIB))
        expect_error(Code.UNIMPLEMENTED, "", lambda: call(request, timeout=SECONDS, compression=grpc.Compression.Gzip))


run({"calls": calls, "large": large, "identity": identity, "cancelling": cancelling, "slow": slow, "stalled": stalled, "fatal": fatal, "pings": pings,
     "sockets": sockets, "draining": draining, "crowded": crowded, "oversize": oversize, "contract": contract, "tls": tls,
     "compression": compression})
