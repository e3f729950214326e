/** Saves a text as a file of this computer. */
export function download(text: string, fileName: string, type: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(link.href);
}
