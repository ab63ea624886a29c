using System;
using System.Globalization;
using System.Linq;
using System.Text;
using System.Text.Json;

namespace KafkaWire.Harness
{
    /// <summary>
    /// The JSON form of each type. A name that is no field is a harness error, a form that a type does not have a protocol
    /// error; a number beyond its type, and null where the type has none, is unrepresentable.
    /// </summary>
    public static class Forms
    {
        private const double Like = 0.6;

        private static readonly UTF8Encoding Strict = new UTF8Encoding(false, true);

        public static bool Bool(JsonElement structure, string field)
        {
            JsonElement form = Field(structure, field);
            bool isBool = form.ValueKind == JsonValueKind.True || form.ValueKind == JsonValueKind.False;
            return isBool ? form.GetBoolean() : throw Wrong(field, form, "true or false");
        }

        /// <summary>Also for int8, int16 and uint16, whose bounds are for the caller to check.</summary>
        public static int Int32(JsonElement structure, string field)
        {
            JsonElement form = Field(structure, field);
            if (form.ValueKind != JsonValueKind.Number)
            {
                throw Wrong(field, form, "a JSON number");
            }

            return form.TryGetInt32(out int number) ? number : throw Beyond(field, form);
        }

        /// <summary>Also for uint32, whose bounds are for the caller to check.</summary>
        public static long Int64(JsonElement structure, string field)
        {
            string digits = Text(structure, field, "decimal text");
            bool fits = long.TryParse(digits, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out long number);
            return fits ? number : throw Beyond(field, Field(structure, field));
        }

        public static void WriteInt64(Utf8JsonWriter writer, string field, long number) =>
            writer.WriteString(field, number.ToString(CultureInfo.InvariantCulture));

        public static double Float64(JsonElement structure, string field)
        {
            string digits = Text(structure, field, "16 hex digits");
            bool fits = ulong.TryParse(digits, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out ulong bits);
            return fits ? BitConverter.Int64BitsToDouble((long)bits) : throw Answer.Protocol(field + ": expected hex");
        }

        public static void WriteFloat64(Utf8JsonWriter writer, string field, double number) => writer.WriteString(
            field, BitConverter.DoubleToInt64Bits(number).ToString("x16", CultureInfo.InvariantCulture));

        /// <summary>A uuid as its 16 bytes, in the order of its digits: a Guid has another.</summary>
        public static byte[] Uuid(JsonElement structure, string field) => Hex.Parse(
            Text(structure, field, "36 characters").Replace("-", string.Empty, StringComparison.Ordinal), field);

        public static void WriteUuid(Utf8JsonWriter writer, string field, byte[] uuid)
        {
            string digits = Hex.Of(uuid);
            writer.WriteString(field, $"{digits[..8]}-{digits[8..12]}-{digits[12..16]}-{digits[16..20]}-{digits[20..]}");
        }

        /// <summary>Bytes and records; null for null.</summary>
        public static byte[]? Bytes(JsonElement structure, string field) =>
            IsNull(structure, field) ? null : Hex.Parse(Text(structure, field, "hex"), field);

        public static void WriteBytes(Utf8JsonWriter writer, string field, byte[]? bytes)
        {
            if (bytes == null)
            {
                writer.WriteNull(field);
            }
            else
            {
                writer.WriteString(field, Hex.Of(bytes));
            }
        }

        /// <summary>A string for a library that takes those of C#; null for null.</summary>
        public static string? String(JsonElement structure, string field)
        {
            JsonElement form = Field(structure, field);
            if (form.ValueKind == JsonValueKind.Object && form.TryGetProperty("utf16", out JsonElement units))
            {
                byte[] bytes = Hex.Parse(units.GetString()!, field);
                var text = new char[bytes.Length / 2];
                for (int at = 0; at < text.Length; at++)
                {
                    text[at] = (char)(bytes[2 * at] << 8 | bytes[(2 * at) + 1]);
                }

                return new string(text);
            }

            if (form.ValueKind == JsonValueKind.Object && form.TryGetProperty("utf8", out _))
            {
                throw Answer.Unrepresentable(field + ": no string holds bytes that are not UTF-8");
            }

            return IsNull(structure, field) ? null : Text(structure, field, "text");
        }

        /// <summary>The bytes of a string in UTF-8; null for null.</summary>
        public static byte[]? StringBytes(JsonElement structure, string field)
        {
            JsonElement form = Field(structure, field);
            if (form.ValueKind == JsonValueKind.Object && form.TryGetProperty("utf8", out JsonElement digits))
            {
                return Hex.Parse(digits.GetString()!, field);
            }

            try
            {
                string? text = String(structure, field);
                return text == null ? null : Strict.GetBytes(text);
            }
            catch (EncoderFallbackException)
            {
                throw Answer.Unrepresentable(field + ": UTF-8 has no unpaired surrogates");
            }
        }

        /// <summary>A string as the library has it, in bytes; what is not UTF-8 is shown in hex.</summary>
        public static void WriteString(Utf8JsonWriter writer, string field, byte[] text)
        {
            try
            {
                writer.WriteString(field, Strict.GetString(text));
            }
            catch (DecoderFallbackException)
            {
                writer.WriteStartObject(field);
                writer.WriteString("utf8", Hex.Of(text));
                writer.WriteEndObject();
            }
        }

        private static bool IsNull(JsonElement structure, string field) =>
            Field(structure, field).ValueKind == JsonValueKind.Null;

        private static string Text(JsonElement structure, string field, string words)
        {
            JsonElement form = Field(structure, field);
            return form.ValueKind == JsonValueKind.String ? form.GetString()! : throw Wrong(field, form, words);
        }

        /// <summary>Without the capability partial-values a request has every field of the version.</summary>
        private static JsonElement Field(JsonElement structure, string field) =>
            structure.TryGetProperty(field, out JsonElement form) ? form : throw Unknown(structure, field);

        private static Answer Unknown(JsonElement structure, string field)
        {
            string[] known = structure.EnumerateObject().Select(member => member.Name).ToArray();
            string? closest = known.Where(name => Likeness(Letters(name), Letters(field)) > Like)
                .OrderByDescending(name => Likeness(Letters(name), Letters(field))).FirstOrDefault();
            string hint = closest == null ? "it has " + string.Join(", ", known) : $"did you mean {closest}?";
            return Answer.HarnessError($"{field}, which is no field of it; {hint}");
        }

        private static string Letters(string name) =>
            name.Replace("_", string.Empty, StringComparison.Ordinal).ToUpperInvariant();

        /// <summary>The share of letters that two names have in common, in order.</summary>
        private static double Likeness(string one, string other)
        {
            var row = new int[other.Length + 1];
            foreach (char letter in one)
            {
                int before = 0;
                for (int index = 0; index < other.Length; index++)
                {
                    int above = row[index + 1];
                    row[index + 1] = letter == other[index] ? before + 1 : Math.Max(above, row[index]);
                    before = above;
                }
            }

            return 2.0 * row[other.Length] / (one.Length + other.Length);
        }

        private static Answer Wrong(string field, JsonElement form, string words) =>
            form.ValueKind == JsonValueKind.Null
                ? Answer.Unrepresentable(field + ": no type here holds null")
                : Answer.Protocol($"{field}: expected {words}, got {form.GetRawText()}");

        private static Answer Beyond(string field, JsonElement form) =>
            Answer.Unrepresentable($"{field}: its type does not hold {form.GetRawText()}");
    }
}
