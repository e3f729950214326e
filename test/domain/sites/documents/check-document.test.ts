import { getSchema } from '@tiptap/core';
import { Image } from '@tiptap/extension-image';
import { TaskItem, TaskList } from '@tiptap/extension-list';
import { TableKit } from '@tiptap/extension-table';
import { TextAlign } from '@tiptap/extension-text-align';
import StarterKit from '@tiptap/starter-kit';
import { describe, expect, test } from 'vitest';
import { InvalidInput } from '../../../../domain/lib/errors.js';
import { checkDocument } from '../../../../domain/sites/documents/check-document.js';
import { documentLimits } from '../../../../domain/sites/documents/limits.js';
import { documentSchema, markRules, nodeRules } from '../../../../domain/sites/documents/schema.js';
import { doc, marked, node, p } from './build.js';

/** The places of a document that are refused. */
function refused(document: unknown): string[] {
  try {
    checkDocument(document);
  } catch (error) {
    if (error instanceof InvalidInput) return error.errors.map(({ pointer }) => pointer);
    throw error;
  }
  return [];
}

const tiptap = getSchema([
  StarterKit,
  Image,
  TableKit,
  TaskList,
  TaskItem.configure({ nested: true }),
  TextAlign.configure({ types: ['heading', 'paragraph'] }),
]);

describe('the schema is that of TipTap 3', () => {
  test.each(Object.values(tiptap.nodes))('node $name has the same content and attributes', (theirs) => {
    const ours = documentSchema.nodes[theirs.name];
    expect(ours?.spec.content).toBe(theirs.spec.content);
    expect(Object.keys(nodeRules[theirs.name]?.attributes ?? {})).toEqual(
      expect.arrayContaining(Object.keys(theirs.spec.attrs ?? {})),
    );
    for (const [name, { default: byDefault }] of Object.entries(theirs.spec.attrs ?? {})) {
      if (name !== 'src') expect(ours?.spec.attrs?.[name]?.default).toEqual(byDefault);
    }
  });

  test.each(Object.values(tiptap.marks))('mark $name has the same attributes and exclusions', (theirs) => {
    expect(documentSchema.marks[theirs.name]?.spec.excludes).toBe(theirs.spec.excludes);
    expect(Object.keys(markRules[theirs.name]?.attributes ?? {})).toEqual(
      expect.arrayContaining(Object.keys(theirs.spec.attrs ?? {})),
    );
  });

  test('a document as an editor of TipTap writes it is accepted, without what has no effect', () => {
    const href = 'https://example.org/';
    const link = { href, target: '_blank', rel: 'noopener noreferrer nofollow', class: null, title: null };
    const written = doc(
      node('heading', { textAlign: null, level: 2 }, { type: 'text', text: 'Hours' }),
      { type: 'paragraph', attrs: { textAlign: 'center' }, content: [marked('here', ['link', link])] },
      node('image', { src: '/logo.png', alt: 'Logo', title: null, width: null, height: null }),
    );
    expect(tiptap.nodeFromJSON(written).check()).toBeUndefined();
    expect(checkDocument(written).toJSON()).toEqual({
      type: 'doc',
      content: [
        {
          type: 'heading',
          attrs: { textAlign: null, level: 2 },
          content: [{ type: 'text', text: 'Hours' }],
        },
        {
          type: 'paragraph',
          attrs: { textAlign: 'center' },
          content: [
            {
              type: 'text',
              text: 'here',
              marks: [{ type: 'link', attrs: { href, target: '_blank', title: null } }],
            },
          ],
        },
        {
          type: 'image',
          attrs: { src: '/logo.png', alt: 'Logo', title: null, width: null, height: null },
        },
      ],
    });
  });
});

const text = { type: 'text', text: 'x' };

