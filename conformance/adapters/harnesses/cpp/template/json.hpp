// JSON as the bridge needs it: values, a parser that checks its input, and a writer. Strings are UTF-8.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace json {

struct Value;
using Array = std::vector<Value>;
using Object = std::vector<std::pair<std::string, Value>>; // in the order in which keys are set

// A line that is not JSON.
struct ParseError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Value {
    // A number keeps its digits: none is rounded.
    struct Number {
        std::string digits;
    };

    std::variant<std::nullptr_t, bool, Number, std::string, std::shared_ptr<Array>, std::shared_ptr<Object>> content = nullptr;

    Value() = default;
    Value(std::nullptr_t) {}
    Value(bool flag) : content(flag) {}
    Value(int number) : content(Number{std::to_string(number)}) {}
    Value(std::int64_t number) : content(Number{std::to_string(number)}) {}
    Value(const char* text) : content(std::string(text)) {}
    Value(std::string text) : content(std::move(text)) {}
    Value(Number number) : content(std::move(number)) {}
    Value(Array items) : content(std::make_shared<Array>(std::move(items))) {}
    Value(Object members) : content(std::make_shared<Object>(std::move(members))) {}

    bool is_null() const { return std::holds_alternative<std::nullptr_t>(content); }
    const bool* boolean() const { return std::get_if<bool>(&content); }
    const std::string* text() const { return std::get_if<std::string>(&content); }
    const Array* array() const {
        const auto* items = std::get_if<std::shared_ptr<Array>>(&content);
        return items ? items->get() : nullptr;
    }
    const Object* object() const {
        const auto* members = std::get_if<std::shared_ptr<Object>>(&content);
        return members ? members->get() : nullptr;
    }

    // The digits of a number without fraction; null if it is something else.
    const std::string* integer() const {
        const auto* number = std::get_if<Number>(&content);
        return number && number->digits.find_first_of(".eE") == std::string::npos ? &number->digits : nullptr;
    }

    // The member of an object; null if it is none, or has no such member.
    const Value* find(const std::string& name) const {
        if (const Object* members = object())
            for (const auto& [key, value] : *members)
                if (key == name) return &value;
        return nullptr;
    }
};

class Parser {
public:
    explicit Parser(const std::string& text) : text_(text) {}

    Value document() {
        Value value = parse(0);
        blanks();
        if (at_ != text_.size()) fail("more after the value");
        return value;
    }

private:
    static constexpr int deepest = 200;

    [[noreturn]] void fail(const std::string& problem) const {
        throw ParseError(problem + " at character " + std::to_string(at_));
    }

    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

    void blanks() {
        while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r') ++at_;
    }

    bool take(char wanted) {
        blanks();
        if (peek() != wanted || at_ == text_.size()) return false;
        ++at_;
        return true;
    }

    Value parse(int depth) {
        blanks();
        if (depth > deepest) fail("nested too deeply");
        switch (peek()) {
            case '{': return object(depth);
            case '[': return array(depth);
            case '"': return string();
            case 't': return word("true", true);
            case 'f': return word("false", false);
            case 'n': return word("null", nullptr);
            default: return number();
        }
    }

    Value word(const std::string& letters, Value value) {
        if (text_.compare(at_, letters.size(), letters) != 0) fail("no JSON value");
        at_ += letters.size();
        return value;
    }

    Value object(int depth) {
        Object members;
        ++at_;
        if (take('}')) return members;
        do {
            blanks();
            if (peek() != '"') fail("expected a key");
            std::string key = string();
            if (!take(':')) fail("expected :");
            members.emplace_back(std::move(key), parse(depth + 1));
        } while (take(','));
        if (!take('}')) fail("expected }");
        return members;
    }

    Value array(int depth) {
        Array items;
        ++at_;
        if (take(']')) return items;
        do {
            items.push_back(parse(depth + 1));
        } while (take(','));
        if (!take(']')) fail("expected ]");
        return items;
    }

