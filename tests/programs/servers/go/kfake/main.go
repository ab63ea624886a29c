// Kfake is franz-go's fake cluster, of one broker, as a program: it writes its address into a file, and ends with its
// standard input.
package main

import (
	"flag"
	"fmt"
	"io"
	"net"
	"os"

	"github.com/twmb/franz-go/pkg/kfake"
)

func main() {
	port := flag.Int("port", 0, "where it listens on 127.0.0.1; 0 for a free port")
	file := flag.String("address", "address", "the file for its address")
	advertise := flag.String("advertise", "", "host:port that it tells its clients")
	user := flag.String("user", "", "the user that may authenticate; nobody needs to without")
	password := flag.String("password", "", "the user's password")
	flag.Parse()
	if err := serve(*port, *file, *advertise, *user, *password); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve(port int, file, advertise, user, password string) error {
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return err
	}
	address := listener.Addr().String()
	options := []kfake.Opt{
		kfake.NumBrokers(1),
		kfake.ListenFn(func(string, string) (net.Listener, error) { return advertised(listener, advertise) }),
	}
	if user != "" {
		options = append(options, kfake.EnableSASL())
		for _, mechanism := range []string{"PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"} {
			options = append(options, kfake.Superuser(mechanism, user, password))
		}
	}
	cluster, err := kfake.NewCluster(options...)
	if err != nil {
		return err
	}
	defer cluster.Close()
	if err := writeWhole(file, address); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

// writeWhole lets the file appear with its content.
func writeWhole(file, content string) error {
	if err := os.WriteFile(file+".new", []byte(content), 0o600); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}

// elsewhere says of a listener that it listens at another address, which kfake tells its clients.
type elsewhere struct {
	net.Listener
	address net.Addr
}

func (listener elsewhere) Addr() net.Addr { return listener.address }

func advertised(listener net.Listener, address string) (net.Listener, error) {
	if address == "" {
		return listener, nil
	}
	resolved, err := net.ResolveTCPAddr("tcp", address)
	if err != nil {
		return nil, err
	}
	return elsewhere{listener, resolved}, nil
}
