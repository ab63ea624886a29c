"""The child process for a Python adapter, `child.py`. Its first argument is the import path of its starter."""

from conformance.system.import_path import take_import_path

take_import_path()  # first: modules that are imported below may be on that path alone

from conformance.codec.bridge.child import main  # noqa: E402

if __name__ == "__main__":
    main()
