using System;
using System.Buffers.Binary;
using System.IO;
using System.Text.Json;

namespace KafkaWire.Harness
{
    /// <summary>
    /// YOUR CODEC goes here. HeartbeatRequest of version 0 by hand stands in for it: GroupId (string), GenerationId
    /// (int32) and MemberId (string).
    /// </summary>
    /// <remarks>
    /// Make the library's own objects of the JSON value, and a JSON value of its objects, as Forms does for each type.
    /// Catch what the library throws: Answer.Rejected for the exceptions that it declares, Answer.Unclassified for any
    /// other. What this code throws itself becomes harness-error.
    /// </remarks>
    public sealed class Heartbeat : ICodec
    {
        public int[] Versions { get; } = { 0 };

        public byte[] Encode(JsonElement value, int version)
        {
            byte[]? group = Forms.StringBytes(value, "GroupId");
            int generation = Forms.Int32(value, "GenerationId");
            byte[]? member = Forms.StringBytes(value, "MemberId");
            try
            {
                using var wire = new MemoryStream();
                WriteString(wire, group);
                Span<byte> number = stackalloc byte[sizeof(int)];
                BinaryPrimitives.WriteInt32BigEndian(number, generation);
                wire.Write(number);
                WriteString(wire, member);
                return wire.ToArray();
            }
            catch (Malformed error)
            {
                throw Answer.Rejected(error, error.Reason);
            }
        }

        public int Decode(byte[] wire, int version, Utf8JsonWriter value)
        {
            try
            {
                int at = 0;
                Forms.WriteString(value, "GroupId", ReadString(wire, ref at));
                value.WriteNumber("GenerationId", BinaryPrimitives.ReadInt32BigEndian(Take(wire, ref at, sizeof(int), "truncated")));
                Forms.WriteString(value, "MemberId", ReadString(wire, ref at));
                return at;
            }
            catch (Malformed error)
            {
                throw Answer.Rejected(error, error.Reason);
            }
        }

        private static void WriteString(Stream wire, byte[]? text)
        {
            if (text == null)
            {
                throw new Malformed("the string is null", "null-not-allowed");
            }

            if (text.Length > short.MaxValue)
            {
                throw new Malformed($"the string has {text.Length} bytes", "string-too-long");
            }

            wire.WriteByte((byte)(text.Length >> 8));
            wire.WriteByte((byte)text.Length);
            wire.Write(text);
        }

        private static byte[] ReadString(byte[] wire, ref int at)
        {
            short length = BinaryPrimitives.ReadInt16BigEndian(Take(wire, ref at, sizeof(short), "truncated"));
            if (length < 0)
            {
                throw new Malformed($"a length of {length}", length == -1 ? "null-not-allowed" : "negative-length");
            }

            return Take(wire, ref at, length, "length-exceeds-input").ToArray();
        }

        private static ReadOnlySpan<byte> Take(byte[] wire, ref int at, int size, string reason)
        {
            if (wire.Length - at < size)
            {
                throw new Malformed($"the input ends at byte {wire.Length}", reason);
            }

            at += size;
            return wire.AsSpan(at - size, size);
        }

        /// <summary>The exception that the codec declares.</summary>
        private sealed class Malformed : Exception
        {
            public Malformed(string text, string reason) : base(text) => Reason = reason;

            public string Reason { get; }
        }
    }
}
