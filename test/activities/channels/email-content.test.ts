import { describe, expect, it } from 'vitest';
import { emailContent, htmlOf } from '../../../activities/channels/email-content.js';
import { emailFooter } from '../../../domain/channels/email/footer.js';
import { processorMs } from '../../support/lib/processor-ms.js';

describe('htmlOf', () => {
  it('makes paragraphs, lists, links and tables of markdown', () => {
    const html = htmlOf(
      'Hello **you**\nsee https://clinic.example\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |',
    );
    expect(html).toContain('<p>Hello <strong>you</strong><br />');
    expect(html).toContain('<a href="https://clinic.example">https://clinic.example</a>');
    expect(html).toContain('<li>one</li>');
    expect(html).toContain('<td>1</td>');
  });

  it.each([
    ['a script', '<script>alert(1)</script>'],
    ['a handler', '<b onclick="x()">b</b>'],
    ['a javascript link', '[x](javascript:alert(1))'],
    ['a data link', '[x](data:text/html;base64,PHNjcmlwdD4=)'],
    ['a picture of another server', '![x](https://spy.example/p.gif)'],
    ['a picture in HTML', '<img src="https://spy.example/p.gif">'],
    ['a form', '<form action="https://spy.example"><input></form>'],
    ['a style', '<style>@import url(https://spy.example)</style>'],
  ])('makes nothing active of %s', (_, text) => {
    const html = htmlOf(text);
    expect(html).not.toMatch(/<(?!\/?(p|a|br)\b)/);
    expect(html).not.toMatch(/<[^>]*(javascript:|data:|\bon\w+=|\bsrc=)/i);
  });

  it.each([
    ['quotes', '>'.repeat(20_000)],
    ['lists', '- '.repeat(20_000)],
    ['brackets', '['.repeat(20_000)],
    ['emphases', '*a_'.repeat(7_000)],
  ])('stands 20,000 nested %s', (_, text) => {
    expect(processorMs(() => expect(htmlOf(text).length).toBeGreaterThan(0))).toBeLessThan(5_000);
  });
});

const email = {
  body: 'Hello\n',
  signature: '',
  subject: 'Visit <1>',
  locale: 'en-US',
  footer: emailFooter({ name: 'North & Co', postalAddress: '1 Main Street' }, 'en-US'),
};

describe('emailContent', () => {
  it('adds the signature and the link, as text and as HTML', () => {
    const unsubscribeUrl = 'https://api.example/api/v2/w/1/unsubscribe/a?b="c"&d';
    const { text, html } = emailContent({ ...email, signature: '*The Clinic*', unsubscribeUrl });
    expect(text).toBe(
      `Hello\n\n-- \n*The Clinic*\n\nNorth & Co, 1 Main Street\nUnsubscribe: ${unsubscribeUrl}\n`,
    );
    expect(html).toContain('<em>The Clinic</em>');
    expect(html).toContain('<p>North &amp; Co, 1 Main Street<br>');
    expect(html).toContain(
      '<a href="https://api.example/api/v2/w/1/unsubscribe/a?b=&quot;c&quot;&amp;d" lang="en">',
    );
  });

  it('has neither where there is none', () => {
    const { text, html } = emailContent(email);
    expect(text).toBe('Hello\n');
    expect(html).not.toContain('Main Street');
    expect(html).toContain('<body>\n<p>Hello</p>\n</body>');
  });

  it('says in which language it is, and links in it', () => {
    const footer = emailFooter({ name: 'Nord', postalAddress: null }, 'de-AT');
    const { text, html } = emailContent({
      ...email,
      locale: 'de-AT',
      footer,
      unsubscribeUrl: 'https://a.example',
    });
    expect(html).toContain('<html lang="de-AT">');
    expect(html).toContain('<title>Visit &lt;1></title>');
    expect(text).toContain('Nord\nAbbestellen: https://a.example');
    expect(emailFooter({ name: 'Nord', postalAddress: null }, 'fr').unsubscribe).toBe('Unsubscribe');
  });
});
