// The bridge: lines, hello and outcomes. It knows no library; heartbeat.hpp has the place for one.
#pragma once

#include <exception>
#include <functional>
#include <iostream>
#include <map>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

#include "json.hpp"

namespace bridge {

using Bytes = std::string; // as wire: every char is one byte

// A request that is answered with another outcome than bytes or a value.
struct Answer : std::runtime_error {
    std::string outcome, error_class, reason;
    Answer(std::string outcome_, const std::string& text, std::string class_ = "", std::string reason_ = "")
        : std::runtime_error(text), outcome(std::move(outcome_)), error_class(std::move(class_)), reason(std::move(reason_)) {}
};

// The request, or the form of a value in it, is not of the protocol.
inline Answer protocol_error(const std::string& text) { return Answer("protocol-error", text); }
// This program's own code is at a loss: never a finding.
inline Answer harness_error(const std::string& text) { return Answer("harness-error", text); }
// The library does not have it.
inline Answer unsupported(const std::string& text) { return Answer("unsupported", text); }
// The library's types cannot hold the value.
inline Answer unrepresentable(const std::string& text) { return Answer("unrepresentable", text); }
// The library refused. `reason`, if it is known, is one of those in the bridge's README.
inline Answer rejected(const std::string& error_class, const std::string& text, const std::string& reason = "") {
    return Answer("rejected", text, error_class, reason);
}
// It refused by an error that it does not declare for that, as std::out_of_range.
inline Answer unclassified(const std::string& error_class, const std::string& text) {
    return Answer("rejected-unclassified", text, error_class);
}

// One message: JSON to bytes and bytes to JSON, by means of the library.
struct Codec {
    std::vector<int> versions;
    std::function<Bytes(const json::Value& value, int version)> encode;
    // Sets every field of the version, and returns how many bytes the library says that it read.
    std::function<std::int64_t(const Bytes& wire, int version, json::Object& value)> decode;
};

struct Library {
    std::string name, version;
    std::map<std::string, Codec> messages;
    json::Object claims; // further words of hello: limits, hidden, notes, representations
};

inline std::string to_hex(const Bytes& bytes) {
    static const char digits[] = "0123456789abcdef";
    std::string hex;
    hex.reserve(2 * bytes.size());
    for (const unsigned char byte : bytes) {
        hex += digits[byte >> 4];
        hex += digits[byte & 15];
    }
    return hex;
}

inline Bytes from_hex(const std::string& hex, const std::string& name) {
    if (hex.size() % 2 || hex.find_first_not_of("0123456789abcdef") != std::string::npos)
        throw protocol_error(name + " is not hex in lower case");
    const auto digit = [](char letter) { return letter <= '9' ? letter - '0' : letter - 'a' + 10; };
    Bytes bytes;
    bytes.reserve(hex.size() / 2);
    for (std::size_t at = 0; at < hex.size(); at += 2) bytes += static_cast<char>(digit(hex[at]) << 4 | digit(hex[at + 1]));
    return bytes;
}

class Server {
public:
    explicit Server(Library library) : library_(std::move(library)) {}

    // Answers until the input ends. Replies are held back only while further requests are at hand.
    void serve() {
        const int replies = dup(STDOUT_FILENO);
        dup2(STDERR_FILENO, STDOUT_FILENO); // what a library prints is no reply
        std::string input, output;
        char buffer[1 << 16];
        std::size_t start = 0;
        while (true) {
            std::size_t end;
            while ((end = input.find('\n', searched_)) != std::string::npos) {
                output += answer(input.substr(start, end - start)) + "\n";
                searched_ = start = end + 1;
                if (output.size() > sizeof buffer) flush(replies, output);
            }
            input.erase(0, start);
            start = 0;
            searched_ = input.size();
            flush(replies, output);
            const ssize_t count = read(STDIN_FILENO, buffer, sizeof buffer);
            if (count <= 0) break;
            input.append(buffer, static_cast<std::size_t>(count));
        }
        if (!input.empty()) output += answer(input) + "\n";
        flush(replies, output);
    }

private:
    static void flush(int replies, std::string& output) {
        for (std::size_t at = 0; at < output.size();) {
            const ssize_t count = write(replies, output.data() + at, output.size() - at);
            if (count < 0) return; // nobody reads any more
            at += static_cast<std::size_t>(count);
        }
        output.clear();
    }

