// A text or a file that the browser saves as a file; nothing goes over the net once more.

export function download(text: string | Blob, type: string, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
