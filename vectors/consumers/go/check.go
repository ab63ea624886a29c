package main

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"runtime/metrics"
)

// Outcome is what came of one vector.
type Outcome struct {
	Kind   string // one of the words below
	Detail string // why, for people
}

// Words for outcomes. The last five are findings about the codec.
const (
	passed          = "passed"
	unsupported     = "unsupported"     // the codec has no such message
	unrepresentable = "unrepresentable" // its types cannot hold the value
	accepts         = "accepts"         // of unspecified vectors: nothing is expected, so this is a profile
	rejects         = "rejects"
	notRun          = "not run"

	rejected = "FAIL: valid, rejected"
	differs  = "FAIL: valid, another value"
	miswrote = "FAIL: valid, written otherwise"
	accepted = "FAIL: invalid, accepted"
	survival = "FAIL: crash, hang or much memory"
)

// allowance is how many bytes the codec may allocate for one vector, none of which is longer than a few kilobytes.
const allowance = 64 << 20

// check runs the codec on one vector. A panic of the codec is an outcome; what recover cannot catch (a stack or a heap
// without end) ends the process, which is why main runs this in a child.
func check(vector *Vector) (outcome Outcome) {
	defer func() {
		if panicked := recover(); panicked != nil {
			outcome = Outcome{survival, fmt.Sprint("panic: ", panicked)}
		}
	}()
	wire, err := hex.DecodeString(vector.Wire)
	if err != nil {
		return Outcome{"error", err.Error()}
	}
	decoded, err := newMessage(vector)
	if err != nil {
		return Outcome{unsupported, err.Error()}
	}
	before := allocated()
	failure := decoded.decode(wire)
	if used := allocated() - before; used > allowance {
		return Outcome{survival, fmt.Sprintf("%d MiB allocated for %d bytes", used>>20, len(wire))}
	}
	switch vector.Result {
	case "valid":
		if failure != nil {
			return Outcome{rejected, failure.Error()}
		}
		return checkValid(vector, decoded)
	case "invalid":
		if failure == nil {
			return Outcome{accepted, ""}
		}
		return Outcome{passed, ""}
	default:
		if failure == nil {
			return Outcome{accepts, ""}
		}
		return Outcome{rejects, ""}
	}
}

// checkValid holds a decoded message against the vector's value, and what is written for that value against its bytes.
func checkValid(vector *Vector, decoded *message) Outcome {
	canonical := vector.Canonical
	if canonical == "" {
		canonical = vector.Wire
	}
	wanted, err := hex.DecodeString(canonical)
	if err != nil {
		return Outcome{"error", err.Error()}
	}
	given, _ := newMessage(vector)
	if err := fill(given.fields(), vector.Value, ""); err != nil {
		return Outcome{unrepresentable, err.Error()}
	}
	if path := compare(vector.Value, decoded.fields(), ""); path != "" {
		return Outcome{differs, "at " + path}
	}
	writers := []*message{given, decoded}
	if vector.Given != nil {
		wider, _ := newMessage(vector)
		if err := fill(wider.fields(), vector.Given, ""); err != nil {
			return Outcome{unrepresentable, err.Error()}
		}
		writers = append(writers, wider)
	}
	for _, writer := range writers {
		if written := writer.encode(); !bytes.Equal(written, wanted) {
			return Outcome{miswrote, hex.EncodeToString(written)}
		}
	}
	return Outcome{passed, ""}
}

// allocated is how many bytes the process has allocated since it began, freed ones included.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
