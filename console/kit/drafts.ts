/** What somebody writes survives a reload, a lost connection and an expired session: it is kept in this browser. */
export function readDraft<T>(key: string): T | undefined {
  try {
    const text = localStorage.getItem(`draft:${key}`);
    return text === null ? undefined : (JSON.parse(text) as T);
  } catch {
    return undefined;
  }
}

/** Keeps a draft; undefined removes it. */
export function keepDraft(key: string, draft: unknown): void {
  try {
    if (draft === undefined) localStorage.removeItem(`draft:${key}`);
    else localStorage.setItem(`draft:${key}`, JSON.stringify(draft));
  } catch {
    // The storage is full or refused: the text stays in the page.
  }
}

/** When somebody signs out, the next person at this browser finds nothing. */
export function removeDrafts(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith('draft:')) localStorage.removeItem(key);
  } catch {
    // Where nothing may be kept, nothing was.
  }
}
