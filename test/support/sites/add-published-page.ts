import type { callAs } from '../api/call-as.js';
import { randomTag } from '../workspace/factories.js';
import { oneParagraph } from './add-site.js';

type Call = ReturnType<typeof callAs>;

/** A page that an editor has written and published; in more locales, each with its title. */
export async function addPublishedPage(
  asEditor: Call,
  siteId: number,
  values: {
    title?: string;
    slug?: string;
    text?: string;
    contentBlocks?: object;
    metaDescription?: string;
  } = {},
  others: Record<string, string> = {},
): Promise<{ id: number; slug: string; title: string }> {
  const { text = 'Monday to Friday.', ...given } = values;
  const path = `/sites/${siteId}/pages`;
  const created = await asEditor('POST', path, {
    title: `Page ${randomTag()}`,
    contentBlocks: oneParagraph(text),
    ...given,
  });
  if (created.status !== 201) throw new Error(`no page was created: ${JSON.stringify(created.body)}`);
  const { id } = created.body;
  for (const [locale, title] of Object.entries(others)) {
    const body = { title, contentBlocks: oneParagraph(title) };
    const written = await asEditor('PUT', `${path}/${id}/documents/${locale}`, body);
    if (written.status >= 300) throw new Error(`no document was written: ${JSON.stringify(written.body)}`);
  }
  const published = await asEditor('POST', `${path}/${id}/publish`);
  if (published.status !== 200)
    throw new Error(`the page is not published: ${JSON.stringify(published.body)}`);
  return published.body;
}
