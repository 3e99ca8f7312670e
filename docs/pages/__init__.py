"""The tables that `make docs` writes into README.md and docs/*.md, between markers that name a function here.

To add a figure, write the result of a script with `benchmarks.result_file.write`. Add a function here that returns it
as a table, name the function in markers on the page, and run `make docs`. Prose stays in the page. A test fails if a
page is out of date.
"""
