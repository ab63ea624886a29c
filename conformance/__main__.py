"""`python -m conformance`: the command `kafka-conformance`, where that is not on the path."""

from conformance.system.import_path import leave_current_folder

leave_current_folder()  # before anything else is imported

from conformance.commands.main import main  # noqa: E402

if __name__ == "__main__":
    main(prog_name="kafka-conformance")
