"""The command `kafka-conformance` as `python -m conformance`, for where it is not on the path."""

from conformance.system.import_path import leave_current_folder

leave_current_folder()  # first: a file of the current folder must not hide a module that is imported below

from conformance.commands.main import main  # noqa: E402

if __name__ == "__main__":
    main(prog_name="kafka-conformance")
