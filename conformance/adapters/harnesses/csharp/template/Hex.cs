using System;

namespace KafkaWire.Harness
{
    /// <summary>Bytes as lower-case hex.</summary>
    public static class Hex
    {
        private const string Digits = "0123456789abcdef";

        public static string Of(byte[] bytes) => string.Create(2 * bytes.Length, bytes, (text, source) =>
        {
            for (int at = 0; at < source.Length; at++)
            {
                text[2 * at] = Digits[source[at] >> 4];
                text[(2 * at) + 1] = Digits[source[at] & 15];
            }
        });

        public static byte[] Parse(string hex, string name)
        {
            var bytes = new byte[hex.Length / 2];
            for (int at = 0; at < bytes.Length; at++)
            {
                bytes[at] = (byte)(Digit(hex[2 * at], name) << 4 | Digit(hex[(2 * at) + 1], name));
            }

            return hex.Length % 2 == 0 ? bytes : throw Answer.Protocol(name + " is not hex: an odd number of digits");
        }

        private static int Digit(char letter, string name)
        {
            int digit = Digits.IndexOf(letter, StringComparison.Ordinal);
            return digit >= 0 ? digit : throw Answer.Protocol(name + " is not hex in lower case");
        }
    }
}