    Value number() {
        const std::size_t start = at_;
        if (peek() == '-') ++at_;
        if (peek() < '0' || peek() > '9') fail("no JSON value");
        while (at_ < text_.size() && std::string("0123456789+-.eE").find(text_[at_]) != std::string::npos) ++at_;
        return Value::Number{text_.substr(start, at_ - start)};
    }

    std::string string() {
        std::string value;
        ++at_;
        while (true) {
            if (at_ >= text_.size()) fail("a string that does not end");
            const char next = text_[at_++];
            if (next == '"') return value;
            if (next == '\\')
                escape(value);
            else
                value += next;
        }
    }

    void escape(std::string& value) {
        const char letter = peek();
        ++at_;
        switch (letter) {
            case '"': case '\\': case '/': value += letter; break;
            case 'b': value += '\b'; break;
            case 'f': value += '\f'; break;
            case 'n': value += '\n'; break;
            case 'r': value += '\r'; break;
            case 't': value += '\t'; break;
            case 'u': append(value, code_point()); break;
            default: fail("no escape");
        }
    }

    std::uint32_t unit() {
        if (at_ + 4 > text_.size()) fail("no escape");
        const std::string digits = text_.substr(at_, 4);
        if (digits.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos) fail("no escape");
        at_ += 4;
        return static_cast<std::uint32_t>(std::stoul(digits, nullptr, 16));
    }

    std::uint32_t code_point() {
        const std::uint32_t first = unit();
        if (first < 0xd800 || first > 0xdfff) return first;
        if (first > 0xdbff || text_.compare(at_, 2, "\\u") != 0) fail("an unpaired surrogate");
        at_ += 2;
        const std::uint32_t second = unit();
        if (second < 0xdc00 || second > 0xdfff) fail("an unpaired surrogate");
        return 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
    }

    static void append(std::string& value, std::uint32_t point) {
        if (point < 0x80) {
            value += static_cast<char>(point);
        } else if (point < 0x800) {
            value += static_cast<char>(0xc0 | point >> 6);
            value += static_cast<char>(0x80 | (point & 0x3f));
        } else if (point < 0x10000) {
            value += static_cast<char>(0xe0 | point >> 12);
            value += static_cast<char>(0x80 | (point >> 6 & 0x3f));
            value += static_cast<char>(0x80 | (point & 0x3f));
        } else {
            value += static_cast<char>(0xf0 | point >> 18);
            value += static_cast<char>(0x80 | (point >> 12 & 0x3f));
            value += static_cast<char>(0x80 | (point >> 6 & 0x3f));
            value += static_cast<char>(0x80 | (point & 0x3f));
        }
    }

    const std::string& text_;
    std::size_t at_ = 0;
};

inline void write(std::string& out, const std::string& text) {
    out += '"';
    for (const char letter : text) {
        if (letter == '"' || letter == '\\') {
            out += '\\';
            out += letter;
        } else if (static_cast<unsigned char>(letter) < 0x20) {
            char escape[8];
            std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(letter));
            out += escape;
        } else {
            out += letter;
        }
    }
    out += '"';
}

inline void write(std::string& out, const Value& value) {
    if (value.is_null()) {
        out += "null";
    } else if (const bool* flag = value.boolean()) {
        out += *flag ? "true" : "false";
    } else if (const auto* number = std::get_if<Value::Number>(&value.content)) {
        out += number->digits;
    } else if (const std::string* text = value.text()) {
        write(out, *text);
    } else if (const Array* items = value.array()) {
        out += '[';
        for (std::size_t index = 0; index < items->size(); ++index) {
            if (index) out += ", ";
            write(out, (*items)[index]);
        }
        out += ']';
    } else {
        const Object& members = *value.object();
        out += '{';
        for (std::size_t index = 0; index < members.size(); ++index) {
            if (index) out += ", ";
            write(out, members[index].first);
            out += ": ";
            write(out, members[index].second);
        }
        out += '}';
    }
}

} // namespace json
