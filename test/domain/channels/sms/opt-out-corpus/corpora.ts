import type { Corpus } from './corpus.js';
import { english } from './english.js';
import { finnish } from './finnish.js';
import { french } from './french.js';
import { german } from './german.js';
import { spanish } from './spanish.js';
import { swedish } from './swedish.js';
import { thai } from './thai.js';

export const corpora: Record<string, Corpus> = {
  english,
  finnish,
  swedish,
  german,
  french,
  spanish,
  thai,
};
