/** Names of configuration as operators read them: of definitions and tasks, which may have 200 characters. */

const usual = 60;

/** In a summary, which Temporal limits in bytes. */
export function shortName(name: string, max = usual): string {
  const characters = Array.from(name);
  return characters.length <= max ? name : `${characters.slice(0, max - 1).join('')}…`;
}

/** In details, which the Temporal UI shows as Markdown: a name is no markup. */
export function markdownName(name: string): string {
  return shortName(name).replace(/[\\`*_[\]<>!|~]/g, '\\$&');
}
