/**
 * The target of a rendered text: the channel of a chat, or `plain` for prompts, times and other texts that are not
 * displayed.
 */
export type TemplateTarget = 'phone-sms' | 'phone-voice' | 'web-chat' | 'email' | 'plain';

/**
 * Escapes a value for its target. Web chat renders markdown; email text is markdown that becomes HTML; SMS is plain
 * text; lines structure a prompt, so a value must not add lines of its own.
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

/** Removes control characters and bidirectional overrides; normalizes line breaks to `\n` and tabs to spaces. */
function withoutControls(text: string): string {
  return text
    .replace(/\r\n?|\u2028|\u2029/g, '\n')
    .replace(/\t/g, ' ')
    .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, (character) => (character === '\n' ? character : ''));
}

/**
 * Escapes only the characters that can start markup, so that the text stays readable. CommonMark allows any ASCII
 * punctuation to be escaped.
 */
function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]#|~!]/g, '\\$&').replace(/^(\s*)([-+=]|\d+(?=[.)]))/gm, escapeLineStart);
}

/**
 * Escapes a dash or number at the start of a line, which would make the line a list item or the line above it a
 * heading.
 */
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
