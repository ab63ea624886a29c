// Package session is what the clients of this module share: the address, a name, and the deadline.
package session

import (
	"context"
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

// Run runs a client, and ends the process: with the status 1 if it fails, with 124 if it takes too long.
func Run(client func() error) {
	limit := limit()
	time.AfterFunc(limit, func() {
		fmt.Fprintf(os.Stderr, "the client has taken %v\n", limit)
		os.Exit(124)
	})
	if err := client(); err != nil {
		fail(err.Error())
	}
}

// limit is what a client takes at most: 30 s, or the seconds in CLIENT_SECONDS.
func limit() time.Duration {
	seconds, err := time.ParseDuration(os.Getenv("CLIENT_SECONDS") + "s")
	if err != nil {
		return 30 * time.Second
	}
	return seconds
}

// Steps runs parts of a client one after another up to the first that fails, each for Seconds at most.
func Steps(steps ...func(context.Context) error) error {
	for _, step := range steps {
		ctx, cancel := context.WithTimeout(context.Background(), Seconds)
		err := step(ctx)
		cancel()
		if err != nil {
			return err
		}
	}
	return nil
}

func fail(text string) {
	fmt.Fprintln(os.Stderr, text)
	os.Exit(1)
}
