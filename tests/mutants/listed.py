"""Mistakes of released codecs, and the mutants in their place.

Each row is a group, a mistake, and the names of mutants. Rows of `ALLOWED` are no mistakes, and show in the profile.
"""

MISTAKES: dict[str, dict[str, tuple[str, ...]]] = {
    "primitives": {
        "an int16 length for a compact length": ("int16-length-for-compact-string",),
        "a compact length without the plus one": ("compact-length-without-plus-one", "compact-count-without-plus-one"),
        "a compact length plus or minus two": ("compact-length-plus-two", "compact-length-minus-two"),
        "a string of more than 32,767 bytes that wraps to a negative length": ("string-limit-missing",),
        "an int64 cut to 32 or to 53 bits": ("int64-cut-to-32-bits", "int64-through-double"),
        "a float64 with its bytes reversed": ("float-little-endian",),
        "a uuid of mixed order, the zero uuid as null": ("uuid-mixed-endian", "zero-uuid-is-null"),
        "a varint that is wrong from its third byte": ("varint-wrong-from-third-byte",),
        "an unsigned varint read as -1": ("unsigned-varint-read-with-a-sign",),
        "bytes that end at 65,535": ("bytes-up-to-65535",),
        "an array whose prefix counts bytes": ("array-prefix-counts-bytes",),
    },
    "null": {
        "a compact null array written or read as empty": (
            "compact-null-array-written-as-empty",
            "null-array-read-as-empty",
        ),
        "null bytes or records of length 0": ("null-bytes-as-length-zero",),
        "null below the nullable versions": ("struct-marker-where-never-null", "null-written-where-not-allowed"),
        "null read where it is not allowed": ("null-read-where-not-allowed",),
        "null written where it is not allowed": ("null-written-where-not-allowed",),
        "a struct's marker that is 0 for null": ("struct-marker-zero-for-null",),
        "a struct's marker that is missing": ("struct-marker-missing", "tagged-struct-marker-missing"),
        "a struct's marker as an array's": ("struct-marker-as-of-an-array",),
        "a struct's marker as an int16": ("struct-marker-as-int16", "tagged-struct-marker-as-int16"),
    },
    "versions and defaults": {
        "a field one version early or late": ("field-one-version-early", "field-one-version-late"),
        "a default that is not restored": ("default-not-restored", "default-of-other-versions-not-restored"),
        "the zero of the type for the definition's default": ("zero-for-the-definition's-default",),
        "a field of other versions dropped in silence": ("fields-of-other-versions-dropped",),
        "the versions of nested structs ignored": ("nested-versions-ignored",),
        "flexible versions off by one": ("flexible-one-version-early", "flexible-one-version-late"),
        "flexible though no version is": ("flexible-though-none-is",),
    },
    "tags": {
        "unsorted on writing": ("tags-unsorted",),
        "a size that is missing": ("tag-size-missing",),
        "a size that is short": ("tag-size-short",),
        "a size that counts something else": ("tag-size-counts-tag-and-size",),
        "no inner section in a tagged struct": ("section-missing-in-tagged-struct",),
        "a default written": ("default-valued-tag-written",),
        "a value left out": ("tagged-field-omitted",),
        "unknown tags refused": ("unknown-tags-refused",),
        "unknown tags dropped": ("unknown-tags-dropped",),
        "unknown tags written twice": ("unknown-tags-written-twice",),
        "unknown tags written unsorted": ("unknown-tags-written-unsorted",),
        "no section in a struct without fields": ("section-missing-in-empty-struct",),
        "a section in a version that is not flexible": ("section-in-version-that-is-not-flexible",),
        "tag 0 refused": ("tag-zero-refused",),
        "unknown tags of a nested struct lost or not skipped": (
            "unknown-tags-of-nested-structs-dropped",
            "unknown-tags-of-nested-structs-not-skipped",
        ),
    },
    "headers": {
        "a response to ApiVersions with header 1": ("api-versions-response-with-header-1",),
        "a compact client id": ("compact-client-id",),
        "the header's section missing, or behind the body": (
            "header-section-missing",
            "header-section-behind-the-body",
        ),
        "the size of a frame four too many": ("frame-size-counts-itself",),
        "a correlation id without a sign": ("correlation-id-unsigned",),
    },
    "robustness": {
        "input that ends too early read as zeros, or as far as it goes": (
            "truncated-numbers-are-zero",
            "strings-as-far-as-they-go",
            "arrays-as-far-as-they-go",
            "message-may-end-before-its-section",
        ),
        "memory taken before a length is checked": ("memory-before-the-length-is-checked",),
        "a negative count read as none, where null is not allowed": ("negative-count-is-empty",),
        "what follows a message counted as consumed": ("consumed-counts-what-follows",),
        "a buffer that grows wrong at 64 KiB": ("buffer-cut-at-64-kib", "byte-lost-at-64-kib"),
        "a size other than the bytes written": ("size-one-short", "size-of-long-messages-short"),
        "a string cut at a NUL": ("string-cut-at-nul",),
        "an array with map keys in another order": (
            "map-key-array-read-sorted",
            "map-key-array-written-sorted",
            "one-element-a-key",
        ),
    },
}
"""Mistakes to be found by the suite."""

ALLOWED: dict[str, tuple[str, ...]] = {
    "bits above 32 in a varint's fifth byte refused": ("excess-bits-refused",),
    "a negative count read as none, where null is allowed": ("other-negative-counts-are-empty",),
    "bytes after a message refused": ("trailing-bytes-refused",),
}
"""Allowed differences, shown in the profile without a finding."""

UNSEEN: dict[str, str] = {
    "a version outside the valid ones accepted": "a codec is only asked for versions that the release has",
    "the body of an error of ApiVersions always in version 0": "which message is sent is not a question of bytes",
}
"""Allowed differences without an effect from outside, and the reasons."""
