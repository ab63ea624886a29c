"""`python -m conformance`: the command `kafka-conformance`, where that is not on the path."""

from conformance.commands.main import main

if __name__ == "__main__":
    main(prog_name="kafka-conformance")
