import { areaTexts } from '../kit/area-texts.js';
import { en } from './texts/en.js';

/** Of the list of settings, and of those that are fields of the workspace. */
export const useSettingsTexts = areaTexts(en, {
  de: () => import('./texts/de.js').then(({ de }) => de),
  es: () => import('./texts/es.js').then(({ es }) => es),
});
