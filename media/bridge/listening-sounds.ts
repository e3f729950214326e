/**
 * Sounds by which listeners show that they listen, by language; each letter may be drawn out. None is a word of another of these
 * languages that can be an answer: "um" is one in Portuguese, "eh" asks back in Spanish.
 */
export const listeningSounds: Readonly<Record<string, readonly string[]>> = {
  ar: ['همم', 'أها', 'آه'],
  de: ['mh', 'mhm', 'äh', 'ähm', 'öh', 'öhm', 'ach', 'oha'],
  en: ['mm', 'hm', 'uh', 'ah', 'oh', 'aha', 'uh-huh', 'uhuh', 'mm-hm', 'hm-hm', 'uhm'],
  es: ['ajá'],
  fr: ['euh', 'hum', 'hem'],
  he: ['המ', 'אהה'],
  hi: ['हम्म', 'ओह', 'अहा'],
  it: ['ehm', 'mh-mh'],
  ja: ['うん', 'うんうん', 'ふむ', 'ふむふむ', 'ほう', 'へえ'],
  ko: ['음', '흠', '아하'],
  nl: ['och', 'goh'],
  pl: ['yhm', 'yhy'],
  pt: ['hum-hum', 'uhum', 'ahã'],
  ru: ['хм', 'мм', 'мхм', 'угу', 'ах', 'ох'],
  sv: ['åh', 'öhm', 'hmhm'],
  tr: ['hı-hı', 'hıhı'],
  uk: ['гм', 'овва'],
  zh: ['嗯', '哦', '噢', '呃'],
};
