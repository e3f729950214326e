import type { PageOfPassages } from '../../db/files/file-passages.js';

const maxPassages = 200;
const maxPages = 50;

/** Pages that are stored together. */
export class PageBatch {
  #pages: PageOfPassages[] = [];
  #passages = 0;

  add(page: PageOfPassages): void {
    this.#pages.push(page);
    this.#passages += page.passages.length;
  }

  get isEmpty(): boolean {
    return this.#pages.length === 0;
  }

  get isFull(): boolean {
    return this.#pages.length >= maxPages || this.#passages >= maxPassages;
  }

  take(): PageOfPassages[] {
    const pages = this.#pages;
    this.#pages = [];
    this.#passages = 0;
    return pages;
  }
}
