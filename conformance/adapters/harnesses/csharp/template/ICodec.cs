using System.Text.Json;

namespace KafkaWire.Harness
{
    /// <summary>One message: JSON to bytes and bytes to JSON, by means of the library.</summary>
    public interface ICodec
    {
        int[] Versions { get; }

        /// <summary>Returns the bytes of a value.</summary>
        byte[] Encode(JsonElement value, int version);

        /// <summary>
        /// Writes every field of the version, and returns how many bytes the library says that it read.
        /// </summary>
        int Decode(byte[] wire, int version, Utf8JsonWriter value);
    }
}
