import { areaTexts } from '../kit/area-texts.js';
import { failures } from './texts/reasons-en.js';

/** Why messages do not reach members, for pages beside the inbox. */
export const useFailureTexts = areaTexts(failures as Record<string, string>, {
  de: () => import('./texts/reasons-de.js').then(({ failures }) => failures),
  es: () => import('./texts/reasons-es.js').then(({ failures }) => failures),
});
