import sanitizeHtml from 'sanitize-html';
import type { EmailFooter } from '../../domain/channels/email/footer.js';
import { blocks, type Make } from '../../domain/lib/markdown/blocks.js';

const allowed: sanitizeHtml.IOptions = {
  allowedTags: [
    ...['p', 'br', 'hr', 'em', 'strong', 's', 'code', 'pre', 'blockquote', 'ul', 'ol', 'li', 'a'],
    ...['table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ],
  allowedAttributes: { a: ['href'], ol: ['start'] },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  nestingLimit: 50,
};

export interface EmailText {
  /** Markdown. */
  body: string;
  /** Markdown; empty: none. */
  signature: string;
  /** On one line. */
  subject: string;
  /** The language of the recipient. */
  locale: string;
  footer: EmailFooter;
  /** Where the recipient unsubscribes; absent where there is no link, and no footer then. */
  unsubscribeUrl?: string;
}

/** The text of an email as it was written, and as HTML. */
export function emailContent(email: EmailText): { text: string; html: string } {
  const { body, signature, subject, locale, footer, unsubscribeUrl } = email;
  const link =
    unsubscribeUrl === undefined ? [] : [`${footer.sender}\n${footer.unsubscribe}: ${unsubscribeUrl}`];
  // The line before a signature by which mail programs recognise one (RFC 3676, 4.3).
  const signed = signature === '' ? [] : [`-- \n${signature}`];
  const parts = [body.trim(), ...signed, ...link];
  const html = [
    `<!doctype html>\n<html lang="${escaped(locale)}">\n<head><meta charset="utf-8"><title>${escaped(subject)}</title></head>\n<body>`,
    htmlOf(body),
    ...(signature === '' ? [] : [`<p>-- </p>\n${htmlOf(signature)}`]),
    ...(unsubscribeUrl === undefined ? [] : [footerHtml(footer, unsubscribeUrl)]),
    '</body>\n</html>',
  ];
  return { text: `${parts.join('\n\n')}\n`, html: `${html.join('\n')}\n` };
}

function footerHtml({ sender, unsubscribe, lang }: EmailFooter, url: string): string {
  return `<hr>\n<p>${escaped(sender)}<br>\n<a href="${escaped(url)}" lang="${lang}">${unsubscribe}</a></p>`;
}

/**
 * Markdown as HTML that can be shown anywhere. HTML in it is shown as it is written, and pictures are links: one of another
 * server would tell it that the email was opened. What is made is sanitised as well.
 */
export function htmlOf(text: string): string {
  const make: Make<Html> = (name, attributes, children) => new Html(name, attributes, children);
  const made = blocks(text, make);
  return sanitizeHtml(made.map(String).join('\n'), allowed).trim();
}

class Html {
  constructor(
    private readonly name: string,
    private readonly attributes: Readonly<Record<string, string | number | undefined>>,
    private readonly children: readonly (Html | string)[],
  ) {}

  toString(): string {
    const { name } = this;
    const attributes = Object.entries(this.attributes).map(
      ([key, value]) => ` ${key}="${escaped(`${value}`)}"`,
    );
    const tag = `<${name}${attributes.join('')}>`;
    if (name === 'br' || name === 'hr') return tag;
    const inner = this.children.map((child) => (typeof child === 'string' ? escaped(child) : `${child}`));
    return `${tag}${inner.join('')}</${name}>`;
  }
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
