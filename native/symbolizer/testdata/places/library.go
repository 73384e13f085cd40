// The entry of the shared library.
package main

import "C"

//export print_places
func print_places() int64 {
	printPlaces()
	return 1
}
