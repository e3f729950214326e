const mostCharacters = 100;

/**
 * Returns a name that every file system and header accepts (RFC 6266, appendix D): letters, digits, `.`, `_` and `-`,
 * not beginning with a dot.
 */
export function safeFileName(name: string): string {
  const safe = name.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+/, '');
  return safe === '' ? 'file' : safe.slice(-mostCharacters);
}
