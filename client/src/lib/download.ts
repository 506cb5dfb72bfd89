// Save a string, a blob or the figures of a page as a file, without another request.

export function download(text: string | Blob, type: string, name: string): void {
  const link = document.createElement("a");
  const mark = type.startsWith("text/csv") ? "\ufeff" : ""; // without it, Excel garbles letters such as ë
  link.href = URL.createObjectURL(new Blob([mark, text], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

// A leading sign keeps spreadsheets from running a name as a formula.
const field = (value: string): string => `"${(/^[=+\-@\t\r]/.test(value) && !/^[+-]?[\d.]+%?$/.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`;

export const csvText = (lines: string[][]): string => lines.map((line) => line.map(field).join(",")).join("\r\n") + "\r\n";

/** The tables, facts and large figures of a page, in their order. */
export function figuresOf(page: Element): string[][] {
  const lines: string[][] = [];
  const textOf = (element: Element): string => {
    const copy = element.cloneNode(true) as Element;
    for (const hidden of copy.querySelectorAll(".sr, .chose")) hidden.remove();
    return (copy.textContent ?? "").replaceAll("\u2212", "-").replace(/\s+/g, " ").trim();
  };
  for (const one of page.querySelectorAll<HTMLElement>("[data-figure], dl.facts > div, table")) {
    if (one.dataset["figure"]) lines.push([], [one.dataset["figure"], textOf(one)]);
    else if (one instanceof HTMLTableElement) {
      lines.push([], [one.caption?.textContent ?? ""]);
      for (const row of one.rows) lines.push([...row.cells].filter((cell) => !cell.classList.contains("cell")).map((cell) => textOf(cell) || cell.textContent?.trim() || ""));
    } else lines.push([...one.children].map(textOf));
  }
  return lines;
}
