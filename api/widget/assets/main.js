import { SiteChat } from './site-chat.js';
import { languageOf, textsIn } from './texts.js';
import { Visit } from './visit.js';

/** How days and times are written. @param {string} language @param {readonly string[]} locales */
function localeIn(language, locales) {
  try {
    return (
      Intl.getCanonicalLocales(locales.find((one) => one.toLowerCase().startsWith(language)))[0] ?? language
    );
  } catch {
    return language;
  }
}

/** Modules have no `document.currentScript`: the tags are found by what they say. */
async function start() {
  const base = new URL('../../../api/v2', import.meta.url).href;
  const uuid = /^[0-9a-f-]{36}$/i;
  for (const tag of document.querySelectorAll('script[data-site][data-workspace]')) {
    const { site = '', workspace = '' } = /** @type {HTMLElement} */ (tag).dataset;
    if (!uuid.test(site) || !uuid.test(workspace)) continue;
    if (document.getElementById(`wes-chat-${site}`) !== null) continue;
    const { lang } = document.documentElement;
    const visit = new Visit(base, workspace, site, lang);
    try {
      const settings = await visit.settings();
      if (!settings.offered && visit.token === null) continue;
      const locales = [lang, settings.locale].filter((locale) => locale !== '');
      const language = languageOf(locales);
      const locale = localeIn(language, locales);
      new SiteChat(visit, settings, { language, locale, texts: await textsIn(language) }).show();
    } catch (error) {
      // Without the service the page is as it would be without a chat.
      reportError(error);
    }
  }
}

void start();
