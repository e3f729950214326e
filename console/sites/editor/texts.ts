import { areaTexts } from '../../kit/area-texts.js';
import { en } from './texts/en.js';

export const useEditorTexts = areaTexts(en, {
  de: () => import('./texts/de.js').then(({ de }) => de),
  es: () => import('./texts/es.js').then(({ es }) => es),
});
