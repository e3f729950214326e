import MarkdownIt from 'markdown-it';
import sanitizeHtml from 'sanitize-html';
import { describe, expect, test } from 'vitest';
import { checkDocument } from '../../../../domain/sites/documents/check-document.js';
import { renderDocument } from '../../../../domain/sites/documents/render-document.js';
import { sanitizePart } from '../../../../domain/sites/documents/sanitize.js';
import { documentSchema } from '../../../../domain/sites/documents/schema.js';
import { doc, marked, node, p } from './build.js';

const render = (...blocks: unknown[]) => renderDocument(checkDocument(doc(...blocks)));
const link = (href: string, more = {}): [string, Record<string, unknown>] => ['link', { href, ...more }];
const item = (...blocks: unknown[]) => node('listItem', {}, ...blocks);

describe('formats', () => {
  test.each([
    ['a paragraph', [p('Hours: 9–5')], '<p>Hours: 9–5</p>', 'Hours: 9–5'],
    ['alignment', [node('paragraph', { textAlign: 'center' })], '<p class="align-center"></p>', ''],
    [
      'a heading',
      [node('heading', { level: 2 }, ...[{ type: 'text', text: 'C #' }])],
      '<h2>C #</h2>',
      '## C \\#',
    ],
    [
      'marks of neighbours',
      [p(marked('a ', 'bold'), marked('b', 'bold', 'italic'), ' c')],
      '<p><strong>a <em>b</em></strong> c</p>',
      '**a *b*** c',
    ],
    [
      'spaces at the edges of marks',
      [p('a', marked(' b ', 'bold'), marked(' ', 'italic'), 'c')],
      '<p>a<strong> b </strong><em> </em>c</p>',
      'a **b**  c',
    ],
    [
      'a link',
      [
        p(
          marked('Here (now)', link('https://example.org/a(b)', { target: '_blank', title: 'The "clinic"' })),
        ),
      ],
      '<p><a href="https://example.org/a(b)" title="The &quot;clinic&quot;" target="_blank" rel="noopener noreferrer">Here (now)</a></p>',
      '[Here (now)](<https://example.org/a(b)> "The \\"clinic\\"")',
    ],
    ['code', [p(marked('a`b', 'code'))], '<p><code>a`b</code></p>', '``a`b``'],
    ['a line break', [p('a', { type: 'hardBreak' }, '- b')], '<p>a<br />- b</p>', 'a\\\n\\- b'],
    [
      'lists in lists',
      [node('orderedList', { start: 9 }, item(p('a')), item(p('b'), node('bulletList', {}, item(p('c')))))],
      '<ol start="9"><li><p>a</p></li><li><p>b</p><ul><li><p>c</p></li></ul></li></ol>',
      '9. a\n\n10. b\n\n    - c',
    ],
    [
      'two lists in a row',
      [node('bulletList', {}, item(p('a'))), node('bulletList', {}, item(p('b')))],
      '<ul><li><p>a</p></li></ul>\n<ul><li><p>b</p></li></ul>',
      '- a\n\n* b',
    ],
    [
      'tasks',
      [node('taskList', {}, node('taskItem', { checked: true }, p('a')))],
      '<ul class="tasks"><li><span class="task">☑</span><p>a</p></li></ul>',
      '- [x] a',
    ],
    [
      'a block of code',
      [node('codeBlock', { language: 'html' }, { type: 'text', text: '```\n<b>' })],
      '<pre><code class="language-html">```\n&lt;b&gt;</code></pre>',
      '````html\n```\n<b>\n````',
    ],
    [
      'a quote',
      [node('blockquote', {}, p('a'), p('b'))],
      '<blockquote><p>a</p><p>b</p></blockquote>',
      '> a\n>\n> b',
    ],
    [
      'a table',
      [
        node(
          'table',
          {},
          node('tableRow', {}, node('tableHeader', { colspan: 2 }, p('Day'))),
          node('tableRow', {}, node('tableCell', {}, p('Mon')), node('tableCell', {}, p('9|5'), p('x'))),
        ),
      ],
      '<div class="table"><table><tbody><tr><th colspan="2"><p>Day</p></th></tr><tr><td><p>Mon</p></td><td><p>9|5</p><p>x</p></td></tr></tbody></table></div>',
      '| Day |  |\n| --- | --- |\n| Mon | 9\\|5 x |',
    ],
    [
      'details',
      [
        node(
          'details',
          { open: true },
          node('detailsSummary', {}, { type: 'text', text: 'More' }),
          node('detailsContent', {}, p('a')),
        ),
      ],
      '<details open><summary>More</summary><div><p>a</p></div></details>',
      '**More**\n\na',
    ],
    ['a rule', [node('horizontalRule', {})], '<hr />', '---'],
  ])('%s', async (_, blocks, html, markdown) => {
    expect(await render(...blocks)).toEqual({ html, markdown, amp: html });
  });

  test('an image has its size in AMP, or a height', async () => {
    const sized = node('image', { src: 'https://example.org/a.png', alt: 'A', width: 40, height: 30 });
    expect(await render(sized)).toEqual({
      html: '<img src="https://example.org/a.png" alt="A" width="40" height="30" loading="lazy" />',
      markdown: '![A](https://example.org/a.png)',
      amp: '<amp-img src="https://example.org/a.png" alt="A" width="40" height="30" layout="responsive"></amp-img>',
    });
    const { amp } = await render(node('blockquote', {}, node('image', { src: '/a.png' })));
    expect(amp).toBe(
      '<blockquote><amp-img src="/a.png" alt="" height="300" layout="fixed-height" class="contain"></amp-img></blockquote>',
    );
  });
});

