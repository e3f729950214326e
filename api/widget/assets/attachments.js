import { filled } from './texts.js';
import { notOffered, Refused } from './visit.js';

/** The files that go with the next message. */
export class Attachments {
  /** @type {File[]} */
  #files = [];

  /**
   * @param {import('./visit.js').Visit} visit @param {import('./view.js').View} view
   * @param {import('./texts.js').Texts} texts @param {import('./visit.js').Settings['attachments']} limits
   */
  constructor(visit, view, texts, limits) {
    this.visit = visit;
    this.view = view;
    this.texts = texts;
    this.limits = limits;
  }

  /** @param {File[]} files those that may be sent are added, of others it is said why not */
  choose(files) {
    this.view.tell('');
    for (const file of files) {
      const refusal = this.#refusalOf(file);
      if (refusal === undefined) this.#set([...this.#files, file]);
      else this.view.tell(refusal);
    }
    this.view.input.focus();
  }

  /** @param {File} file */
  #refusalOf({ name, size, type }) {
    const { texts } = this;
    const { maxBytes, maxFiles, mimeTypes } = this.limits;
    if (size > maxBytes) return filled(texts.tooLarge, { name, size: Math.floor(maxBytes / 1_048_576) });
    if (!mimeTypes.includes(type)) return filled(texts.wrongKind, { name });
    return this.#files.length >= maxFiles ? filled(texts.tooMany, { n: maxFiles }) : undefined;
  }

  /** @returns {File[]} what is sent now */
  take() {
    const files = this.#files;
    this.#set([]);
    return files;
  }

  /** @param {File} file @returns {Promise<number>} its id */
  async upload(file) {
    try {
      return (await this.visit.upload(file)).id;
    } catch (error) {
      if (
        error instanceof Refused &&
        [400, 409, 413, 415].includes(error.status) &&
        error.code !== notOffered
      ) {
        const text = error.status === 415 ? this.texts.wrongKind : this.texts.uploadFailed;
        throw new Refused(0, filled(text, { name: file.name }), 0);
      }
      throw error;
    }
  }

  /** @param {File[]} files */
  #set(files) {
    this.#files = files;
    this.view.setFiles(files, (removed) => {
      this.#set(this.#files.filter((file) => file !== removed));
      this.view.input.focus();
    });
  }
}
