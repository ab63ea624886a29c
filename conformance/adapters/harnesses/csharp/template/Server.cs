using System;
using System.Collections.Generic;
using System.IO;
using System.Text.Json;

namespace KafkaWire.Harness
{
    /// <summary>JSON Lines: one request a line on standard input, one reply a line on standard output, in order.</summary>
    public sealed class Server
    {
        private const int Protocol = 1;
        private const int BufferSize = 1 << 16;

        private readonly string name;
        private readonly string version;
        private readonly IReadOnlyDictionary<string, ICodec> messages;
        private readonly string claims;
        private readonly MemoryStream reply = new MemoryStream();
        private readonly Utf8JsonWriter writer;

        public Server(string name, string version, IReadOnlyDictionary<string, ICodec> messages, string claims)
        {
            this.name = name;
            this.version = version;
            this.messages = messages;
            this.claims = claims;
            writer = new Utf8JsonWriter(reply);
        }

        /// <summary>Answers until the input ends. Replies are held back only while further requests are at hand.</summary>
        public void Serve()
        {
            using Stream input = Console.OpenStandardInput();
            using var output = new BufferedStream(Console.OpenStandardOutput(), BufferSize);
            Console.SetOut(Console.Error); // what a library prints is no reply
            var lines = new LineReader(input, output, BufferSize);
            for (byte[]? line = lines.Next(); line != null; line = lines.Next())
            {
                Answer(line);
                output.Write(reply.GetBuffer(), 0, (int)reply.Length);
                output.WriteByte((byte)'\n');
            }

            output.Flush();
        }

        private void Answer(byte[] line)
        {
            JsonElement id = default;
            try
            {
                Begin(id);
                using JsonDocument document = Parse(line);
                JsonElement request = document.RootElement;
                if (request.ValueKind != JsonValueKind.Object)
                {
                    throw Harness.Answer.Protocol("the line is no JSON object");
                }

                id = request.TryGetProperty("id", out JsonElement number) ? number.Clone() : default;
                Begin(id);
                Perform(request);
            }
            catch (Answer answer)
            {
                Fail(id, answer.Outcome, answer.Message, answer);
            }
            catch (OutOfMemoryException error)
            {
                Fail(id, "exhausted-memory", error.Message);
            }
            catch (Exception error) // this program's own: the library's are caught where it is called
            {
                Fail(id, "harness-error", error.GetType().Name + ": " + error.Message);
            }

            writer.WriteEndObject();
            writer.Flush();
        }

        private static JsonDocument Parse(byte[] line)
        {
            try
            {
                return JsonDocument.Parse(line);
            }
            catch (JsonException error)
            {
                throw Harness.Answer.Protocol("the line is not JSON: " + error.Message);
            }
        }

        /// <summary>Begins the reply anew: what was written of it before an exception is thrown away.</summary>
        private void Begin(JsonElement id)
        {
            writer.Reset();
            reply.SetLength(0);
            writer.WriteStartObject();
            writer.WritePropertyName("id");
            if (id.ValueKind == JsonValueKind.Undefined)
            {
                writer.WriteNullValue();
            }
            else
            {
                id.WriteTo(writer);
            }
        }

        private void Fail(JsonElement id, string outcome, string text, Answer? answer = null)
        {
            Begin(id);
            writer.WriteString("outcome", outcome);
            writer.WriteString("text", text);
            if (answer?.ErrorClass != null)
            {
                writer.WriteString("class", answer.ErrorClass);
            }

            if (answer?.Reason != null)
            {
                writer.WriteString("reason", answer.Reason);
            }

            if (outcome == "protocol-error")
            {
                WriteProtocols();
            }
        }

        private void Perform(JsonElement request)
        {
            string operation = Text(request, "op");
            switch (operation)
            {
                case "hello":
                    Hello(request);
                    break;
                case "encode":
                    Encode(request);
                    break;
                case "decode":
                    Decode(request);
                    break;
                default:
                    throw Harness.Answer.Unsupported("there is no operation " + operation);
            }
        }

        private void Hello(JsonElement request)
        {
            int wanted = Integer(request, "protocol");
            if (wanted != Protocol)
            {
                throw Harness.Answer.Protocol($"this harness speaks version {Protocol} of the protocol, not {wanted}");
            }

            writer.WriteString("outcome", "hello");
            WriteProtocols();
            writer.WriteString("implementation", name);
            writer.WriteString("version", version);
            writer.WriteStartObject("supports");
            foreach (string direction in new[] { "encode", "decode" })
            {
                writer.WriteStartObject(direction);
                foreach (KeyValuePair<string, ICodec> message in messages)
                {
                    WriteNumbers(message.Key, message.Value.Versions);
                }

                writer.WriteEndObject();
            }

            writer.WriteEndObject();
            WriteTexts("operations", "hello", "encode", "decode");
            WriteTexts("capabilities");
            using JsonDocument further = JsonDocument.Parse(claims);
            foreach (JsonProperty claim in further.RootElement.EnumerateObject())
            {
                claim.WriteTo(writer);
            }
        }

        private void Encode(JsonElement request)
        {
            ICodec codec = Codec(request);
            if (!request.TryGetProperty("value", out JsonElement value) || value.ValueKind != JsonValueKind.Object)
            {
                throw Harness.Answer.Protocol("the request has no object \"value\"");
            }

            byte[] wire = codec.Encode(value, Integer(request, "version"));
            writer.WriteString("outcome", "bytes");
            writer.WriteString("wire", Hex.Of(wire));
        }

        private void Decode(JsonElement request)
        {
            ICodec codec = Codec(request);
            byte[] wire = Hex.Parse(Text(request, "wire"), "wire");
            writer.WriteString("outcome", "value");
            writer.WriteStartObject("value");
            int consumed = codec.Decode(wire, Integer(request, "version"), writer);
            writer.WriteEndObject();
            writer.WriteNumber("consumed", consumed);
        }

        private ICodec Codec(JsonElement request)
        {
            string message = Text(request, "message");
            int wanted = Integer(request, "version");
            if (!messages.TryGetValue(message, out ICodec? codec) || Array.IndexOf(codec.Versions, wanted) < 0)
            {
                throw Harness.Answer.Unsupported($"there is no {message} of version {wanted}");
            }

            return codec;
        }

        private void WriteProtocols() => WriteNumbers("protocols", Protocol);

        private void WriteNumbers(string key, params int[] numbers)
        {
            writer.WriteStartArray(key);
            foreach (int number in numbers)
            {
                writer.WriteNumberValue(number);
            }

            writer.WriteEndArray();
        }

        private void WriteTexts(string key, params string[] texts)
        {
            writer.WriteStartArray(key);
            foreach (string text in texts)
            {
                writer.WriteStringValue(text);
            }

            writer.WriteEndArray();
        }

        private static string Text(JsonElement request, string key)
        {
            if (!request.TryGetProperty(key, out JsonElement text) || text.ValueKind != JsonValueKind.String)
            {
                throw Harness.Answer.Protocol($"the request has no text \"{key}\"");
            }

            return text.GetString()!;
        }

        private static int Integer(JsonElement request, string key)
        {
            if (!request.TryGetProperty(key, out JsonElement number) || number.ValueKind != JsonValueKind.Number
                || !number.TryGetInt32(out int integer))
            {
                throw Harness.Answer.Protocol($"the request has no integer \"{key}\"");
            }

            return integer;
        }
    }
}
