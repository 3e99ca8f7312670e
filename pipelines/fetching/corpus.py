"""The description of a public corpus: its files, licence and citation."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Download:
    """A file to download; archives are read in place and never unpacked."""

    name: str  # below the output folder
    address: str
    size: int | None = None  # bytes
    sha256: str = ""  # 64 hex digits; "": unknown


@dataclass(frozen=True)
class Paper:
    """The data of a citation."""

    key: str
    authors: tuple[str, ...]  # "First Last"
    title: str
    venue: str
    pages: str
    year: int
    address: str

    @property
    def reference(self) -> str:
        authors = " and ".join(filter(None, (", ".join(self.authors[:-1]), self.authors[-1])))
        return f"{authors} ({self.year}). {self.title}. {self.venue}, pages {self.pages}. {self.address}"

    @property
    def bibtex(self) -> str:
        return (
            f"@inproceedings{{{self.key},\n  author = {{{' and '.join(self.authors)}}},\n  title = {{{self.title}}},\n"
            f"  booktitle = {{{self.venue}}},\n  pages = {{{self.pages.replace('-', '--')}}},\n"
            f"  year = {{{self.year}}},\n  url = {{{self.address}}}\n}}"
        )


@dataclass(frozen=True)
class Corpus:
    """A public corpus, with the name of the source that reads it."""

    name: str
    title: str
    what: str  # one sentence
    page: str  # the corpus's own; "": none
    licence: str  # sentences
    licence_id: str  # in Hugging Face's cards
    paper: Paper
    files: tuple[Download, ...] = ()
    obtain: str = ""  # how to get files without an address
    ingests: tuple[tuple[str, ...], ...] = ()  # inputs of `allsaid ingest` for each data set, below the output folder
