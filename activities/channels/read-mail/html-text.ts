import { convert } from 'html-to-text';

const maxHtmlLength = 2_000_000;

/** The text of a mail that has HTML only. The limits are for mails that are made to be expensive. */
export function plainTextOf(html: string): string {
  return convert(html, {
    wordwrap: false,
    limits: {
      maxInputLength: maxHtmlLength,
      maxDepth: 60,
      maxChildNodes: 20_000,
      maxBaseElements: 100,
      ellipsis: '…',
    },
    selectors: [
      // The words say where a link leads to; its address is long, and follows who reads.
      { selector: 'a', options: { ignoreHref: true } },
      { selector: 'img', format: 'skip' },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
        selector,
        options: { uppercase: false },
      })),
    ],
  });
}
