// YOUR CODEC goes here. HeartbeatRequest of version 0 by hand stands in for it: GroupId (string), GenerationId (int32)
// and MemberId (string).
//
// Make the library's own objects of the JSON value, and a JSON value of its objects, as forms.hpp does for each type.
// Catch what the library throws: bridge::rejected for the errors that it declares, bridge::unclassified for any other.
// What this code throws itself becomes harness-error.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include "bridge.hpp"
#include "forms.hpp"

namespace heartbeat {

using bridge::Bytes;

// The error that the codec declares.
struct Malformed : std::runtime_error {
    std::string reason;
    Malformed(const std::string& text, std::string reason_) : std::runtime_error(text), reason(std::move(reason_)) {}
};

inline void put(Bytes& out, std::uint32_t number, int size) {
    for (int shift = 8 * (size - 1); shift >= 0; shift -= 8) out += static_cast<char>(number >> shift & 0xff);
}

inline void put_string(Bytes& out, const std::optional<std::string>& text) {
    if (!text) throw Malformed("the string is null", "null-not-allowed");
    if (text->size() > 32767) throw Malformed("the string has " + std::to_string(text->size()) + " bytes", "string-too-long");
    put(out, static_cast<std::uint32_t>(text->size()), 2);
    out += *text;
}

class Reader {
public:
    explicit Reader(const Bytes& wire) : wire_(wire) {}

    std::int32_t int32() { return static_cast<std::int32_t>(take(4)); }

    std::string string() {
        const auto length = static_cast<std::int16_t>(take(2));
        if (length == -1) throw Malformed("the string is null", "null-not-allowed");
        if (length < 0) throw Malformed("a length of " + std::to_string(length), "negative-length");
        need(static_cast<std::size_t>(length), "length-exceeds-input");
        at_ += static_cast<std::size_t>(length);
        return wire_.substr(at_ - static_cast<std::size_t>(length), static_cast<std::size_t>(length));
    }

    std::size_t consumed() const { return at_; }

private:
    void need(std::size_t size, const char* reason) const {
        if (wire_.size() - at_ < size) throw Malformed("the input ends at byte " + std::to_string(wire_.size()), reason);
    }

    std::uint32_t take(std::size_t size) {
        need(size, "truncated");
        std::uint32_t number = 0;
        for (std::size_t end = at_ + size; at_ < end; ++at_) number = number << 8 | static_cast<unsigned char>(wire_[at_]);
        return number;
    }

    const Bytes& wire_;
    std::size_t at_ = 0;
};

inline Bytes encode(const json::Value& value, int) {
    const auto group = forms::string(value, "GroupId"), member = forms::string(value, "MemberId");
    const auto generation = forms::integer<std::int32_t>(value, "GenerationId");
    try {
        Bytes out;
        put_string(out, group);
        put(out, static_cast<std::uint32_t>(generation), 4);
        put_string(out, member);
        return out;
    } catch (const Malformed& error) {
        throw bridge::rejected("Malformed", error.what(), error.reason);
    }
}

inline std::int64_t decode(const Bytes& wire, int, json::Object& value) {
    Reader reader(wire);
    try {
        const std::string group = reader.string();
        const std::int32_t generation = reader.int32();
        const std::string member = reader.string();
        value = {{"GroupId", forms::show_string(group)}, {"GenerationId", generation}, {"MemberId", forms::show_string(member)}};
    } catch (const Malformed& error) {
        throw bridge::rejected("Malformed", error.what(), error.reason);
    }
    return static_cast<std::int64_t>(reader.consumed());
}

inline bridge::Codec codec() { return {{0}, encode, decode}; }

} // namespace heartbeat
