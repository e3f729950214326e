import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import Koa from 'koa';
import { Lexer } from 'marked';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serveWidget } from '../../../api/widget/serve-widget.js';

const server = new Koa().use(serveWidget()).listen(0, '127.0.0.1');
let url = '';
beforeAll(() => {
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/s/widget`;
});
afterAll(() => server.close());

const load = async (path: string) => (await fetch(`${url}/${path}`)).text();

async function modulesOf(tag: string): Promise<string[]> {
  return Promise.all([...tag.matchAll(/import '\.\/([^']+)'/g)].map(([, path = '']) => load(path)));
}

it('the chat of a page loads no more than 28.5 KB by gzip, with the words of a language', async () => {
  const tag = await load('chat.js');
  const folder = /import '\.\/([^/]+)/.exec(tag)?.[1];
  const words = await Promise.all(['en', 'de', 'es'].map((language) => load(`${folder}/${language}.js`)));
  const sizeOf = (text: string) => gzipSync(text).length;
  const scripts = [tag, ...(await modulesOf(tag))];
  const sum = scripts.map(sizeOf).reduce((total, size) => total + size, Math.max(...words.map(sizeOf)));
  expect(scripts).toHaveLength(3);
  expect(sum / 1_024).toBeLessThan(28.5);
});

it('the part of marked that pages load reads Markdown as the whole of it does', async () => {
  const [marked = ''] = await modulesOf(await load('chat.js'));
  const part = (await import(`data:text/javascript,${encodeURIComponent(marked)}`)) as {
    Lexer: typeof Lexer;
  };
  const written = `# Visit\n\nBring *all* **papers**, ~~none~~ \`code\` <b>x</b> &amp; \\* ![i](https://a.example/i.png)
[here](https://a.example "t") [ref] www.a.example me@a.example <https://b.example>\n\n[ref]: https://c.example\n
1. one\n2. two\n   - [x] deep\n\n> quoted\n\n| a | b |\n| - | :-: |\n| 1 | 2 |\n
\`\`\`js\nfence\n\`\`\`\n\n    indented\n\nSetext\n===\n\n<div>\nhtml\n</div>\n\n---\n`;
  const options = { gfm: true, breaks: true };
  const read = new Lexer(options).lex(written);
  expect(read.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['list', 'table', 'blockquote', 'code']),
  );
  expect(new part.Lexer(options).lex(written)).toEqual(read);
  expect(marked).toContain('(MIT License)');
  expect(Object.keys(part).sort()).toEqual(['Lexer', 'Tokenizer']);
});
