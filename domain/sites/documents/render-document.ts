import type { Node } from 'prosemirror-model';
import { eventLoopTurn } from '../../lib/event-loop-turn.js';
import { sanitizePart } from './sanitize.js';
import { writeHtml } from './write-html.js';
import { withNeighbours, writeMarkdown } from './write-markdown.js';

export interface RenderedDocument {
  html: string;
  markdown: string;
  /** The same as HTML, except for images. */
  amp: string;
}

/** How long the blocks of a document are rendered before other requests are served. */
const maxTurnMs = 8;

/** Renders a checked document, block by block, and lets other work in between. */
export async function renderDocument(document: Node, turnMs = maxTurnMs): Promise<RenderedDocument> {
  const parts: RenderedDocument[] = [];
  let turnBegan = performance.now();
  for (const [block, follows] of withNeighbours(document.children)) {
    if (performance.now() - turnBegan > turnMs) {
      await eventLoopTurn();
      turnBegan = performance.now();
    }
    parts.push(renderBlock(block, follows));
  }
  return {
    html: joined(parts, 'html', '\n'),
    markdown: joined(parts, 'markdown', '\n\n'),
    amp: joined(parts, 'amp', '\n'),
  };
}

function renderBlock(block: Node, follows: boolean): RenderedDocument {
  const html = sanitizePart(writeHtml(block, 'html'), 'html');
  const amp = hasImage(block) ? sanitizePart(writeHtml(block, 'amp'), 'amp') : html;
  return { html, markdown: writeMarkdown(block, follows), amp };
}

function hasImage(block: Node): boolean {
  let found = block.type.name === 'image';
  block.descendants((node) => {
    found ||= node.type.name === 'image';
    return !found;
  });
  return found;
}

function joined(parts: readonly RenderedDocument[], format: keyof RenderedDocument, between: string): string {
  return parts
    .map((part) => part[format])
    .filter((text) => text !== '')
    .join(between);
}
