import type { ShownPage, ShownSite } from '../../../domain/sites/public/show-site.js';
import { Html, html } from '../../http/html.js';
import { type Answer, answerOf } from './answer.js';
import { placeContent } from './content.js';
import { type Place, writeSiteName } from './document.js';
import { writeMenu } from './menu.js';
import { ampPolicy, pageHeaders } from './policy.js';
import { iconPath } from './site-paths.js';
import { stylesOf } from './styles.js';
import { directionOf, wordsIn } from './words.js';

/** What every AMP page has to have, to the letter (https://amp.dev/documentation/guides-and-tutorials/learn/spec/amp-boilerplate). */
const boilerplate = new Html(
  '<style amp-boilerplate>body{-webkit-animation:-amp-start 8s steps(1,end) 0s 1 normal both;-moz-animation:-amp-start 8s steps(1,end) 0s 1 normal both;-ms-animation:-amp-start 8s steps(1,end) 0s 1 normal both;animation:-amp-start 8s steps(1,end) 0s 1 normal both}@-webkit-keyframes -amp-start{from{visibility:hidden}to{visibility:visible}}@-moz-keyframes -amp-start{from{visibility:hidden}to{visibility:visible}}@-ms-keyframes -amp-start{from{visibility:hidden}to{visibility:visible}}@-o-keyframes -amp-start{from{visibility:hidden}to{visibility:visible}}@keyframes -amp-start{from{visibility:hidden}to{visibility:visible}}</style><noscript><style amp-boilerplate>body{-webkit-animation:none;-moz-animation:none;-ms-animation:none;animation:none}</style></noscript>',
);

/** A published page as AMP (https://amp.dev/documentation/guides-and-tutorials/learn/spec/amphtml). */
export function writeAmpPage(shown: ShownSite, at: Place, page: ShownPage): Answer {
  const { links, locale } = at;
  const { site, menu } = shown;
  const { words } = wordsIn(page.locale);
  const place = { links, locale: page.locale, askedLocale: locale, pageId: page.id, words };
  const description = page.metaDescription || site.metaDescription;
  const content = placeContent(page.body, { links, locale, tableName: words.table });
  const text = html`<!doctype html>
<html amp lang="${page.locale}" dir="${directionOf(page.locale)}">
<head>
<meta charset="utf-8">
<script async src="https://cdn.ampproject.org/v0.js"></script>
<title>${page.title} – ${site.name}</title>
<link rel="canonical" href="${links.canonical(page, page.locale)}">
<link rel="icon" href="${links.below(iconPath)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
${description ? html`<meta name="description" content="${description}">\n` : undefined}${boilerplate}
<style amp-custom>${new Html(stylesOf(site).css)}</style>
</head>
<body>
<header class="band"><div class="inner">${writeSiteName(site, at, true)}
${writeMenu(menu, place)}</div></header>
<main id="content">
<h1>${page.title}</h1>
${new Html(content)}
</main>
</body>
</html>
`.text;
  const headers = {
    ...pageHeaders,
    'Content-Language': page.locale,
    'Content-Security-Policy': ampPolicy(links.place.service),
  };
  return answerOf(text, headers);
}
