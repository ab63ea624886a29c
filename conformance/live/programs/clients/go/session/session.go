// Package session is what the clients of this module share: the address, a name, and the deadline.
package session

import (
	"crypto/rand"
	"fmt"
	"os"
	"time"
)

// Records is the number of records that each client writes before it reads them.
const Records = 23

// Seconds is how long each step may take.
const Seconds = 10 * time.Second

// Bootstrap is the address of a broker.
func Bootstrap() string {
	address := os.Getenv("KAFKA_BOOTSTRAP")
	if address == "" {
		fail("KAFKA_BOOTSTRAP is not set")
	}
	return address
}

// Name is one of a topic, a group and a transaction that nobody else has.
func Name(library string) string {
	return fmt.Sprintf("conformance-%s-%s", library, rand.Text()[:8])
}

// Run runs a client, and ends the process: with the status 1 if it fails, with 124 if it takes 30 s.
func Run(client func() error) {
	time.AfterFunc(30*time.Second, func() {
		fmt.Fprintln(os.Stderr, "the client has taken 30 s")
		os.Exit(124)
	})
	if err := client(); err != nil {
		fail(err.Error())
	}
}

func fail(text string) {
	fmt.Fprintln(os.Stderr, text)
	os.Exit(1)
}