    std::string answer(const std::string& line) {
        json::Value id;
        json::Object reply;
        try {
            const json::Value request = json::Parser(line).document();
            if (!request.object()) throw protocol_error("the line is no JSON object");
            if (const json::Value* number = request.find("id")) id = *number;
            reply = perform(request);
        } catch (const json::ParseError& error) {
            reply = failure("protocol-error", std::string("the line is not JSON: ") + error.what());
        } catch (const Answer& answer) {
            reply = failure(answer.outcome, answer.what());
            if (!answer.error_class.empty()) reply.emplace_back("class", answer.error_class);
            if (!answer.reason.empty()) reply.emplace_back("reason", answer.reason);
        } catch (const std::bad_alloc&) {
            reply = failure("exhausted-memory", "std::bad_alloc");
        } catch (const std::exception& error) { // this program's own: the library's are caught where it is called
            reply = failure("harness-error", error.what());
        } catch (...) {
            reply = failure("harness-error", "something that is no std::exception");
        }
        if (refused_protocol_) reply.emplace_back("protocols", json::Array{protocol});
        refused_protocol_ = false;
        reply.insert(reply.begin(), {"id", id});
        std::string text;
        json::write(text, reply);
        return text;
    }

    static json::Object failure(const std::string& outcome, const std::string& text) {
        return {{"outcome", outcome}, {"text", printable(text)}};
    }

    // A reply is UTF-8, whatever bytes are in the text of an error.
    static std::string printable(std::string text) {
        for (char& letter : text)
            if (static_cast<unsigned char>(letter) >= 0x80) letter = '?';
        return text;
    }

    json::Object perform(const json::Value& request) {
        const std::string operation = text_of(request, "op");
        if (operation == "hello") return hello(request);
        if (operation != "encode" && operation != "decode") throw unsupported("there is no operation " + operation);
        const std::string message = text_of(request, "message");
        const int version = integer_of(request, "version");
        const auto found = library_.messages.find(message);
        if (found == library_.messages.end() || !has(found->second, version))
            throw unsupported("there is no " + message + " of version " + std::to_string(version));
        return operation == "encode" ? encode(found->second, request, version) : decode(found->second, request, version);
    }

    json::Object hello(const json::Value& request) {
        const int version = integer_of(request, "protocol");
        if (version != protocol) {
            refused_protocol_ = true;
            throw protocol_error("this harness speaks version 1 of the protocol, not " + std::to_string(version));
        }
        json::Object messages;
        for (const auto& [name, codec] : library_.messages) {
            json::Array versions;
            for (const int number : codec.versions) versions.emplace_back(number);
            messages.emplace_back(name, versions);
        }
        json::Object reply{
            {"outcome", "hello"},
            {"protocols", json::Array{protocol}},
            {"implementation", library_.name},
            {"version", library_.version},
            {"supports", json::Object{{"encode", messages}, {"decode", messages}}},
            {"operations", json::Array{"hello", "encode", "decode"}},
            {"capabilities", json::Array{}},
        };
        reply.insert(reply.end(), library_.claims.begin(), library_.claims.end());
        return reply;
    }

    static json::Object encode(const Codec& codec, const json::Value& request, int version) {
        const json::Value* value = request.find("value");
        if (!value || !value->object()) throw protocol_error("the request has no object \"value\"");
        return {{"outcome", "bytes"}, {"wire", to_hex(codec.encode(*value, version))}};
    }

    static json::Object decode(const Codec& codec, const json::Value& request, int version) {
        json::Object value;
        const std::int64_t consumed = codec.decode(from_hex(text_of(request, "wire"), "wire"), version, value);
        return {{"outcome", "value"}, {"value", value}, {"consumed", consumed}};
    }

    static bool has(const Codec& codec, int version) {
        for (const int number : codec.versions)
            if (number == version) return true;
        return false;
    }

    static std::string text_of(const json::Value& request, const std::string& key) {
        const json::Value* member = request.find(key);
        if (!member || !member->text()) throw protocol_error("the request has no text \"" + key + "\"");
        return *member->text();
    }

    static int integer_of(const json::Value& request, const std::string& key) {
        const json::Value* member = request.find(key);
        if (!member || !member->integer() || member->integer()->size() > 9)
            throw protocol_error("the request has no integer \"" + key + "\"");
        return std::stoi(*member->integer());
    }

    static constexpr int protocol = 1;
    Library library_;
    std::size_t searched_ = 0;
    bool refused_protocol_ = false;
};

} // namespace bridge
