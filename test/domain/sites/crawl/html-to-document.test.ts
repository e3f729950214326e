import { describe, expect, test } from 'vitest';
import { htmlToDocument } from '../../../../domain/sites/crawl/html-to-document.js';
import { readHtml } from '../../../../domain/sites/crawl/html-tree.js';
import { sourceHtmlOf } from '../../../../domain/sites/crawl/source-html.js';
import { prepareDocument } from '../../../../domain/sites/pages/prepare-document.js';
import { processorMsOf } from '../../../support/lib/processor-ms.js';

const base = 'https://clinic.example/about/';

async function convert(html: string, excludedTags: string[] = []) {
  const page = await readHtml(html, excludedTags);
  const { document, isCut } = htmlToDocument(page.contents, base);
  // What the service makes of its own documents has to pass the check of those of others.
  const prepared = await prepareDocument(document);
  return { page, isCut, ...prepared, source: sourceHtmlOf(page.contents, base) };
}

test('headings, lists, tables, quotes, code and marks become nodes of a document', async () => {
  const { markdown } = await convert(`
    <h1>Care  <em>close</em> to home</h1>
    <p>Open <b>daily</b>, see <a href="../hours">our hours</a>.<br>Welcome</p>
    <ul><li>One<ul><li>Two</li></ul></li></ul>
    <ol start="3"><li><p>Three</p></li></ol>
    <blockquote>Said <p>so</p></blockquote>
    <pre><code class="language-json">{
  "a": 1
}</code></pre>
    <table><caption>Fees</caption><thead><tr><th>What</th><th>Price</th></tr></thead><tr><td>Visit</td><td>10</td></tr></table>
    <img src="/team.jpg" alt="The team"><hr>
    <details><summary>More</summary>Text</details>`);
  expect(markdown).toMatchInlineSnapshot(`
    "# Care *close* to home

    Open **daily**, see [our hours](https://clinic.example/hours).\\
    Welcome

    - One

      - Two

    3. Three

    > Said
    >
    > so

    \`\`\`json
    {
      "a": 1
    }
    \`\`\`

    Fees

    | What | Price |
    | --- | --- |
    | Visit | 10 |

    ![The team](https://clinic.example/team.jpg)

    ---

    **More**

    Text"
  `);
});

test('the contents are those of main; what is around them is left out, and its links are followed', async () => {
  const { page, markdown } = await convert(`<html lang="de"><head><title>Team – Clinic</title>
      <meta name="description" content="Who works here"><link rel="canonical" href="/team"></head>
    <body><header>Clinic</header><nav><a href="/a">A</a><a rel="nofollow" href="/no">No</a></nav>
    <main><h1>Team</h1><p>We are six.</p></main><footer>2026 <a href="/imprint">Imprint</a></footer></body></html>`);
  expect(markdown).toBe('# Team\n\nWe are six.');
  expect(page).toMatchObject({
    title: 'Team – Clinic',
    description: 'Who works here',
    language: 'de',
    canonical: '/team',
    links: ['/a', '/imprint'],
  });
});

test('without main, navigation, header and footer are left out, and headers of articles are not', async () => {
  const { markdown } = await convert(
    '<body><header>Site</header><article><header><h2>News</h2></header><p>Today</p></article><aside>Ads</aside><footer>End</footer>',
  );
  expect(markdown).toBe('## News\n\nToday');
});

test('excluded elements are left out, and their links are followed', async () => {
  const { page, markdown } = await convert(
    '<p>One</p><section>Two <a href="/x">x</a></section><p>Three</p>',
    ['section'],
  );
  expect(markdown).toBe('One\n\nThree');
  expect(page.links).toEqual(['/x']);
});

test('scripts, styles, handlers and addresses that run something are gone everywhere', async () => {
  const hostile = `<p onclick="alert(1)" style="x">Text</p><script>alert(1)</script><style>p{}</style><a href="javascript:alert(1)">j</a>
    <a href="java\tscript:alert(1)">t</a><a href="data:text/html,x">d</a><img src="x" onerror="alert(1)"><img src="javascript:alert(1)">
    <img src="http://plain.example/a.png"><iframe src="/x"></iframe><svg><script>alert(1)</script><a href="/svg">s</a></svg><noscript><img src=x></noscript>
    <math><mtext></p><img src=x onerror=alert(1)></math><p title='"><script>alert(1)</script>'>&lt;script&gt;alert(2)&lt;/script&gt;</p>`;
  const { html, source, markdown } = await convert(hostile);
  for (const text of [html, source]) {
    expect(text).not.toMatch(
      /<script|<style|<iframe|<svg|onerror|onclick|javascript:|data:text|plain\.example/i,
    );
    expect(text).toContain('Text');
  }
  expect(markdown).not.toMatch(/javascript:|data:/);
});

test('a page of words without elements, and an empty one, are documents', async () => {
  expect((await convert('Only words')).markdown).toBe('Only words');
  expect((await convert('')).markdown).toBe('');
  expect((await convert('<p> </p><div><br></div>')).markdown).toBe('');
});

