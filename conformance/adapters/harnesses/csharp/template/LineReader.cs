using System;
using System.IO;

namespace KafkaWire.Harness
{
    /// <summary>Lines of a stream as raw bytes; an output is flushed before the stream is waited for.</summary>
    public sealed class LineReader
    {
        private readonly Stream input;
        private readonly Stream flushed;
        private byte[] buffer;
        private int start;
        private int end;

        public LineReader(Stream input, Stream flushed, int size)
        {
            this.input = input;
            this.flushed = flushed;
            buffer = new byte[size];
        }

        /// <summary>The next line without its line feed; null at the end of the stream.</summary>
        public byte[]? Next()
        {
            int searched = start;
            while (true)
            {
                int at = Array.IndexOf(buffer, (byte)'\n', searched, end - searched);
                if (at >= 0)
                {
                    return Take(at, at + 1);
                }

                int held = end - start;
                if (!Fill())
                {
                    return start == end ? null : Take(end, end);
                }

                searched = start + held;
            }
        }

        private byte[] Take(int lineEnd, int next)
        {
            byte[] line = buffer[start..lineEnd];
            start = next;
            return line;
        }

        private bool Fill()
        {
            flushed.Flush();
            int held = end - start;
            byte[] target = held > buffer.Length / 2 ? new byte[2 * buffer.Length] : buffer;
            Buffer.BlockCopy(buffer, start, target, 0, held);
            buffer = target;
            start = 0;
            end = held;
            int count = input.Read(buffer, end, buffer.Length - end);
            end += count;
            return count > 0;
        }
    }
}
