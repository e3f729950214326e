/** The generated parts of a page, by name. */
export type Parts = Readonly<Record<string, () => string>>;

/**
 * A page with its generated parts as the code has them now. A part stands between the comments
 * `<!-- generated: <name> -->` and `<!-- end -->`.
 * @throws Error if the page names an unknown part, or lacks one
 */
export function withGeneratedParts(page: string, parts: Parts): string {
  const missing = new Set(Object.keys(parts));
  const written = page.replace(part, (_all, begin: string, name: string, end: string) => {
    if (!missing.delete(name)) throw new Error(`There is no part "${name}", or it is there twice.`);
    return `${begin}\n\n${parts[name]?.()}\n\n${end}`;
  });
  if (missing.size > 0) throw new Error(`The page lacks its generated parts: ${[...missing].join(', ')}.`);
  return written;
}

const part = /(<!-- generated: ([\w ]+) -->)\n[\s\S]*?(<!-- end -->)/g;
