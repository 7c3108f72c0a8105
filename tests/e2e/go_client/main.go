// A client on grpc-go, as nodes have one, with their settings: messages up to 256 MiB, a ping every 10 s.
// usage: client ADDRESS GATE
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protowire"
)

// Messages are bytes here: the contract is known by its numbers alone.
type bytesCodec struct{}

func (bytesCodec) Marshal(v any) ([]byte, error) { return *v.(*[]byte), nil }
func (bytesCodec) Unmarshal(data []byte, v any) error {
	*v.(*[]byte) = append([]byte(nil), data...)
	return nil
}
func (bytesCodec) Name() string { return "proto" }

func bytesField(to []byte, number protowire.Number, value []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(to, number, protowire.BytesType), value)
}

// A ProveRequest for a PoRep whose input is `size` bytes with a script at their start.
func prove(id, script string, size int) []byte {
	proof := make([]byte, size)
	copy(proof, " "+script+" ")
	submit := bytesField(nil, 1, []byte(id))
	submit = protowire.AppendVarint(protowire.AppendTag(submit, 2, protowire.VarintType), 1)
	return bytesField(nil, 1, bytesField(submit, 10, proof))
}

// The field of that number of a message; nil if it has none.
func field(message []byte, number protowire.Number) []byte {
	for len(message) > 0 {
		n, kind, used := protowire.ConsumeTag(message)
		expect(used > 0, "a tag")
		message = message[used:]
		used = protowire.ConsumeFieldValue(n, kind, message)
		expect(used >= 0, "a value")
		if n == number && kind == protowire.BytesType {
			value, _ := protowire.ConsumeBytes(message)
			return value
		}
		message = message[used:]
	}
	return nil
}

func expect(ok bool, what string, details ...any) {
	if !ok {
		fmt.Fprintln(os.Stderr, "expected", what, details)
		os.Exit(1)
	}
}

func main() {
	connection, err := grpc.NewClient(os.Args[1], grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.MaxCallSendMsgSize(256<<20), grpc.MaxCallRecvMsgSize(256<<20), grpc.ForceCodec(bytesCodec{})),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 10 * time.Second, PermitWithoutStream: true}))
	expect(err == nil, "a connection", err)
	call := func(name string, message []byte, limit time.Duration) ([]byte, error) {
		ctx, cancel := context.WithTimeout(context.Background(), limit)
		defer cancel()
		var reply []byte
		err := connection.Invoke(ctx, "/cuzk.v1.ProvingEngine/"+name, &message, &reply)
		return reply, err
	}
	reply, err := call("GetStatus", nil, 5*time.Second)
	expect(err == nil && string(field(field(reply, 1), 2)) == "cpu", "a status", err)

	const n = 10
	failures := make(chan error, n)
	for i := 0; i < n; i++ {
		go func(i int) {
			reply, err := call("Prove", prove(fmt.Sprintf("porep-1000-%d", i), "partitions=10", 20<<20), time.Minute)
			if err == nil && len(field(field(reply, 1), 3)) != 1920 {
				err = fmt.Errorf("a proof of %d bytes", len(field(field(reply, 1), 3)))
			}
			failures <- err
		}(i)
	}
	for i := 0; i < n; i++ {
		err := <-failures
		expect(err == nil, "ten proofs", err)
	}

	late := prove("late", "gate="+os.Args[2], 1000)
	_, err = call("Prove", late, time.Second)
	expect(status.Code(err) == codes.DeadlineExceeded, "a deadline", err)
	expect(os.WriteFile(os.Args[2], nil, 0o644) == nil, "a gate")
	reply, err = call("Prove", late, 30*time.Second)
	expect(err == nil && len(field(field(reply, 1), 3)) == 192, "the proof of the first try", err)

	reply, err = call("Prove", prove("bad", "fail=C1-parse-failed", 1000), 30*time.Second)
	expect(err == nil && string(field(field(reply, 1), 4)) == "C1-parse-failed", "a failed job", err)
	_, err = call("Prove", nil, 5*time.Second)
	expect(status.Code(err) == codes.InvalidArgument && status.Convert(err).Message() == "missing submit field", "a refusal", err)
	_, err = call("Nothing", nil, 5*time.Second)
	expect(status.Code(err) == codes.Unimplemented, "no such method", err)
}
