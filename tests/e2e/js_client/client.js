// A client on grpc-js that reads the contract itself.
// usage: client.js ADDRESS GATE PROTO_DIRECTORY
'use strict';
const assert = require('assert');
const fs = require('fs');
const grpc = require('@grpc/grpc-js');
const loader = require('@grpc/proto-loader');

const [address, gate, protos] = process.argv.slice(2);
const contract = grpc.loadPackageDefinition(loader.loadSync('cuzk/v1/proving.proto',
  {includeDirs: [protos], keepCase: true, enums: String, longs: Number, defaults: true}));
const client = new contract.cuzk.v1.ProvingEngine(address, grpc.credentials.createInsecure(),
  {'grpc.max_send_message_length': -1, 'grpc.max_receive_message_length': -1, 'grpc.keepalive_time_ms': 10000});

function call(name, message, seconds = 60) {
  return new Promise((resolve, reject) => client[name](message, {deadline: Date.now() + 1000 * seconds},
    (error, reply) => error ? reject(error) : resolve(reply)));
}

function prove(id, script, size, seconds) {
  const proof = Buffer.alloc(size);
  proof.write(` ${script} `);
  return call('Prove', {submit: {request_id: id, proof_kind: 'POREP_SEAL_COMMIT', vanilla_proof: proof}}, seconds);
}

async function fails(code, promise) {
  const error = await promise.then(() => assert.fail('no error'), (e) => e);
  assert.strictEqual(error.code, code, error.message);
  return error;
}

async function main() {
  const status = await call('GetStatus', {});
  assert.strictEqual(status.gpus[0].name, 'cpu');
  const ids = Array.from({length: 10}, (_, i) => `porep-1000-${i}`);
  for (const {result} of await Promise.all(ids.map((id) => prove(id, 'partitions=10', 10 << 20)))) {
    assert.strictEqual(result.status, 'COMPLETED');
    assert.strictEqual(result.proof.length, 1920);
  }
  await fails(grpc.status.DEADLINE_EXCEEDED, prove('late', `gate=${gate}`, 1000, 1));
  fs.writeFileSync(gate, '');
  assert.strictEqual((await prove('late', `gate=${gate}`, 1000)).result.status, 'COMPLETED');
  const {result} = await prove('bad', 'fail=C1-parse-failed', 1000);
  assert.deepStrictEqual([result.status, result.error_message], ['FAILED', 'C1-parse-failed']);
  assert.match((await fails(grpc.status.INVALID_ARGUMENT, call('Prove', {}))).message, /missing submit field/);
  assert.match((await fails(grpc.status.NOT_FOUND, call('AwaitProof', {job_id: 'nobody'}))).message, /job not found: nobody/);
  client.close();
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
