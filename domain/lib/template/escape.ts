/** Where a rendered text goes: a chat's channel, or `plain` for prompts, times and other things not displayed. */
export type TemplateTarget = 'phone-sms' | 'phone-voice' | 'web-chat' | 'email' | 'plain';

/**
 * A value made harmless for its place. Web chat renders markdown; email text is markdown that becomes HTML; SMS
 * is plain text; a prompt is structured by lines, so that a value must not bring any of its own.
 */
export function escapeFor(target: TemplateTarget, value: string): string {
  const text = withoutControls(value);
  switch (target) {
    case 'phone-sms':
      return text;
    case 'web-chat':
      return escapeMarkdown(text).replace(/[<>&]/g, '\\$&');
    case 'email':
      return escapeHtml(escapeMarkdown(text));
    case 'phone-voice':
    case 'plain':
      return text.replaceAll('\n', ' ');
  }
}

/** Control characters go, bidirectional overrides too; line breaks become plain ones. */
function withoutControls(text: string): string {
  return text
    .replace(/\r\n?|\u2028|\u2029/g, '\n')
    .replace(/\t/g, ' ')
    .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, (character) => (character === '\n' ? character : ''));
}

/** CommonMark lets any ASCII punctuation be escaped; only what can start something is, to stay readable. */
function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]#|~!]/g, '\\$&').replace(/^(\s*)([-+=]|\d+(?=[.)]))/gm, escapeLineStart);
}

/** A dash or number at the start of a line would make it a list item or the line above it a heading. */
function escapeLineStart(_match: string, blanks: string, marker: string): string {
  return /\d/.test(marker) ? `${blanks}${marker}\\` : `${blanks}\\${marker}`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
