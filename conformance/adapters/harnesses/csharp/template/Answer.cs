using System;

namespace KafkaWire.Harness
{
    /// <summary>A request that is answered with another outcome than bytes or a value.</summary>
    public sealed class Answer : Exception
    {
        private Answer(string outcome, string text, string? errorClass = null, string? reason = null) : base(text)
        {
            Outcome = outcome;
            ErrorClass = errorClass;
            Reason = reason;
        }

        public string Outcome { get; }

        public string? ErrorClass { get; }

        /// <summary>Why the library refused, if that is known: one of those in the bridge's README.</summary>
        public string? Reason { get; }

        /// <summary>The library refused, by an exception that it declares.</summary>
        public static Answer Rejected(Exception error, string? reason = null) =>
            new Answer("rejected", error.Message, error.GetType().Name, reason);

        /// <summary>It refused by an exception that it does not declare for that, as an IndexOutOfRangeException.</summary>
        public static Answer Unclassified(Exception error) =>
            new Answer("rejected-unclassified", error.Message, error.GetType().Name);

        /// <summary>This program's own code is at a loss: never a finding.</summary>
        public static Answer HarnessError(string text) => new Answer("harness-error", text);

        /// <summary>The library's types cannot hold the value.</summary>
        public static Answer Unrepresentable(string text) => new Answer("unrepresentable", text);

        /// <summary>The library does not have it.</summary>
        public static Answer Unsupported(string text) => new Answer("unsupported", text);

        /// <summary>The request, or the form of a value in it, is not of the protocol.</summary>
        public static Answer Protocol(string text) => new Answer("protocol-error", text);
    }
}
