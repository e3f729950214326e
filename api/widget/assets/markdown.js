import { blocks as read } from '../../../domain/lib/markdown/blocks.js';
import { element } from './elements.js';

const elsewhere = { target: '_blank', rel: 'noopener noreferrer nofollow' };

/** The Markdown of a message, as nodes. @param {string} text @returns {Node[]} */
export function blocks(text) {
  /** @type {import('../../../domain/lib/markdown/blocks.js').Make<Node>} */
  const make = (name, attributes, children) =>
    element(
      /** @type {keyof HTMLElementTagNameMap} */ (name),
      name === 'a' ? { ...attributes, ...elsewhere } : attributes,
      children,
    );
  return read(text, make);
}
