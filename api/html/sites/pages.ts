import type { ShownPage, ShownSite } from '../../../domain/sites/public/show-site.js';
import { html } from '../../http/html.js';
import type { Answer } from './answer.js';
import { pictureIn, placeContent } from './content.js';
import { type Place, storedHtml, writePage } from './document.js';
import { wordsIn } from './words.js';

/** A published page. */
export function writeShownPage(shown: ShownSite, place: Place, page: ShownPage): Answer {
  const { words } = wordsIn(page.locale);
  const content = placeContent(page.body, {
    links: place.links,
    locale: place.locale,
    tableName: words.table,
  });
  return writePage(shown, place, {
    title: page.title,
    locale: page.locale,
    description: page.metaDescription,
    content: storedHtml(content),
    picture: pictureIn(page.body),
    found: { page, locales: page.locales, hasAmp: place.links.place.hasDomain },
  });
}

/** What editors have of a page. Search engines are told nothing of it. */
export function writeDraft(
  shown: ShownSite,
  place: Place,
  draft: Pick<ShownPage, 'title' | 'locale' | 'metaDescription' | 'body'>,
): Answer {
  const { links, locale } = place;
  const content = placeContent(draft.body, { links, locale, tableName: wordsIn(draft.locale).words.table });
  const { title, metaDescription: description } = draft;
  return writePage(shown, place, { title, description, locale: draft.locale, content: storedHtml(content) });
}

/** What the address of a site shows without a published home page. */
export function writeSitePage(shown: ShownSite, place: Place): Answer {
  const { name, content } = shown.site;
  const isPreview = place.links.place.preview !== undefined;
  return writePage(shown, place, {
    title: name,
    content: html`<div class="plain">${content ?? ''}</div>`,
    ...(isPreview ? {} : { found: { page: undefined, locales: [], hasAmp: false } }),
  });
}

/** There is no page: it was withdrawn (410), or there was none (404). */
export function writeMissing(shown: ShownSite, place: Place, status: 404 | 410): Answer {
  const { words, lang } = wordsIn(place.locale);
  const [title, text] = status === 410 ? [words.gone, words.goneText] : [words.notFound, words.notFoundText];
  const content = html`<p>${text}</p>
<p><a href="${place.links.home(place.locale)}">${words.goHome}</a></p>`;
  return writePage(shown, place, { title, locale: lang, content }, status);
}
