#!/usr/bin/python3
"""What happens to clients when much is under way, by the packaged Python gRPC client against made-up proofs: urgent work
during much other, two clients that number alike, an end with work running and waiting, an end without notice.

usage: test_replay.py ACTION FAKE_SERVER PROTO_DIRECTORY
"""
import os
import tempfile

import grpc

from server_client import SECONDS, Server, expect_error, run, wait_until

Code = grpc.StatusCode
POREP, WINNING = 1, 4


def request(api, kind, request_id, script="", **more):
    message = api.m.SubmitProofRequest(request_id=request_id, proof_kind=kind, randomness=bytes(32), **more)
    if kind == POREP:
        message.vanilla_proof = (" %s " % script).encode()
    else:
        message.vanilla_proofs.append((" %s " % script).encode())
    return message


def start(api, channel, message):
    return api.call(channel, "Prove").future(api.m.ProveRequest(submit=message), timeout=SECONDS)


def status(api, channel):
    return api.call(channel, "GetStatus")(api.m.GetStatusRequest(), timeout=SECONDS)


def queues(api, channel):
    return {q.proof_kind: (q.pending, q.in_progress) for q in status(api, channel).queues}


def total(api, channel):
    return sum(map(sum, queues(api, channel).values()))


def assert_completed(api, call, n_partitions=1):
    result = call.result().result
    assert result.status == api.m.AwaitProofResponse.COMPLETED and len(result.proof) == 192 * n_partitions, result
    return result


def urgent(program, api):
    """WinningPoSts are proved while twelve PoReps stand still in their ten partitions each, and none of those is lost."""
    with Server(program) as server:
        channel = server.channel()
        gate = "gate=" + server.path("gate")
        waiting = [start(api, channel, request(api, POREP, "porep-%d" % i, "partitions=10 " + gate)) for i in range(12)]
        wait_until(lambda: total(api, channel) == 12 and queues(api, channel)["porep-c2"][1] > 0, "twelve jobs")
        for i in range(3):
            assert_completed(api, start(api, channel, request(api, WINNING, "winning-%d" % i)))
        assert total(api, channel) == 12 and not any(call.done() for call in waiting)
        server.open_gate("gate")
        assert len({assert_completed(api, call, 10).proof for call in waiting}) == 12
        wait_until(lambda: not total(api, channel), "an empty status")


def alike(program, api):
    """Two systems that name their jobs alike send theirs at once: each gets proofs of its own, and retries the same."""
    with Server(program) as server:
        systems = [(1000, server.channel()), (2000, server.channel())]
        messages = {(miner, i): request(api, POREP, "porep-%d" % i, "partitions=%d" % (1 + miner // 1000), miner_id=miner)
                    for miner, _ in systems for i in range(20)}

        def ask():
            calls = {(miner, i): start(api, channel, messages[miner, i]) for i in range(20) for miner, channel in systems}
            return {key: assert_completed(api, call, 1 + key[0] // 1000) for key, call in calls.items()}

        first, again = ask(), ask()
        assert len({result.proof for result in first.values()}) == len({result.job_id for result in first.values()}) == 40
        assert {key: r.proof for key, r in first.items()} == {key: r.proof for key, r in again.items()}
        assert all(result.job_id.partition("#")[0] == "porep-%d" % i for (_, i), result in first.items())
        assert status(api, systems[0][1]).total_proofs_completed == 40


def ended(program, api):
    """SIGTERM with two running and three waiting: two proofs, and three that hear why not."""
    with Server(program) as server:
        channel = server.channel()
        gate = server.path("gate")
        running = [start(api, channel, request(api, kind, "running-%d" % kind, "gate=" + gate)) for kind in (POREP, WINNING)]
        wait_until(lambda: queues(api, channel) == {"porep-c2": (0, 1), "winning-post": (0, 1)}, "two running")
        waiting = [start(api, channel, request(api, POREP, "waiting-%d" % i, "opengate=" + gate)) for i in range(3)]
        wait_until(lambda: total(api, channel) == 5, "three waiting")
        server.process.terminate()
        for call in waiting:
            expect_error(Code.UNAVAILABLE, "shutting down", call.result)
        server.open_gate("gate")
        for call in running:
            assert_completed(api, call)


def killed(program, api):
    """Killed with work running and waiting, another one starts at the same place, and serves."""
    with tempfile.TemporaryDirectory(prefix="cuzk-replay-") as folder:
        listen = "unix://" + os.path.join(folder, "cuzk.sock")
        first = Server(program, listen=listen)
        channel = first.channel()
        calls = [start(api, channel, request(api, POREP, "porep-%d" % i, "gate=" + first.path("gate"))) for i in range(5)]
        wait_until(lambda: total(api, channel) == 5, "five jobs")
        first.process.kill()
        for call in calls:
            expect_error(Code.UNAVAILABLE, "", call.result)
        first.stop()
        first.directory.cleanup()
        with Server(program, listen=listen) as second:
            channel = second.channel()
            for i in range(5):
                assert_completed(api, start(api, channel, request(api, POREP, "porep-%d" % i)))
        assert not os.listdir(folder)


run({"urgent": urgent, "alike": alike, "ended": ended, "killed": killed})
