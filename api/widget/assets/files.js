import { button, element, icon } from './elements.js';
import { filled } from './texts.js';

/** @typedef {import('./visit.js').SentFile} SentFile */
/** @typedef {import('./texts.js').Texts} Texts */
/** @typedef {{ texts: Texts, acts: Pick<import('./view.js').Acts, 'read'> }} Place */

const maxPixels = { wide: 240, high: 180 };

/**
 * A file of a message: a picture is drawn, which policies of pages cannot refuse as they can refuse images, and all are saved by
 * a click. Nothing of anybody is opened as a page of this origin.
 * @param {SentFile} file @param {Place} place
 */
export function fileOf(file, { texts, acts }) {
  const { filename: name } = file;
  const made = button(icon('file'), () => read(save), {
    class: 'file',
    'aria-label': filled(texts.save, { name }),
  });
  const label = element('span', {}, [name]);
  made.append(label);
  const read = async (/** @type {(blob: Blob, name: string) => unknown} */ act) => {
    try {
      file.blob ??= await acts.read(file);
      await act(file.blob, name);
    } catch {
      label.textContent = filled(texts.lost, { name });
    }
  };
  if (!/^image\/(png|jpeg|gif|webp)$/.test(file.mimeType)) return made;
  const draw = async (/** @type {Blob} */ blob) => made.firstChild?.replaceWith(await pictureOf(blob));
  // A long chat loads those pictures that are looked at.
  const seen = new IntersectionObserver(([entry]) => {
    if (entry?.isIntersecting !== true) return;
    seen.disconnect();
    void read(draw);
  });
  seen.observe(made);
  return made;
}

/** @param {Blob} blob */
async function pictureOf(blob) {
  const bitmap = await createImageBitmap(blob);
  const scale = Math.min(1, maxPixels.wide / bitmap.width, maxPixels.high / bitmap.height);
  const [width, height] = [bitmap.width * scale, bitmap.height * scale].map((one) =>
    Math.max(1, Math.round(one)),
  );
  const canvas = element('canvas', { width, height });
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, width ?? 1, height ?? 1);
  return canvas;
}

/** @param {Blob} blob @param {string} name */
function save(blob, name) {
  const address = URL.createObjectURL(blob);
  element('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
