"""A strict HTML parser: every tag closed, headings in order, tables with headers."""

from __future__ import annotations

from html.parser import HTMLParser

_VOID = {"meta", "br", "hr", "img", "link", "input"}


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.ids: list[str] = []
        self.targets: list[str] = []
        self.labels: list[str] = []
        self.headings: list[int] = []
        self.tables: list[dict[str, int]] = []
        self.images_without_text = 0
        self.language = ""
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        assert len(found) == len(attrs), f"a duplicate attribute in <{tag}>"
        if "id" in found:
            self.ids.append(found["id"])
        if tag == "html":
            self.language = found.get("lang", "")
        if tag == "a" and found.get("href", "").startswith("#"):
            self.targets.append(found["href"][1:])
        if "aria-labelledby" in found:
            self.labels.append(found["aria-labelledby"])
        if len(tag) == 2 and tag[0] == "h" and tag[1].isdigit():
            self.headings.append(int(tag[1]))
        if tag == "table":
            self.tables.append({"caption": 0, "col": 0, "row": 0, "tr": 0})
        elif self.tables and tag in ("caption", "tr"):
            self.tables[-1][tag] += 1
        elif self.tables and tag == "th":
            assert found.get("scope") in ("col", "row"), "a table header without a scope"
            self.tables[-1][found["scope"]] += 1
        if tag == "img" and not found.get("alt"):
            self.images_without_text += 1
        if tag not in _VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        last = self.open.pop()
        assert last == tag, f"</{tag}> where </{last}> was due"

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def check_html(page: str) -> str:
    """Fail on anything a browser would have to guess; return the page's text."""
    assert page.startswith("<!doctype html>\n")
    reader = _Reader()
    reader.feed(page)
    reader.close()
    assert reader.open == [], f"not closed: {reader.open}"
    assert reader.language == "en"
    assert len(set(reader.ids)) == len(reader.ids), "an id twice"
    assert set(reader.targets) <= set(reader.ids), set(reader.targets) - set(reader.ids)
    assert set(reader.labels) <= set(reader.ids)
    assert reader.headings[0] == 1
    assert reader.headings.count(1) == 1
    steps = zip(reader.headings, reader.headings[1:], strict=False)
    assert all(after <= before + 1 for before, after in steps), "a heading level is skipped"
    for table in reader.tables:
        assert table["caption"] == 1
        assert table["col"] >= 2
        assert table["row"] == table["tr"] - 1, "a row without a header"
    assert reader.images_without_text == 0
    return "".join(reader.text)
