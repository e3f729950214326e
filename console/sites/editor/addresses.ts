/** What a link may lead to; the API checks it again (docs/site-pages.md). */
const linkForm = /^(?:https?:\/\/[^\s/]|mailto:|tel:|#|\/(?!\/))\S*$/i;
const pictureForm = /^(?:https:\/\/[^\s/]|\/(?!\/))\S*$/i;
const hostForm = /^[\w-]+(?:\.[\w-]+)+(?:[/?#]\S*)?$/;
const mailForm = /^[^\s@/]+@[^\s@/]+\.[^\s@/]+$/;

/** The address that somebody means; undefined: none that a link can have. */
export function linkOf(text: string): string | undefined {
  const typed = text.trim();
  if (linkForm.test(typed)) return typed;
  if (mailForm.test(typed)) return `mailto:${typed}`;
  return hostForm.test(typed) ? `https://${typed}` : undefined;
}

export function pictureOf(text: string): string | undefined {
  const typed = text.trim();
  return pictureForm.test(typed) ? typed : undefined;
}
