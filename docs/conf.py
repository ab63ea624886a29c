"""The configuration of Sphinx for the pages made by `docs/_ext`."""

from conformance import __version__

project = "kafka-wire-conformance"
version = release = __version__
language = "en"

extensions = ["myst_parser", "docs._ext"]
exclude_patterns = ["_static"]
default_role = "code"
highlight_language = "none"

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 4
myst_heading_slug_func = "docs._ext.addresses.slug"
myst_links_external_new_tab = False

suppress_warnings = [
    "myst.header",  # a chapter without sections has its statements below its title
]
html_theme = "furo"
html_title = "kafka-wire-conformance"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_show_sphinx = False
html_theme_options = {"navigation_with_keys": True}
