import { blocks } from '../../../domain/lib/markdown/blocks.js';
import { element } from './elements.js';

const elsewhere = { target: '_blank', rel: 'noopener noreferrer nofollow' };

/** The Markdown of a message, as nodes. @param {string} text @returns {Node[]} */
export function nodesOf(text) {
  /** @type {import('../../../domain/lib/markdown/blocks.js').Make<Node>} */
  const make = (name, attributes, children) =>
    element(
      /** @type {keyof HTMLElementTagNameMap} */ (name),
      name === 'a' ? { ...attributes, ...elsewhere } : attributes,
      children,
    );
  return blocks(text, make);
}
