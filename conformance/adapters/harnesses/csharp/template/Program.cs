using System.Collections.Generic;

namespace KafkaWire.Harness
{
    /// <summary>The harness: the library's name and version, for reports, and its messages.</summary>
    public static class Program
    {
        public static void Main()
        {
            // YOUR CODEC: its name, its version, and one entry for each message.
            var messages = new Dictionary<string, ICodec> { ["HeartbeatRequest"] = new Heartbeat() };

            // Further words of hello, as {"limits": {"tags": 64}}; also hidden, notes, representations.
            const string claims = "{}";
            new Server("example", "1.0", messages, claims).Serve();
        }
    }
}
