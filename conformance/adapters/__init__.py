"""The adapters that come with the suite: a module or package for each codec in Python, a row here for each other one.

Takes a codec that is installed, or a library that a harness builds; gives what `--impl=conformance.adapters.NAME`
tests. That of another language is built on first use, and needs the language. Known failures are in
`NAME/known_failures.toml` beside an adapter, and in `known_failures/NAME.toml` for a row.
"""

from conformance.adapters.harnesses.libraries import ForeignLibrary

franz_go = ForeignLibrary("go", "franz-go")
kafka_go = ForeignLibrary("go", "kafka-go")
kafka_protocol = ForeignLibrary("rust", "kafka-protocol")
kafka_wire_protocol = ForeignLibrary("rust", "kafka-wire-protocol")
kafrust_protocol = ForeignLibrary("rust", "kafrust-protocol")
kafkajs = ForeignLibrary("javascript", "kafkajs")
platformatic = ForeignLibrary("javascript", "platformatic")
