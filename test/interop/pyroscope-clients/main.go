// Queries a server with the client that Grafana's data source and profilecli use, over each of its
// protocols, and prints the answers as JSON lines.
package main

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"strconv"

	"connectrpc.com/connect"
	querierv1 "github.com/grafana/pyroscope/api/gen/proto/go/querier/v1"
	"github.com/grafana/pyroscope/api/gen/proto/go/querier/v1/querierv1connect"
	typesv1 "github.com/grafana/pyroscope/api/gen/proto/go/types/v1"
	"golang.org/x/net/http2"
)

const profileType = "process_cpu:cpu:nanoseconds:cpu:nanoseconds"

func main() {
	url := os.Args[1]
	start, end := number(os.Args[2]), number(os.Args[3])
	plain := &http.Client{Transport: &http2.Transport{
		AllowHTTP:      true,
		DialTLSContext: dialPlain,
	}}
	open := querierv1connect.NewQuerierServiceClient
	for name, client := range map[string]querierv1connect.QuerierServiceClient{
		"connect":  open(http.DefaultClient, url),
		"json":     open(http.DefaultClient, url, connect.WithProtoJSON()),
		"grpc":     open(plain, url, connect.WithGRPC()),
		"grpc-web": open(http.DefaultClient, url, connect.WithGRPCWeb()),
	} {
		answers, err := ask(client, start, end)
		if err != nil {
			fmt.Fprintln(os.Stderr, name, err)
			os.Exit(1)
		}
		line, _ := json.Marshal(map[string]any{"protocol": name, "answers": answers})
		fmt.Println(string(line))
	}
}

func dialPlain(ctx context.Context, network, address string, _ *tls.Config) (net.Conn, error) {
	return (&net.Dialer{}).DialContext(ctx, network, address)
}

// Makes the requests that Grafana makes for a dashboard, in this order.
func ask(
	client querierv1connect.QuerierServiceClient, start, end int64,
) (map[string]any, error) {
	ctx := context.Background()
	answers := map[string]any{}
	types, err := client.ProfileTypes(ctx, connect.NewRequest(&querierv1.ProfileTypesRequest{
		Start: start, End: end,
	}))
	if err != nil {
		return nil, err
	}
	ids := []string{}
	for _, one := range types.Msg.ProfileTypes {
		ids = append(ids, one.ID)
	}
	answers["types"] = ids
	names, err := client.LabelNames(ctx, connect.NewRequest(&typesv1.LabelNamesRequest{
		Matchers: []string{`{service_name="shop"}`}, Start: start, End: end,
	}))
	if err != nil {
		return nil, err
	}
	answers["names"] = names.Msg.Names
	values, err := client.LabelValues(ctx, connect.NewRequest(&typesv1.LabelValuesRequest{
		Name: "service_name", Matchers: []string{"{}"}, Start: start, End: end,
	}))
	if err != nil {
		return nil, err
	}
	answers["values"] = values.Msg.Names
	limit := int64(10)
	series, err := client.SelectSeries(ctx, connect.NewRequest(&querierv1.SelectSeriesRequest{
		ProfileTypeID: profileType, LabelSelector: "{}", Start: start, End: end,
		Step: 15, GroupBy: []string{"service_name"}, Limit: &limit,
	}))
	if err != nil {
		return nil, err
	}
	lines := []string{}
	for _, one := range series.Msg.Series {
		line := one.Labels[0].Value
		for _, point := range one.Points {
			line += fmt.Sprintf(" %d:%v", (point.Timestamp-start)/1000, point.Value)
		}
		lines = append(lines, line)
	}
	answers["series"] = lines
	nodes := int64(16)
	graph, err := client.SelectMergeStacktraces(ctx, connect.NewRequest(
		&querierv1.SelectMergeStacktracesRequest{
			ProfileTypeID: profileType, LabelSelector: `{service_name="shop"}`,
			Start: start, End: end, MaxNodes: &nodes,
		},
	))
	if err != nil {
		return nil, err
	}
	levels := [][]int64{}
	for _, level := range graph.Msg.Flamegraph.Levels {
		levels = append(levels, level.Values)
	}
	answers["names of bars"] = graph.Msg.Flamegraph.Names
	answers["levels"] = levels
	profile, err := client.SelectMergeProfile(ctx, connect.NewRequest(
		&querierv1.SelectMergeProfileRequest{
			ProfileTypeID: profileType, LabelSelector: "{}", Start: start, End: end,
		},
	))
	if err != nil {
		return nil, err
	}
	total := int64(0)
	for _, sample := range profile.Msg.Sample {
		total += sample.Value[0]
	}
	answers["total"] = total
	_, err = client.SelectSeries(ctx, connect.NewRequest(&querierv1.SelectSeriesRequest{
		ProfileTypeID: "cpu", LabelSelector: "{}", Start: start, End: end, Step: 15,
	}))
	answers["refused"] = connect.CodeOf(err).String()
	return answers, nil
}

func number(text string) int64 {
	value, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		panic(err)
	}
	return value
}
