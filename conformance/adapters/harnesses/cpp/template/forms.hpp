// The JSON form of each type. A name that is no field is a harness error, a form that a type does not have a protocol error;
// a number beyond its type, and null where the C++ type has none, is unrepresentable.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "bridge.hpp"

namespace forms {

using bridge::Bytes;

// A name without case and underscores.
inline std::string letters(const std::string& name) {
    std::string letters;
    for (const char letter : name)
        if (letter != '_') letters += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return letters;
}

// The share of letters that two names have in common, in order.
inline double likeness(const std::string& one, const std::string& other) {
    std::vector<int> row(other.size() + 1);
    for (const char letter : one) {
        int before = 0;
        for (std::size_t index = 0; index < other.size(); ++index) {
            const int above = row[index + 1];
            row[index + 1] = letter == other[index] ? before + 1 : std::max(above, row[index]);
            before = above;
        }
    }
    return 2.0 * row.back() / static_cast<double>(one.size() + other.size());
}

inline bridge::Answer unknown(const json::Value& structure, const std::string& name) {
    std::string all, closest;
    double most = 0.6;
    for (const auto& [known, form] : structure.object() ? *structure.object() : json::Object{}) {
        const double share = likeness(letters(name), letters(known));
        if (share > most) most = share, closest = known;
        all += (all.empty() ? "it has " : ", ") + known;
    }
    return bridge::harness_error(name + ", which is no field of it; " + (closest.empty() ? all : "did you mean " + closest + "?"));
}

// Without the capability partial-values a request has every field of the version.
inline const json::Value& field(const json::Value& structure, const std::string& name) {
    const json::Value* form = structure.find(name);
    if (!form) throw unknown(structure, name);
    return *form;
}

inline bridge::Answer wrong(const std::string& name, const json::Value& form, const std::string& words) {
    if (form.is_null()) return bridge::unrepresentable(name + ": no type here holds null");
    return bridge::protocol_error(name + ": expected " + words);
}

inline bool boolean(const json::Value& structure, const std::string& name) {
    const json::Value& form = field(structure, name);
    if (!form.boolean()) throw wrong(name, form, "true or false");
    return *form.boolean();
}

inline std::int64_t number(const std::string& digits, const std::string& name) {
    try {
        return std::stoll(digits);
    } catch (const std::out_of_range&) {
        throw bridge::unrepresentable(name + ": no int64 holds " + digits);
    }
}

// int8, int16, int32 and uint16: a JSON number.
template <typename Integer>
Integer integer(const json::Value& structure, const std::string& name) {
    const json::Value& form = field(structure, name);
    if (!form.integer()) throw wrong(name, form, "a JSON number");
    const std::int64_t value = number(*form.integer(), name);
    if (value != static_cast<Integer>(value)) throw bridge::unrepresentable(name + ": its type does not hold " + *form.integer());
    return static_cast<Integer>(value);
}

// int64 and uint32: decimal text.
template <typename Integer>
Integer decimal(const json::Value& structure, const std::string& name) {
    const json::Value& form = field(structure, name);
    if (!form.text() || form.text()->empty() || form.text()->find_first_not_of("-0123456789") != std::string::npos)
        throw wrong(name, form, "decimal text");
    const std::int64_t value = number(*form.text(), name);
    if (value != static_cast<Integer>(value)) throw bridge::unrepresentable(name + ": its type does not hold " + *form.text());
    return static_cast<Integer>(value);
}

inline json::Value show_decimal(std::int64_t value) { return std::to_string(value); }

// float64: its bits as 16 hex digits.
inline double float64(const json::Value& structure, const std::string& name) {
    const json::Value& form = field(structure, name);
    if (!form.text() || form.text()->size() != 16) throw wrong(name, form, "16 hex digits");
    const Bytes bytes = bridge::from_hex(*form.text(), name);
    std::uint64_t bits = 0;
    for (const unsigned char byte : bytes) bits = bits << 8 | byte;
    double value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

inline json::Value show_float64(double value) {
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    Bytes bytes;
    for (int shift = 56; shift >= 0; shift -= 8) bytes += static_cast<char>(bits >> shift & 0xff);
    return bridge::to_hex(bytes);
}

// Bytes and records: hex; nothing for null.
inline std::optional<Bytes> bytes(const json::Value& structure, const std::string& name) {
    const json::Value& form = field(structure, name);
    if (form.is_null()) return std::nullopt;
    if (!form.text()) throw wrong(name, form, "hex");
    return bridge::from_hex(*form.text(), name);
}

inline json::Value show_bytes(const std::optional<Bytes>& value) {
    return value ? json::Value(bridge::to_hex(*value)) : json::Value(nullptr);
}

// A uuid as its 16 bytes: 36 characters.
inline Bytes uuid(const json::Value& structure, const std::string& name) {
    const json::Value& form = field(structure, name);
    if (!form.text() || form.text()->size() != 36) throw wrong(name, form, "36 characters");
    std::string digits;
    for (const char letter : *form.text())
        if (letter != '-') digits += letter;
    return bridge::from_hex(digits, name);
}

inline json::Value show_uuid(const Bytes& value) {
    std::string digits = bridge::to_hex(value);
    for (const std::size_t at : {8, 13, 18, 23}) digits.insert(at, "-");
    return digits;
}

// A string in UTF-8, or any bytes; nothing for null. No std::string holds UTF-16 that has no UTF-8.
inline std::optional<std::string> string(const json::Value& structure, const std::string& name) {
    const json::Value& form = field(structure, name);
    if (form.is_null()) return std::nullopt;
    if (form.text()) return *form.text();
    const json::Value* utf8 = form.find("utf8");
    if (utf8 && utf8->text()) return bridge::from_hex(*utf8->text(), name);
    if (form.find("utf16")) throw bridge::unrepresentable(name + ": UTF-8 has no unpaired surrogates");
    throw wrong(name, form, "text");
}

inline bool is_utf8(const std::string& text) {
    for (std::size_t at = 0; at < text.size();) {
        const auto byte = [&](std::size_t index) { return static_cast<unsigned char>(text[index]); };
        const unsigned char first = byte(at);
        const std::size_t length = first < 0x80 ? 1 : first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3
            : first >= 0xf0 && first < 0xf5 ? 4 : 0;
        if (length == 0 || at + length > text.size()) return false;
        for (std::size_t index = at + 1; index < at + length; ++index)
            if ((byte(index) & 0xc0) != 0x80) return false;
        if ((first == 0xe0 && byte(at + 1) < 0xa0) || (first == 0xed && byte(at + 1) > 0x9f)) return false;
        if ((first == 0xf0 && byte(at + 1) < 0x90) || (first == 0xf4 && byte(at + 1) > 0x8f)) return false;
        at += length;
    }
    return true;
}

// What is not UTF-8 is shown in hex.
inline json::Value show_string(const std::optional<std::string>& text) {
    if (!text) return nullptr;
    if (is_utf8(*text)) return *text;
    return json::Object{{"utf8", bridge::to_hex(*text)}};
}

} // namespace forms
