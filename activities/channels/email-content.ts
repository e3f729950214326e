import MarkdownIt from 'markdown-it';
import sanitizeHtml from 'sanitize-html';

/*
 * Texts of people and of the model, and signatures, are markdown. HTML in it is shown as it is written, and pictures are not
 * shown: one of another server would tell it that the email was opened. What markdown-it makes of it is sanitised as well.
 */
const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true }).disable('image');

const allowed: sanitizeHtml.IOptions = {
  allowedTags: [
    ...['p', 'br', 'hr', 'em', 'strong', 's', 'code', 'pre', 'blockquote', 'ul', 'ol', 'li', 'a'],
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
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
  /** Where the recipient unsubscribes; absent where there is no link. */
  unsubscribeUrl?: string;
}

/** The text of an email as it was written, and as HTML. */
export function emailContent({ body, signature, unsubscribeUrl }: EmailText): { text: string; html: string } {
  const link = unsubscribeUrl === undefined ? [] : [`Unsubscribe: ${unsubscribeUrl}`];
  // The line before a signature by which mail programs recognise one (RFC 3676, 4.3).
  const signed = signature === '' ? [] : [`-- \n${signature}`];
  const parts = [body.trim(), ...signed, ...link];
  const html = [
    htmlOf(body),
    ...(signature === '' ? [] : [`<p>-- </p>\n${htmlOf(signature)}`]),
    ...(unsubscribeUrl === undefined ? [] : [`<p><a href="${escaped(unsubscribeUrl)}">Unsubscribe</a></p>`]),
  ];
  return { text: `${parts.join('\n\n')}\n`, html: `${html.join('\n')}\n` };
}

/** Markdown as HTML that can be shown anywhere. */
export function htmlOf(text: string): string {
  return sanitizeHtml(markdown.render(text), allowed).trim();
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
