"""What `make docs` writes into README.md and docs/*.md, between markers that name the function they call.

A new figure: a script of `benchmarks/` writes its result (`result_file.write`), a function here reads it and
returns Markdown, the page names it as the markers there do, and run `make docs`. A test fails where a page differs.
"""
