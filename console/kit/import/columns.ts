/** What a column of a file may become. */
export interface ImportTarget {
  /** As the API names it, such as `__externalId`. */
  column: string;
  title: string;
  /** Whether a new row needs it. */
  isRequired?: boolean | undefined;
}

const plain = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]+/gu, '');

/** What the columns of a file are by their names: the column of the API, or nothing. None is there twice. */
export function guessColumns(names: readonly string[], targets: readonly ImportTarget[]): string[] {
  const free = new Set(targets);
  return names.map((name) => {
    const isMeant = (text: string) => plain(text) !== '' && plain(text) === plain(name);
    const target = [...free].find(({ column, title }) => isMeant(column) || isMeant(title));
    if (target !== undefined) free.delete(target);
    return target?.column ?? '';
  });
}

/** The column of the API that two columns of the file are to become. */
export function doubled(chosen: readonly string[]): string | undefined {
  return chosen.find((column, index) => column !== '' && chosen.indexOf(column) !== index);
}
