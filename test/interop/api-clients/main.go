// Makes the calls that standard input describes with grpc-go: a line of JSON for each call, and a
// line of JSON for its outcome. Messages are bytes, which are neither encoded nor decoded here.
//
// Use: api-clients <host:port>
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
)

// asIs is a codec for messages that are already encoded.
type asIs struct{}

func (asIs) Name() string                  { return "proto" }
func (asIs) Marshal(v any) ([]byte, error) { return *v.(*[]byte), nil }
func (asIs) Unmarshal(data []byte, v any) error {
	*v.(*[]byte) = append([]byte(nil), data...)
	return nil
}

// call sends its first message, and the others after the first answer; an upload sends all at once.
type call struct {
	Path     string   `json:"path"`
	Messages [][]byte `json:"messages"`
}

type outcome struct {
	Answer  []byte `json:"answer"`
	Code    uint32 `json:"code"`
	Message string `json:"message"`
}

func main() {
	plain := grpc.WithTransportCredentials(insecure.NewCredentials())
	codec := grpc.WithDefaultCallOptions(grpc.ForceCodec(asIs{}))
	connection, err := grpc.NewClient(os.Args[1], plain, codec)
	check(err)
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var asked call
		check(json.Unmarshal(lines.Bytes(), &asked))
		answer, err := run(connection, asked)
		state := status.Convert(err)
		line, err := json.Marshal(outcome{answer, uint32(state.Code()), state.Message()})
		check(err)
		os.Stdout.Write(append(line, '\n'))
	}
}

func run(connection *grpc.ClientConn, asked call) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if !isStream(asked.Path) {
		var answer []byte
		err := connection.Invoke(ctx, asked.Path, &asked.Messages[0], &answer)
		return answer, err
	}
	kind := &grpc.StreamDesc{ClientStreams: true, ServerStreams: true}
	stream, err := connection.NewStream(ctx, kind, asked.Path)
	if err != nil {
		return nil, err
	}
	sent := 1
	if strings.HasSuffix(asked.Path, "/Upload") {
		sent = len(asked.Messages)
	}
	for i := range asked.Messages[:sent] {
		if err := stream.SendMsg(&asked.Messages[i]); err != nil {
			break // RecvMsg says why.
		}
	}
	if sent == len(asked.Messages) {
		check(stream.CloseSend())
	}
	var first []byte
	if err := stream.RecvMsg(&first); err != nil {
		return nil, err
	}
	if strings.HasSuffix(asked.Path, "/Watch") {
		return first, nil
	}
	for i := sent; i < len(asked.Messages); i++ {
		if err := stream.SendMsg(&asked.Messages[i]); err != nil {
			break
		}
	}
	check(stream.CloseSend())
	for {
		var more []byte
		if err := stream.RecvMsg(&more); errors.Is(err, io.EOF) {
			return first, nil
		} else if err != nil {
			return nil, err
		}
	}
}

func isStream(path string) bool {
	switch path[strings.LastIndex(path, "/"):] {
	case "/ServerReflectionInfo", "/Upload", "/Watch", "/Write":
		return true
	}
	return false
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