describe('pages that would cost much', () => {
  const quick = async (html: string) => {
    let converted: Awaited<ReturnType<typeof convert>> | undefined;
    const time = await processorMsOf(async () => {
      converted = await convert(html);
    });
    expect(time).toBeLessThan(5_000);
    return converted as Awaited<ReturnType<typeof convert>>;
  };

  test('levels without end are read to a bound', async () => {
    const { page, source } = await quick(`<p>before</p>${'<div>'.repeat(200_000)}deep`);
    expect(page.isCut).toBe(true);
    expect(source).toContain('before');
  });

  test.each([
    ['lists', '<ul><li>', ''],
    ['quotes', '<blockquote>', ''],
    ['tables', '<table><tr><td>', ''],
    ['details', '<details><summary>s</summary>', ''],
    ['marks', '<b><i><u>', ''],
  ])('levels of %s are no deeper than documents may be', async (_, open) => {
    const { markdown } = await quick(`${open.repeat(60)}deep text`);
    expect(markdown).toContain('deep text');
  });

  test.each([
    ['a paragraph', `<p>${'word '.repeat(50_000)}</p>`],
    ['a list', `<ul>${'<li>item of a long list</li>'.repeat(9_000)}</ul>`],
    ['a numbered list', `<ol>${'<li>item of a long list</li>'.repeat(3_000)}</ol>`],
    ['a table', `<table>${'<tr><td>a</td><td>b</td></tr>'.repeat(5_000)}</table>`],
    ['one cell', `<table><tr><td>${'word '.repeat(30_000)}</td></tr></table>`],
    ['code', `<pre>${'let a = 1;\n'.repeat(20_000)}</pre>`],
    ['line breaks', `<p>${'a<br>'.repeat(30_000)}</p>`],
    ['emphasis', `<p>${'<b>a</b> <i>b</i>'.repeat(20_000)}</p>`],
    ['paragraphs', '<p>a</p>'.repeat(60_000)],
    ['emoji', `<p>${'🩺'.repeat(30_000)}</p>`],
  ])('%s without end becomes a document within the bounds', async (_, html) => {
    const { contentBytes, markdown } = await quick(html);
    expect(contentBytes).toBeLessThan(262_144);
    expect(markdown.length).toBeGreaterThan(1_000);
    expect(markdown).not.toContain('\ufffd');
  });

  test('the source that is stored is cut, and its elements are closed', async () => {
    const { source } = await quick(
      `<section><p>${'word '.repeat(60_000)}</p>${'<p>more</p>'.repeat(20_000)}</section>`,
    );
    expect(Buffer.byteLength(source)).toBeLessThan(140_000);
    expect(source.endsWith('</section>')).toBe(true);
  });
});

describe('a picture that scripts load late', () => {
  const blank = '/images/blank.gif';
  const data = 'data:image/gif;base64,R0lGODlhAQABAAAAACw=';
  test.each([
    ['data-src', `<img src="${blank}" data-src="/a.jpg">`],
    ['data-lazy-src', `<img src="${data}" data-lazy-src="/a.jpg">`],
    ['data-original', `<img src="${blank}" data-original="/a.jpg">`],
    ['data-srcset', `<img data-srcset="/small.jpg 320w, /a.jpg 1280w" src="${data}">`],
    ['srcset', `<img src="${blank}" srcset="/small.jpg 1x, /a.jpg 2x">`],
    ['noscript', `<img class="lazy" src="${blank}"><noscript><img src="/a.jpg">Turn on scripts</noscript>`],
    ['both', `<img src="${data}" data-src="/a.jpg"><noscript><img src="/a.jpg"></noscript>`],
    ['a source', `<picture><source srcset="/a.jpg" media="(min-width: 1px)"><img src="${blank}"></picture>`],
    ['src within a picture', '<picture><source srcset="/b.webp"><img src="/a.jpg"></picture>'],
    ['src', '<img src="/a.jpg">'],
  ])('is shown once, by its address in %s', async (_where, html) => {
    const { markdown } = await convert(`<p>Text</p>${html}`);
    expect(markdown.match(/!\[[^\]]*\]\([^)]*\)/g)).toEqual(['![](https://clinic.example/a.jpg)']);
    expect(markdown).not.toContain('scripts');
  });

  test.each([
    ['holds a place', `<img src="${blank}">`],
    [
      'counts visitors',
      '<noscript><img height="1" width="1" src="https://count.example/tr?id=1"></noscript>',
    ],
  ])('is left out if it only %s', async (_what, html) => {
    expect((await convert(`<p>Text</p>${html}`)).markdown.trim()).toBe('Text');
  });
});

test('text that was copied from Google Docs is bold where it was, and what is hidden by its style is left out', async () => {
  const { markdown } = await convert(
    `<b style="font-weight:normal;" id="docs-internal-guid-1"><p><span style="font-weight:400">Open </span><span
      style="font-weight:700">daily</span></p></b><p style="display: none">Hidden</p><div style="color:red;visibility:hidden">Too</div>`,
  );
  expect(markdown.trim()).toBe('Open **daily**');
});
