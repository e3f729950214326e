import EmailReplyParser from 'email-reply-parser';

export interface ReadText {
  /** What the sender has written. */
  visible: string;
  /** The whole, where it has more: quoted text and a signature. */
  whole: string | null;
}

/** Longer texts are not searched: people do not write them, and a crafted one takes time by more than the square of its length. */
const longestSearched = 25_000;

/**
 * Parts what the sender has written from what is quoted. The whole counts as written where answers stand between quoted
 * lines, which they would not be understood without, and where nothing else is left.
 */
export function visibleText(text: string): ReadText {
  const whole = text.trim();
  if (whole.length > longestSearched) return { visible: whole, whole: null };
  const email = new EmailReplyParser().read(whole);
  const visible = email.getVisibleText().trim();
  const parts = email.getFragments().filter((part) => part.getContent().trim() !== '');
  const isOwn = parts.map((part) => !part.isQuoted() && !part.isHidden() && !part.isSignature());
  const isInterleaved = parts.some(
    (part, at) => part.isQuoted() && isOwn.slice(0, at).includes(true) && isOwn.slice(at + 1).includes(true),
  );
  if (visible === '' || isInterleaved || visible === whole) return { visible: whole, whole: null };
  return { visible, whole };
}
