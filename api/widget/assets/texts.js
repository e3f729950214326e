/** @typedef {typeof import('./en.js').texts} Texts */

const languages = ['en', 'de', 'es'];

/**
 * The first of these languages that there are words in.
 * @param {readonly string[]} locales such as `de-AT`
 */
export function languageOf(locales) {
  return (
    locales.map((locale) => locale.slice(0, 2).toLowerCase()).find((one) => languages.includes(one)) ?? 'en'
  );
}

/** A page loads the words of its language only. @param {string} language @returns {Promise<Texts>} */
export async function textsIn(language) {
  return (await import(`./${language}.js`)).texts;
}

/** @param {string} text @param {Record<string, string | number>} values */
export function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/** How long to wait, in words. @param {Texts} texts @param {number} seconds */
export function duration(texts, seconds) {
  if (seconds <= 90) return filled(texts.seconds, { n: seconds });
  if (seconds <= 5_400) return filled(texts.minutes, { n: Math.ceil(seconds / 60) });
  return filled(texts.hours, { n: Math.ceil(seconds / 3_600) });
}