const attacks = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'><svg onload=alert(1)>",
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&#x3c;script&#x3e;',
  '</pre></code><script>alert(1)</script>',
  '<!--><script>alert(1)</script>-->',
  ']]><script>alert(1)</script>',
  '<a href="javascript:alert(1)">x</a>',
  '[x](javascript:alert(1))',
  '![x](javascript:alert(1))',
  '<javascript:alert(1)>',
  '[x]: javascript:alert(1)\n\n[x]',
  '`</code><script>alert(1)</script>`',
  '\\`<script>\\`',
  '{{ alert(1) }}',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
];

/** The same text in every place where a document can have one. */
function everywhere(text: string): unknown[] {
  const plain = { type: 'text', text };
  return [
    p(text),
    node('heading', { level: 1 }, plain),
    p(marked(text, 'bold', 'italic', 'strike', 'underline', 'highlight', 'subscript', 'superscript')),
    p(marked(text, 'code')),
    p('a', { type: 'hardBreak' }, text),
    p(marked(text, link('https://example.org/', { title: text }))),
    node('codeBlock', {}, plain),
    node('blockquote', {}, p(text)),
    node('bulletList', {}, item(p(text))),
    node('taskList', {}, node('taskItem', {}, p(text))),
    node('table', {}, node('tableRow', {}, node('tableHeader', {}, p(text)), node('tableCell', {}, p(text)))),
    node('details', {}, node('detailsSummary', {}, plain), node('detailsContent', {}, p(text))),
    node('image', { src: '/a.png', alt: text, title: text }),
  ];
}

/** What could do something in HTML: tags and attributes that no page has. */
function active(html: string): string[] {
  const found: string[] = [];
  sanitizeHtml(html, {
    allowedTags: false,
    allowVulnerableTags: true,
    allowedAttributes: false,
    transformTags: {
      '*': (tagName, attribs) => {
        if (/^(script|svg|math|style|iframe|object|embed|form|base|link|meta|noscript)$/.test(tagName))
          found.push(tagName);
        for (const [name, value] of Object.entries(attribs)) {
          if (/^on|^style$|^srcdoc$/.test(name)) found.push(`${tagName} ${name}`);
          if (/^(href|src)$/.test(name) && !/^(https:\/\/|\/a\.png$)/.test(value))
            found.push(`${tagName} ${value}`);
        }
        return { tagName, attribs };
      },
    },
  });
  return found;
}

/** Text without its white space, which formats may change. */
const words = (text: string) => text.replace(/\s+/g, '');

function textOf(html: string): string {
  const text = sanitizeHtml(html, { allowedTags: [], allowedAttributes: {} });
  return words(
    text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
  );
}

describe('stored scripts are inert', () => {
  test.each(attacks)('%s', async (attack) => {
    const { html, amp, markdown } = await render(...everywhere(attack));
    expect(active(html)).toEqual([]);
    expect(active(amp)).toEqual([]);
    // A reader that accepts HTML within Markdown is the worst of all.
    expect(active(new MarkdownIt({ html: true }).render(markdown))).toEqual([]);
  });

  test.each(attacks)('and shown as they were written, in HTML and in Markdown: %s', async (attack) => {
    for (const block of everywhere(attack).filter((block) => (block as { type: string }).type !== 'image')) {
      const document = checkDocument(doc(block));
      const { html, markdown } = await renderDocument(document);
      const written = words(document.textContent);
      expect(textOf(html).replace(/^[☑☐]/, '')).toBe(written);
      const shown = textOf(new MarkdownIt({ html: false }).render(markdown)).replace(/^\[\]/, '');
      expect(shown).toBe(written);
    }
  });

  test('no node or mark with such an address can be made', () => {
    expect(() => documentSchema.mark('link', { href: 'javascript:alert(1)' })).toThrow(
      'href must begin with',
    );
    expect(() => documentSchema.node('image', { src: 'data:image/svg+xml,x' })).toThrow('src must');
  });

  test.each([
    ['<a href="java\tscript:alert(1)">x</a>', '<a>x</a>'],
    ['<a href="javascript&colon;alert(1)">x</a>', '<a>x</a>'],
    ['<a href="//evil.example">x</a>', '<a>x</a>'],
    ['<a href="/\\evil.example">x</a>', '<a>x</a>'],
    ['<img src="x" onerror="alert(1)">', '<img />'],
    ['<img srcset="https://evil.example/x">', '<img />'],
    ['<p style="position:fixed" class="align-left evil" id="x">x</p>', '<p class="align-left">x</p>'],
    ['<svg><script>alert(1)</script></svg>', ''],
    ['<iframe srcdoc="<script>alert(1)</script>"></iframe>', ''],
    ['<form action="https://evil.example"><input name="password"></form>', ''],
  ])('HTML of others loses what acts: %s', (html, clean) => {
    expect(sanitizePart(html, 'html')).toBe(clean);
  });
});

describe('Markdown reads as it was written', () => {
  test.each([
    '1. no list',
    '- no list',
    '+ no list',
    '# no heading',
    '> no quote',
    '=== no heading',
    '--- no rule',
    '*no* _emphasis_ ~~here~~',
    'a | b\\c & &amp; &copy; <b>',
    '    no code',
    '[no link](https://example.org)',
    '![no image](x)',
    '[^1] and [x] and `no code`',
    '2026) 1) 1.',
  ])('%s', async (text) => {
    const { markdown } = await render(p(text));
    const html = new MarkdownIt({ html: true }).render(markdown);
    expect(html).toMatch(/^<p>[\s\S]*<\/p>\n$/);
    expect(textOf(html)).toBe(words(text));
    expect(html.replace(/^<p>|<\/p>\n$/g, '')).not.toContain('<');
  });
});
