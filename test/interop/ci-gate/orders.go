// Package orders sums up orders by customer; test/interop/ci-gate.test.ts makes its benchmark
// slower.
package orders

import (
	"encoding/json"
	"sort"
)

// repeats is the number of times that Serve does its work; with 20, each takes a twentieth of the
// time.
const repeats = 20

// Order is one order of a customer.
type Order struct {
	Customer string `json:"customer"`
	Cents    int    `json:"cents"`
}

// Serve answers the same request several times.
func Serve(request []byte) (names []string, err error) {
	for i := 0; i < repeats && err == nil; i++ {
		names, err = Customers(request)
	}
	return names, err
}

// Customers returns the names of the customers who spent something, largest amount first.
func Customers(request []byte) ([]string, error) {
	var orders []Order
	if err := json.Unmarshal(request, &orders); err != nil {
		return nil, err
	}
	totals := map[string]int{}
	for _, order := range orders {
		totals[order.Customer] += order.Cents
	}
	names := make([]string, 0, len(totals))
	for name := range totals {
		names = append(names, name)
	}
	sort.Slice(names, func(i, j int) bool { return totals[names[i]] > totals[names[j]] })
	return names, nil
}
