// Calls the shared library, in C, Rust or Go, that prints its places.
long print_places(void);

int main(void) { return print_places() == 0; }
