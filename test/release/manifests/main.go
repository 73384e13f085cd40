// Reads Kubernetes manifests from stdin strictly with the types of its API: no field is unknown or
// repeated. Prints the kind and name of each, or fails.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	monitoring "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/kubernetes/scheme"
)

func main() {
	if err := read(os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func read(input io.Reader) error {
	if err := monitoring.AddToScheme(scheme.Scheme); err != nil {
		return err
	}
	codecs := serializer.NewCodecFactory(scheme.Scheme, serializer.EnableStrict)
	documents := utilyaml.NewYAMLReader(bufio.NewReader(input))
	for {
		document, err := documents.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		object, kind, err := codecs.UniversalDeserializer().Decode(document, nil, nil)
		if err != nil {
			return fmt.Errorf("%w in:\n%s", err, document)
		}
		name, err := meta.NewAccessor().Name(object)
		if err != nil {
			return err
		}
		fmt.Println(kind.Kind, name)
	}
}
