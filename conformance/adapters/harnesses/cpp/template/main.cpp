// The harness: the library's name and version, for reports, and its messages.
#include "bridge.hpp"
#include "heartbeat.hpp"

int main() {
    bridge::Library library;
    library.name = "example"; // YOUR CODEC: its name, its version, and one entry for each message
    library.version = "1.0";
    library.messages["HeartbeatRequest"] = heartbeat::codec();
    library.claims = {}; // further words of hello, as {{"limits", json::Object{{"tags", 64}}}}; also hidden, notes, representations
    bridge::Server(library).serve();
}