describe('what is refused, with its place', () => {
  test.each([
    ['no object', 'text', ['/contentBlocks']],
    ['no document', p('x'), ['/contentBlocks/type']],
    ['an empty document', doc(), ['/contentBlocks/content']],
    ['an unknown node', doc({ type: 'script' }), ['/contentBlocks/content/0/type']],
    ['a node of the prototype', doc({ type: '__proto__' }), ['/contentBlocks/content/0/type']],
    ['a method of objects', doc({ type: 'toString' }), ['/contentBlocks/content/0/type']],
    ['an unknown mark', doc(p(marked('x', 'blink'))), ['/contentBlocks/content/0/content/0/marks/0/type']],
    [
      'an unknown attribute',
      doc(node('paragraph', { onclick: 'x' })),
      ['/contentBlocks/content/0/attrs/onclick'],
    ],
    ['an unknown key', doc({ type: 'paragraph', html: 'x' }), ['/contentBlocks/content/0/html']],
    [
      'a paragraph in a paragraph',
      doc({ type: 'paragraph', content: [p()] }),
      ['/contentBlocks/content/0/content'],
    ],
    ['text at the top', doc(text), ['/contentBlocks/content']],
    ['a list without items', doc(node('bulletList', {})), ['/contentBlocks/content/0/content']],
    [
      'marks in code',
      doc(node('codeBlock', {}, marked('x', 'bold'))),
      ['/contentBlocks/content/0/content/0/marks'],
    ],
    ['an empty text', doc(p({ type: 'text', text: '' })), ['/contentBlocks/content/0/content/0/text']],
    ['a text with U+0000', doc(p('a\u0000')), ['/contentBlocks/content/0/content/0/text']],
    ['half a character', doc(p('a\ud800')), ['/contentBlocks/content/0/content/0/text']],
    [
      'content that is no list',
      doc({ type: 'paragraph', content: 'x' }),
      ['/contentBlocks/content/0/content'],
    ],
    [
      'too many marks',
      doc(p(marked('x', ...Array(21).fill('bold')))),
      ['/contentBlocks/content/0/content/0/marks'],
    ],
  ])('%s', (_, document, places) => {
    expect(refused(document)).toEqual(places);
  });

  test.each([
    ['heading', { level: '9" onload="alert(1)' }, 'level'],
    ['heading', { level: 7 }, 'level'],
    ['heading', { level: 1.5 }, 'level'],
    ['paragraph', { textAlign: 'center;background:url(x)' }, 'textAlign'],
    ['codeBlock', { language: 'js" onclick="x' }, 'language'],
    ['image', { src: 'http://example.org/x.png' }, 'src'],
    ['image', { src: 'data:image/svg+xml,<svg onload=alert(1)>' }, 'src'],
    ['image', { src: '/x.png', width: '100%' }, 'width'],
    ['image', { src: '/x.png', alt: ['x'] }, 'alt'],
    ['image', {}, 'src'],
  ])('attributes of %s: %j', (type, attrs, name) => {
    expect(refused(doc(node(type, attrs)))).toEqual([`/contentBlocks/content/0/attrs/${name}`]);
  });

  test('every place at once, up to the number that an answer has', () => {
    expect(refused(doc(...Array(150).fill({ type: 'script' })))).toHaveLength(100);
  });

  test('a name of any length is told shortly', () => {
    const places = refused(doc({ type: 'paragraph', attrs: { ['/'.repeat(100_000)]: 1 } }));
    expect(places[0]?.length).toBeLessThan(200);
  });
});

describe('addresses of links', () => {
  const linkTo = (href: unknown) => doc(p(marked('x', ['link', { href }])));

  test.each([
    'https://example.org/a?b=c&d=e#f',
    'http://example.org',
    'HTTPS://example.org/',
    'mailto:clinic@example.org?subject=Visit',
    'tel:+15551234567',
    '/about',
    '/',
    '#hours',
    'https://münchen.example/straße',
  ])('%s is accepted', (href) => {
    expect(refused(linkTo(href))).toEqual([]);
  });

  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\tscript:alert(1)',
    'java\nscript:alert(1)',
    '\u0001javascript:alert(1)',
    '\u00a0javascript:alert(1)',
    'javascript&colon;alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'blob:https://example.org/1',
    'file:///etc/passwd',
    '//example.org',
    '/\\example.org',
    '\\\\example.org',
    '/\t/example.org',
    'https:example.org',
    'https:/example.org',
    'https:\\\\example.org',
    'https://clinic.example@evil.example/',
    'https://a:b@evil.example/',
    'https://',
    'https://exa mple.org',
    'https://example.org/"onmouseover="x',
    'https://example.org/\u202egnp.exe',
    'about',
    '',
    `https://example.org/${'x'.repeat(2_048)}`,
    null,
    7,
    ['https://example.org/'],
  ])('%j is refused', (href) => {
    expect(refused(linkTo(href))).toEqual(['/contentBlocks/content/0/content/0/marks/0/attrs/href']);
  });
});

describe('bounds', () => {
  function nested(levels: number): unknown {
    let inner: unknown = p('x');
    for (let at = 0; at < levels; at += 1) inner = { type: 'blockquote', content: [inner] };
    return doc(inner);
  }

  test('a document with the deepest allowed quotes is accepted, one level more is not', () => {
    // The document, the paragraph and its text are levels as well.
    expect(refused(nested(documentLimits.levels - 3))).toEqual([]);
    expect(refused(nested(documentLimits.levels - 2))).toEqual(['/contentBlocks']);
  });

  test('100,000 nested quotes are refused', () => {
    expect(refused(nested(100_000))).toEqual(['/contentBlocks']);
  });

  test('attributes that are nested deeply are refused', () => {
    let deep: unknown = 1;
    for (let at = 0; at < 100_000; at += 1) deep = [deep];
    expect(refused(doc(node('paragraph', { textAlign: deep })))).toEqual(['/contentBlocks/content/0']);
  });

  test('too many nodes are refused', () => {
    expect(refused(doc(...Array(documentLimits.nodes).fill({ type: 'paragraph' })))).toEqual([
      '/contentBlocks',
    ]);
  });

  test('a block or a document that is too large is refused', () => {
    const block = p('x'.repeat(60_000));
    expect(refused(doc(...Array(4).fill(block)))).toEqual([]);
    expect(refused(doc(...Array(5).fill(block)))).toEqual(['/contentBlocks']);
    expect(refused(doc(p('x'), p('ä'.repeat(33_000))))).toEqual(['/contentBlocks/content/1']);
  });
});
