"""The adapters of the suite, a module or package for each codec in Python and a row here for each other one.

A codec in Python must be installed. A library of another language is built into a harness on first use; its language
must be installed. `--impl=conformance.adapters.NAME` tests either. Known failures are in `NAME/known_failures.toml`
beside an adapter, and in `known_failures/NAME.toml` for a row.
"""

from conformance.adapters.harnesses.libraries import ForeignLibrary

franz_go = ForeignLibrary("go", "franz-go")
kafka_go = ForeignLibrary("go", "kafka-go")
kafka_protocol = ForeignLibrary("rust", "kafka-protocol")
kafka_wire_protocol = ForeignLibrary("rust", "kafka-wire-protocol")
kafrust_protocol = ForeignLibrary("rust", "kafrust-protocol")
kafkajs = ForeignLibrary("javascript", "kafkajs")
platformatic = ForeignLibrary("javascript", "platformatic")
